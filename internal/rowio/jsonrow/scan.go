package jsonrow

import (
	"encoding/binary"
	"encoding/json/jsontext"
	"math/bits"
	"unicode/utf8"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/instant"
	"github.com/strandline-stream/strandline/internal/rowio/slab"
)

// Decoder makes rows of lines. It is used by one goroutine at a time.
//
// Its methods take a position in the line and give the one behind what they read, less than 0
// if there is no such thing: then err says why, or the line is no JSON.
type Decoder struct {
	root      *object
	timed     bool
	timeField string
	times     *instant.Parser // of event times
	plain     *instant.Parser // of RFC 3339
	loose     bool
	hint      string
	seen      func([]byte)

	buf    []byte // the line, and pad bytes more
	n      int    // of the line
	own    []byte // memory of buf, where the line's own has no bytes behind it
	level  int
	learnt int    // places of objects
	stamp  uint64 // of the last object
	at     int64
	err    error

	rows    slab.Rows
	strings slab.Text
	stack   []record.Value // elements of arrays and objects that are being read
	keys    []string       // likewise
	scratch []byte
}

// pad is how many bytes behind the line may be looked at. What they are does not matter.
const pad = 16

const (
	ones    = 0x0101010101010101
	tops    = 0x8080808080808080
	quotes  = '"' * ones
	slashes = '\\' * ones
	bits26  = 0x26 * ones
	bits7f  = 0x7f * ones
)

// zeros marks the bytes of w that are 0, by their top bits. Above the first it may be wrong.
func zeros(w uint64) uint64 { return (w - ones) &^ w & tops }

// Lend lends the rows of lines: each call of back gives back all that were made.
func (d *Decoder) Lend() (back func()) { return d.rows.Lend() }

// Decode reads a line into a row of its own memory. It gives the event time in microseconds
// since 1970 if one is asked for. It keeps nothing of the line. Blank says that there is
// nothing but blanks.
func (d *Decoder) Decode(line []byte) (row record.Row, at int64, blank bool, err error) {
	if cap(line)-len(line) >= pad {
		d.buf = line[:len(line)+pad]
	} else {
		d.own = append(append(d.own[:0], line...), make([]byte, pad)...)
		d.buf = d.own
	}
	d.n, d.level, d.err = len(line), 0, nil
	row = d.rows.Next()
	i := 0
	if d.n == 0 || d.buf[0] <= ' ' {
		if i = d.blank(0); i == d.n {
			return nil, 0, true, nil
		}
	}
	if d.buf[i] != '{' {
		i = -1
	} else {
		i = d.object(i, d.root, row)
	}
	if i >= 0 && i < d.n {
		i = d.blank(i)
	}
	if i != d.n {
		clear(row)
		if d.err == nil {
			d.err = explain(line)
		}
		return nil, 0, false, d.err
	}
	d.rows.Take()
	return row, d.at, false, nil
}

// SeenEnough ends the calls of Seen.
func (d *Decoder) SeenEnough() { d.seen = nil }

// Sample reads a whole line, whatever it is, as values that know their types.
func (d *Decoder) Sample(line []byte) (v record.Value, blank bool, err error) {
	d.own = append(append(d.own[:0], line...), make([]byte, pad)...)
	d.buf, d.n, d.level, d.err = d.own, len(line), 0, nil
	i := d.blank(0)
	if i == d.n {
		return v, true, nil
	}
	v, i = d.any(i, &anything)
	if i >= 0 {
		i = d.blank(i)
	}
	if i != d.n {
		if d.err == nil {
			d.err = explain(line)
		}
		return v, false, d.err
	}
	return v, false, nil
}

var anything = field{path: "", kind: record.Any, typ: record.Type{Kind: record.Any, Nullable: true}, null: true}

// object reads the object that begins at i.
func (d *Decoder) object(i int, o *object, to []record.Value) int {
	if d.level == MaxDepth {
		return d.deep()
	}
	d.level++
	d.stamp++
	stamp, musts := d.stamp, o.musts
	p, end := unsafe.Pointer(unsafe.SliceData(d.buf)), d.n // i is at most end: what is looked at is in buf
	i++
	if at := d.blank(i); at < end && byteAt(p, at) == '}' {
		return d.leave(at, o, stamp, musts)
	}
	expected := o.expect
	for place := 0; ; place++ {
		// Here i is where a key, or blanks before it, should be.
		var closed bool
		if i, place, closed = pass(p, i, end, expected, place, MaxDepth-d.level); closed {
			return d.leave(i-1, o, stamp, musts)
		}
		if i >= end {
			return -1
		}
		n := int32(-1)
		if place < len(expected) && expected[place].is(d.buf, p, i) {
			e := &expected[place]
			n = e.field
			i += e.n
		} else {
			if n, i = d.key(i, o, place); i < 0 {
				return -1
			}
			expected = o.expect
		}
		c := byteAt(p, i)
		if c <= ' ' {
			i = d.blank(i)
			c = byteAt(p, i)
		}
		if i >= end {
			return -1
		}
		switch {
		case n >= 0:
			f := &o.fields[n]
			if f.stamp == stamp {
				return d.fail(ErrDuplicateKey, "key %q is given twice", f.path)
			}
			f.stamp = stamp
			if f.must {
				musts--
			}
			from := i
			if i = d.field(i, f, to); place < len(expected) { // see pass
				if e := &expected[place]; i == from+e.length {
					i = from + e.length
				} else {
					e.length = i - from
				}
			}
		case c == '{' && place < len(expected) && expected[place].misses < maxMisses:
			// An object of no use is read like others, so that it is known what to expect of it.
			e := &expected[place]
			if e.inner == nil {
				e.inner = &object{}
			}
			i = d.object(i, e.inner, nil)
		default:
			i = d.skip(i)
		}
		if i < 0 {
			return -1
		}
		if c = byteAt(p, i); c <= ' ' {
			i = d.blank(i)
			c = byteAt(p, i)
		}
		switch {
		case i >= end:
			return -1
		case c == ',':
			i++
		case c == '}':
			return d.leave(i, o, stamp, musts)
		default:
			return -1
		}
	}
}

