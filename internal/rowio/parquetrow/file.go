package parquetrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/strandline-stream/strandline/internal/record"
)

// ErrFormat says that what was opened is not Parquet, or not all of it.
var ErrFormat = errors.New("not a Parquet file")

// ErrDamaged says that a file contradicts itself.
var ErrDamaged = errors.New("the file is damaged")

// ErrUnsupported says that a file has what is not read here.
var ErrUnsupported = errors.New("not supported")

const (
	magic     = "PAR1"
	maxFooter = 256 << 20
)

// File is an open Parquet file.
type File struct {
	in    io.ReaderAt
	file  *parquet.File
	root  *node // a struct of the fields
	types record.Schema
}

// Open reads the footer of a file of so many bytes, which is all that is needed of it for the
// schema. It keeps in, and does not close it.
func Open(in io.ReaderAt, size int64) (f *File, err error) {
	defer rescue(&err)
	if err := whole(in, size); err != nil {
		return nil, err
	}
	f = &File{in: in}
	f.file, err = parquet.OpenFile(in, size, &parquet.FileConfig{
		SkipPageIndex: true, SkipBloomFilters: true, ReadBufferSize: 16 << 10,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if f.root, err = treeOf(f.file.Metadata().Schema); err != nil {
		return nil, err
	}
	f.types = record.Schema(f.root.typ().Fields)
	return f, f.check(size)
}

// whole looks at both ends of a file, and at its footer before anybody trusts that.
func whole(in io.ReaderAt, size int64) error {
	const ends = int64(len(magic))
	var head, tail [8]byte
	if size < 3*ends {
		return fmt.Errorf("%w: it has %d bytes only", ErrFormat, size)
	}
	if err := readAt(in, head[:ends], 0); err != nil {
		return err
	}
	if err := readAt(in, tail[:], size-2*ends); err != nil {
		return err
	}
	switch begin := string(head[:ends]); {
	case begin == "PARE" || string(tail[ends:]) == "PARE":
		return fmt.Errorf("%w: it is encrypted", ErrUnsupported)
	case begin[:2] == "\x1f\x8b" || begin == "\x28\xb5\x2f\xfd":
		return fmt.Errorf("%w: it is compressed as a whole (unpack it: Parquet compresses within itself)", ErrFormat)
	case begin != magic:
		return fmt.Errorf("%w: it begins with %q and not with %s", ErrFormat, begin, magic)
	case string(tail[ends:]) != magic:
		return fmt.Errorf("%w: it is cut off, as its schema is at its end (copied in part, or still being written?)", ErrFormat)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	switch {
	case length > size-3*ends:
		return fmt.Errorf("%w: its footer would have %d bytes, and the file has %d", ErrDamaged, length, size)
	case length > maxFooter:
		return fmt.Errorf("%w: its footer has %d bytes, and at most %d are read", ErrUnsupported, length, maxFooter)
	}
	footer := make([]byte, length)
	if err := readAt(in, footer, size-2*ends-length); err != nil {
		return err
	}
	if _, err := thriftSize(footer); err != nil {
		return fmt.Errorf("%w: its footer: %w", ErrDamaged, err)
	}
	return nil
}

func readAt(in io.ReaderAt, b []byte, at int64) error {
	n, err := in.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

// check looks at what the footer says of row groups.
func (f *File) check(size int64) error {
	codecs := map[int]any{}
	for i, g := range f.file.Metadata().RowGroups {
		if g.NumRows < 0 {
			return fmt.Errorf("%w: row group %d has %d rows", ErrDamaged, i+1, g.NumRows)
		}
		for k := range g.Columns {
			c := &g.Columns[k].MetaData
			from := c.DataPageOffset
			if c.DictionaryPageOffset != 0 {
				from = c.DictionaryPageOffset
			}
			if from < 0 || c.TotalCompressedSize < 0 || from > size || c.TotalCompressedSize > size-from || c.NumValues < 0 {
				return fmt.Errorf("%w: row group %d, column %d: it is said to lie outside of the file", ErrDamaged, i+1, k+1)
			}
			// The library takes the compression of the first row group for all.
			if codec, seen := codecs[k]; seen && codec != any(c.Codec) {
				return fmt.Errorf("%w: row group %d, column %d is compressed otherwise than in the first", ErrUnsupported, i+1, k+1)
			}
			codecs[k] = c.Codec
		}
	}
	return nil
}

// Schema lists the fields of the file.
func (f *File) Schema() record.Schema { return f.types }

// NumRows is how many rows the file says it has.
func (f *File) NumRows() int64 {
	var n int64
	for _, g := range f.file.Metadata().RowGroups {
		n += g.NumRows
	}
	return n
}

// rescue makes an error of a panic: bytes that the library did not expect.
func rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrDamaged, p)
	}
}
