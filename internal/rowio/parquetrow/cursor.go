package parquetrow

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

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
	c.next = nil
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