// leave ends the object that ends at i.
func (d *Decoder) leave(i int, o *object, stamp uint64, musts int) int {
	d.level--
	if musts > 0 {
		return d.absent(o, stamp)
	}
	return i + 1
}

// byteAt and word give what stands at p[i], which is in memory for sure: positions are at
// most the line's length, and pad bytes are behind it.
func byteAt(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

func word(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

// is says whether the expected key stands at i.
func (e *expect) is(b []byte, p unsafe.Pointer, i int) bool {
	if (word(p, i)^e.lo)&e.loMask|(word(p, i+8)^e.hi)&e.hiMask != 0 {
		return false
	}
	return e.rest == "" || len(b)-i > e.n && string(b[i+16:i+e.n]) == e.rest
}

// key reads the key at i and what is around it, up to its value, and remembers how all that was
// written at this place.
func (d *Decoder) key(i int, o *object, place int) (n int32, after int) {
	from := i
	start := d.blank(i)
	raw, i := d.text(start)
	if i < 0 {
		return -1, -1
	}
	n = o.find(raw)
	escaped := i-start != len(raw)+2
	if i = d.blank(i); i >= d.n || d.buf[i] != ':' {
		return -1, -1
	}
	i = d.blank(i + 1)
	if !escaped && place <= len(o.expect) && place < maxExpect && i-from <= maxKey && i < d.n {
		e := expect{n: i - from, field: n}
		if place < len(o.expect) {
			if e.misses = o.expect[place].misses + 1; e.misses > maxMisses {
				return n, i
			}
		} else if d.learnt++; d.learnt > maxLearnt {
			return n, i
		}
		var first [16]byte
		m := copy(first[:], d.buf[from:i])
		e.lo, e.hi = binary.LittleEndian.Uint64(first[:]), binary.LittleEndian.Uint64(first[8:])
		e.loMask = ^uint64(0) >> (8 * max(0, 8-m))
		e.hiMask = ^uint64(0) >> (8 * min(8, 16-m))
		if e.n > 16 {
			e.rest = string(d.buf[from+16 : i])
		}
		if place == len(o.expect) {
			o.expect = append(o.expect, e)
		} else {
			o.expect[place] = e
		}
	}
	return n, i
}

func (d *Decoder) deep() int {
	return d.fail(ErrTooDeep, "nested deeper than %d levels", MaxDepth)
}

// absent says which field is missing that must be there.
func (d *Decoder) absent(o *object, stamp uint64) int {
	for i := range o.fields {
		if f := &o.fields[i]; f.must && f.stamp != stamp {
			for f.slot < 0 && !f.time && f.within != nil { // name what it is asked for
				for j := range f.within.fields {
					if g := &f.within.fields[j]; g.must {
						f = g
						break
					}
				}
			}
			return d.missing(f, false)
		}
	}
	return -1
}

// blank passes over blanks.
func (d *Decoder) blank(i int) int {
	for i < d.n && (d.buf[i] == ' ' || d.buf[i] == '\t' || d.buf[i] == '\r' || d.buf[i] == '\n') {
		i++
	}
	return i
}

// text gives the text of the string that begins at i, valid until the next call.
func (d *Decoder) text(i int) (text []byte, end int) {
	b, p := d.buf, unsafe.Pointer(unsafe.SliceData(d.buf))
	if i >= d.n || b[i] != '"' {
		return nil, -1
	}
	i++
	from := i
	all := uint64(0)
	for {
		w := word(p, i)
		marks := (zeros(w^quotes) | zeros(w^slashes) | (w-' '*ones)&^w) & tops
		if marks == 0 {
			all |= w
			if i += 8; i >= d.n {
				return nil, -1
			}
			continue
		}
		n := bits.TrailingZeros64(marks) / 8
		all |= w & (1<<(8*n) - 1)
		if i += n; i >= d.n {
			return nil, -1
		}
		switch {
		case b[i] == '"' && all&tops == 0:
			return b[from:i], i + 1
		case b[i] < ' ':
			return nil, -1
		}
		if b[i] == '"' {
			if !utf8.Valid(b[from:i]) {
				return nil, -1
			}
			return b[from:i], i + 1
		}
		if end = d.skipText(from - 1); end < 0 {
			return nil, -1
		}
		var err error
		if d.scratch, err = jsontext.AppendUnquote(d.scratch[:0], b[from-1:end]); err != nil {
			return nil, -1
		}
		return d.scratch, end
	}
}
