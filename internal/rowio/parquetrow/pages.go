package parquetrow

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// What a page may ask for. Writers make pages of about 1 MiB and 20,000 rows; the bounds are
// for files that claim what they do not have.
const (
	maxPageBytes  = 256 << 20 // decompressed
	maxPageValues = 32 << 20
	maxPageRatio  = 1000     // decompressed bytes for each byte before, as in package files
	ratioFrom     = 16 << 20 // bytes from which on that is judged
	maxHeader     = 1 << 20  // bytes of a page's header, which has the least and greatest value
	firstHeader   = 256      // bytes that are read of it at first
)

// soundPages looks at the headers of a chunk's pages, before the library reads them: it asks
// for as much memory as they claim to need. What it gives is where to read them from: pages
// without values, which the library does not expect, and what lies behind the last page, are
// not there.
func soundPages(in io.ReaderAt, c *format.ColumnMetaData) (io.ReaderAt, error) {
	at := c.DataPageOffset
	if c.DictionaryPageOffset != 0 {
		at = c.DictionaryPageOffset
	}
	end := at + c.TotalCompressedSize
	kept, holes := &pieces{in: in, from: at}, false
	var values int64
	for page := 1; at < end && values < c.NumValues; page++ {
		h, size, err := pageHeader(in, at, end)
		if err != nil {
			return nil, fmt.Errorf("the header of page %d: %w", page, err)
		}
		from := at
		at += int64(size)
		n := int64(h.DataPageHeader.V.NumValues) + int64(h.DataPageHeaderV2.V.NumValues)
		switch packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize); {
		case packed < 0 || packed > end-at:
			return nil, fmt.Errorf("%w: page %d is said to have %d bytes, and its column has %d more", ErrDamaged, page, packed, end-at)
		case unpacked < 0 || unpacked > maxPageBytes:
			return nil, fmt.Errorf("%w: page %d decompresses to %d bytes, and at most %d are read", ErrUnsupported, page, unpacked, maxPageBytes)
		case unpacked > ratioFrom && unpacked/maxPageRatio > packed:
			return nil, fmt.Errorf("%w: page %d decompresses from %d bytes to %d", ErrUnsupported, page, packed, unpacked)
		case max(n, int64(h.DictionaryPageHeader.V.NumValues)) > maxPageValues:
			return nil, fmt.Errorf("%w: page %d has %d values, and at most %d are read", ErrUnsupported, page, n, maxPageValues)
		case h.Type == format.DictionaryPage && int64(h.DictionaryPageHeader.V.NumValues) > 8*unpacked:
			return nil, fmt.Errorf("%w: page %d is said to have %d values in %d bytes", ErrDamaged, page, h.DictionaryPageHeader.V.NumValues, unpacked)
		case n > c.NumValues-values:
			return nil, fmt.Errorf("%w: its pages have more values than the %d of their column", ErrDamaged, c.NumValues)
		}
		if err := soundPacked(in, c.Codec, h, at); err != nil {
			return nil, fmt.Errorf("page %d: %w", page, err)
		}
		at += int64(h.CompressedPageSize)
		values += n
		if n > 0 || h.Type == format.DictionaryPage {
			kept.list = append(kept.list, piece{from, at - from})
		} else {
			holes = true
		}
	}
	if !holes && at == end {
		return in, nil
	}
	return kept, nil
}

// piece is a part of a file.
type piece struct{ at, size int64 }

// pieces is a file in which parts follow each other, from a place on, that in truth have
// something between them.
type pieces struct {
	in   io.ReaderAt
	from int64
	list []piece
}

func (p *pieces) ReadAt(b []byte, at int64) (n int, err error) {
	at -= p.from
	for _, piece := range p.list {
		if at >= piece.size {
			at -= piece.size
			continue
		}
		got, err := p.in.ReadAt(b[n:min(int64(len(b)), int64(n)+piece.size-at)], piece.at+at)
		if n += got; n == len(b) || err != nil && err != io.EOF {
			return n, err
		}
		at = 0
	}
	return n, io.EOF
}

// pageHeader reads the header that begins there, and its size.
func pageHeader(in io.ReaderAt, at, end int64) (*format.PageHeader, int, error) {
	for room := int64(firstHeader); ; room *= 16 {
		b := make([]byte, min(room, end-at))
		if err := readAt(in, b, at); err != nil {
			return nil, 0, err
		}
		size, err := thriftSize(b)
		switch {
		case err == errThriftShort && room < maxHeader && room < end-at:
			continue
		case err != nil:
			return nil, 0, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		h := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[:size], h); err != nil {
			return nil, 0, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		return h, size, nil
	}
}
