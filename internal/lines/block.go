package lines

import (
	"bytes"
	"slices"

	"github.com/strandline-stream/strandline/connector"
)

// block is a piece that is decoded apart from those before and after it, and what came out.
type block[T any] struct {
	piece
	decoder Decoder[T]
	back    func() // gives back what the decoder has made; nil if that may be kept
	knows   any    // the head that the decoder knows
	timed   bool

	values    []T
	times     []int64
	places    []int64 // the lines at which values begin, the block's first being 0; of the input, once it is given out
	malformed []malformed
	lines     int64
	panicked  any
	done      chan struct{} // has one element when it is decoded
}

// malformed is a record of a block that could not be read.
type malformed struct {
	connector.Malformed       // without a position
	line                int64 // from the block's first, which is 0
	before              int   // so many values of the block come before it
}

// reset makes room for another piece. Its memory is used again, but for what was given out of
// malformed records.
func (b *block[T]) reset() {
	clear(b.values)
	if b.back != nil {
		b.back()
	}
	b.values, b.times, b.places, b.malformed, b.lines = b.values[:0], b.times[:0], b.places[:0], nil, 0
}

// decode reads all records. A panic of the user's own decoding is kept for the goroutine that
// asked for the records.
func (b *block[T]) decode(most int) {
	defer func() { b.panicked = recover() }()
	if b.head != b.knows {
		b.knows = b.head
		b.decoder.(Headed).Under(b.head)
	}
	if d, ok := b.decoder.(Foreseeing); ok {
		d.Foresee(b.text[b.pos:])
	}
	for {
		record, lines, err := b.next(most)
		if lines == 0 {
			return
		}
		n := len(b.values)
		b.values = slices.Grow(b.values, 1)[:n+1] // zero, as all that was used is cleared
		at := int64(0)
		if err == nil {
			at, err = b.decoder.Decode(record, &b.values[n])
		}
		if err != nil {
			clear(b.values[n:])
			b.values = b.values[:n]
			if err != ErrSkip {
				b.malformed = append(b.malformed, malformed{connector.Malformed{Raw: bytes.Clone(record), Reason: err}, b.lines, n})
			}
		} else {
			if b.timed {
				b.times = append(b.times, at)
			}
			b.places = append(b.places, b.lines)
		}
		b.lines += lines
	}
}
