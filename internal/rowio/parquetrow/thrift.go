package parquetrow

import (
	"encoding/binary"
	"errors"
	"math"
)

// maxThriftDepth is above what any footer or page header has.
const maxThriftDepth = 64

var (
	errThriftShort = errors.New("it ends in the middle")
	errThrift      = errors.New("it is damaged")
)

// thriftSize walks over a struct of Thrift's compact protocol, and gives how many bytes it
// has. What it accepts can be decoded: no list or text claims to have more than there are
// bytes for, and nothing is nested deeply. A decoder that believes such claims asks for all
// memory there is.
func thriftSize(b []byte) (int, error) {
	w := thriftWalk{b: b}
	w.structure(0)
	return w.at, w.err
}

type thriftWalk struct {
	b   []byte
	at  int
	err error
}

func (w *thriftWalk) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *thriftWalk) pass(n uint64) {
	if n > uint64(len(w.b)-w.at) {
		w.fail(errThriftShort)
		return
	}
	w.at += int(n)
}

func (w *thriftWalk) byte() byte {
	if w.at >= len(w.b) {
		w.fail(errThriftShort)
		return 0
	}
	w.at++
	return w.b[w.at-1]
}

func (w *thriftWalk) varint() uint64 {
	v, n := binary.Uvarint(w.b[w.at:])
	switch {
	case n == 0:
		w.fail(errThriftShort)
	case n < 0:
		w.fail(errThrift)
	default:
		w.at += n
	}
	return v
}

// size reads a length of at most what 32 bits hold.
func (w *thriftWalk) size() uint64 {
	n := w.varint()
	if n > math.MaxInt32 {
		w.fail(errThrift)
	}
	return n
}

// Types of the compact protocol.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

func (w *thriftWalk) structure(depth int) {
	if depth > maxThriftDepth {
		w.fail(errThrift)
	}
	for w.err == nil {
		head := w.byte()
		if head&0x0f == thriftStop {
			return
		}
		if head>>4 == 0 {
			w.varint() // the number of the field
		}
		if t := head & 0x0f; t != thriftTrue && t != thriftFalse {
			w.value(t, depth)
		}
	}
}

func (w *thriftWalk) value(t byte, depth int) {
	switch t {
	case thriftTrue, thriftFalse, thriftByte:
		w.pass(1)
	case 4, 5, 6:
		w.varint()
	case thriftDouble:
		w.pass(8)
	case thriftBinary:
		w.pass(w.size())
	case thriftList, thriftSet:
		head := w.byte()
		n := uint64(head >> 4)
		if n == 15 {
			n = w.size()
		}
		w.values(n, head&0x0f, depth)
	case thriftMap:
		if n := w.size(); n > 0 {
			types := w.byte()
			if n > uint64(len(w.b)-w.at) {
				w.fail(errThriftShort)
			}
			for ; n > 0 && w.err == nil; n-- {
				w.value(types>>4, depth+1)
				w.value(types&0x0f, depth+1)
			}
		}
	case thriftStruct:
		w.structure(depth + 1)
	default:
		w.fail(errThrift)
	}
}

func (w *thriftWalk) values(n uint64, t byte, depth int) {
	if n > uint64(len(w.b)-w.at) { // each has a byte at least
		w.fail(errThriftShort)
	}
	if depth > maxThriftDepth {
		w.fail(errThrift)
	}
	for ; n > 0 && w.err == nil; n-- {
		w.value(t, depth+1)
	}
}
