package parquetrow

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// soundPacked looks at the compressed bytes of a page, where what they claim of their size is
// more than the page does: the decompressors of the library ask for memory by that, or, for
// LZ4, for twice as much again until the bytes fit. Of bytes that are not compressed both sizes are
// one: the library takes the one for the other, and fills what is missing with old memory.
func soundPacked(in io.ReaderAt, codec format.CompressionCodec, h *format.PageHeader, at int64) error {
	size, most := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if v2 := &h.DataPageHeaderV2; h.Type == format.DataPageV2 {
		if v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
			codec = format.Uncompressed
		}
		levels := int64(v2.V.RepetitionLevelsByteLength) + int64(v2.V.DefinitionLevelsByteLength)
		at, size = at+levels, size-levels
	}
	read := int64(18) // the longest header of a frame of zstd
	switch codec {
	case format.Uncompressed:
		if packed := int64(h.CompressedPageSize); packed != most {
			return fmt.Errorf("%w: it is not compressed, and has %d bytes and %d", ErrDamaged, packed, most)
		}
		return nil
	case format.Snappy, format.Zstd:
	case format.Lz4Raw:
		read = size
	default:
		return nil
	}
	if size < 0 {
		return fmt.Errorf("%w: its levels are longer than it is", ErrDamaged)
	}
	b := make([]byte, min(read, size))
	if err := readAt(in, b, at); err != nil {
		return err
	}
	var claim uint64
	switch codec {
	case format.Snappy:
		claim, _ = binary.Uvarint(b)
	case format.Zstd:
		claim = zstdSize(b)
	default:
		var ok bool
		if claim, ok = lz4Size(b, uint64(most)); !ok {
			return fmt.Errorf("%w: its compression", ErrDamaged)
		}
	}
	if claim > uint64(most) {
		return fmt.Errorf("%w: it decompresses to %d bytes, and should to %d", ErrDamaged, claim, most)
	}
	return nil
}

// zstdSize is the size of its content that the header of a frame tells, 0 if it does not.
func zstdSize(b []byte) uint64 {
	if len(b) < 6 {
		return 0
	}
	descriptor := b[4]
	at := 5 + []int{0, 1, 2, 4}[descriptor&3] // the dictionary's number
	single := descriptor>>5&1 == 1
	if !single {
		at++ // the window
	}
	var field [8]byte
	width := []int{0, 2, 4, 8}[descriptor>>6]
	if width == 0 && single {
		width = 1
	}
	if at+width > len(b) {
		return 0
	}
	copy(field[:], b[at:at+width])
	size := binary.LittleEndian.Uint64(field[:])
	if width == 2 {
		size += 256
	}
	return size
}

// lz4Size is how many bytes a block of LZ4 stands for; ok is false if it is damaged, or stands
// for more than most.
func lz4Size(b []byte, most uint64) (size uint64, ok bool) {
	for len(b) > 0 {
		token := uint64(b[0])
		b = b[1:]
		literals, whole := extended(&b, token>>4)
		if !whole || literals > uint64(len(b)) {
			return 0, false
		}
		b = b[literals:]
		if size += literals; size > most {
			return 0, false
		}
		if len(b) == 0 {
			return size, token&15 == 0 // the last sequence has no match
		}
		if len(b) < 2 {
			return 0, false
		}
		back := uint64(binary.LittleEndian.Uint16(b))
		b = b[2:]
		match, whole := extended(&b, token&15)
		if !whole || back == 0 || back > size {
			return 0, false
		}
		if size += match + 4; size > most {
			return 0, false
		}
	}
	return 0, false // nothing at all is no block
}

// extended is a length of LZ4: 15 is continued in bytes, as long as they are 255.
func extended(b *[]byte, n uint64) (uint64, bool) {
	if n < 15 {
		return n, true
	}
	for i, c := range *b {
		if n += uint64(c); c != 255 {
			*b = (*b)[i+1:]
			return n, true
		}
	}
	return 0, false
}
