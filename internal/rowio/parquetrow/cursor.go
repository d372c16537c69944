package parquetrow

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/slab"
)

// cursor goes through the values of one column, row group by row group.
type cursor struct {
	name   string
	index  int
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    []parquet.Value
	next   []parquet.Value // what is left of buf
	text   slab.Text

	shared bool          // text is of a dictionary, which stays until the next row group
	seen   *[seen]string // some of it, by where it is
	where  *[seen]*byte
}

const seen = 2048

// string makes a value of text. That of a dictionary is made once for many rows.
func (c *cursor) string(b []byte) (record.Value, error) {
	at := -1
	if c.shared && len(b) > 0 {
		p := unsafe.SliceData(b)
		at = int(uint64(uintptr(unsafe.Pointer(p))) * 0x9e3779b97f4a7c15 >> 53)
		if c.where[at] == p && len(c.seen[at]) == len(b) {
			return record.OfString(c.seen[at]), nil
		}
	}
	if !utf8.Valid(b) {
		return record.Value{}, ErrUTF8
	}
	s := c.text.Keep(b)
	if at >= 0 {
		c.where[at], c.seen[at] = unsafe.SliceData(b), s
	}
	return record.OfString(s), nil
}

const cursorValues = 256

var errShort = fmt.Errorf("%w: it has fewer values than its row group has rows", ErrDamaged)

// open begins with a row group.
func (c *cursor) open(f *File, group int) error {
	meta := &f.file.Metadata().RowGroups[group].Columns[c.index].MetaData
	in, err := soundPages(f.in, meta)
	if err != nil {
		return err
	}
	chunk, ok := f.file.RowGroups()[group].ColumnChunks()[c.index].(*parquet.FileColumnChunk)
	if !ok {
		return errors.New("it cannot be read")
	}
	c.pages = chunk.PagesFrom(in)
	c.next, c.shared = nil, false
	c.seen, c.where = nil, nil
	if c.buf == nil {
		c.buf = make([]parquet.Value, cursorValues)
	}
	return nil
}

func (c *cursor) close() {
	if c.page != nil {
		parquet.Release(c.page)
	}
	if c.pages != nil {
		c.pages.Close()
	}
	c.pages, c.page, c.values, c.next = nil, nil, nil, nil
}

// more reads values once none are left. At the end of the row group it is io.EOF.
func (c *cursor) more() error {
	for len(c.next) == 0 {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return damage(err)
			}
			c.page, c.values = page, page.Values()
			if c.shared = page.Dictionary() != nil; c.shared && c.seen == nil {
				c.seen, c.where = new([seen]string), new([seen]*byte)
			}
		}
		n, err := c.values.ReadValues(c.buf)
		c.next = c.buf[:n]
		switch {
		case err != nil && err != io.EOF:
			return damage(err)
		case n == 0:
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		}
	}
	return nil
}

// damage says of what the library gives that it comes from the file.
func damage(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// peek is the next value; nil at the end of the row group.
func (c *cursor) peek() (*parquet.Value, error) {
	if len(c.next) == 0 {
		if err := c.more(); err == io.EOF {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
	}
	return &c.next[0], nil
}

// take is the next value, which there must be, and passes it.
func (c *cursor) take() (*parquet.Value, error) {
	v, err := c.peek()
	if v == nil && err == nil {
		err = errShort
	}
	if err != nil {
		return nil, err
	}
	c.next = c.next[1:]
	return v, nil
}
