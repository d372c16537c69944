package jsonrow

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/number"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/instant"
)

// field reads the value of a field that begins at i, which is in the line.
func (d *Decoder) field(i int, f *field, to []record.Value) int {
	from := i
	if f.within != nil {
		if i = d.inside(i, f, to); i < 0 || f.slot < 0 && !f.time {
			return i
		}
	}
	if f.time {
		at, end := d.instant(from)
		if end < 0 {
			if at, end = d.timestamp(from, f, d.times, true); end < 0 {
				return -1
			}
		}
		if d.at = at; f.slot < 0 {
			return end
		}
		if f.kind == record.Time {
			to[f.slot] = record.OfTime(at)
			return end
		}
	}
	v, end := d.value(from, f)
	if end >= 0 {
		to[f.slot] = v
	}
	return end
}

// inside reads fields of the object that begins at i.
func (d *Decoder) inside(i int, f *field, to []record.Value) int {
	switch d.buf[i] {
	case '{':
		return d.object(i, f.within, to)
	case 'n':
		if !f.null {
			return d.missing(f, true)
		}
		return d.literal(i)
	}
	end := d.skip(i)
	if end < 0 {
		return -1
	}
	return d.fail(ErrType, "field %q is %s, and no object", f.path, describe(d.buf[i:end]))
}

// value reads a value of the field's type.
func (d *Decoder) value(i int, f *field) (v record.Value, end int) {
	if i >= d.n {
		return v, -1
	}
	c := d.buf[i]
	switch f.kind {
	case record.String:
		if c == '"' {
			text, end := d.text(i)
			if end < 0 {
				return v, -1
			}
			return record.OfString(d.strings.Keep(text)), end
		}
	case record.Float:
		if c == '-' || '0' <= c && c <= '9' {
			return d.float(i, f)
		}
	case record.Int:
		if c == '-' || '0' <= c && c <= '9' {
			return d.integer(i, f)
		}
	case record.Bool:
		if c == 't' || c == 'f' {
			return record.OfBool(c == 't'), d.literal(i)
		}
	case record.Time:
		if c != 'n' {
			at, end := d.timestamp(i, f, d.plain, false)
			return record.OfTime(at), end
		}
	case record.List:
		if c == '[' {
			return d.list(i, f)
		}
	case record.Struct:
		if c == '{' {
			return d.structure(i, f)
		}
	case record.Any:
		return d.any(i, f)
	case record.Bytes:
		if c == 'n' {
			break
		}
		return v, d.fail(ErrType, "field %q: JSON has no bytes: declare it string", f.path)
	}
	if c == 'n' {
		if end = d.literal(i); end >= 0 && !f.null {
			return v, d.missing(f, true)
		}
		return v, end
	}
	return v, d.mismatch(i, f)
}

// instant reads an event time that is a few digits, and nothing else.
func (d *Decoder) instant(i int) (at int64, end int) {
	if d.times.Unit == 0 || d.seen != nil {
		return 0, -1
	}
	m, end := d.whole(unsafe.Pointer(unsafe.SliceData(d.buf)), i)
	if m > math.MaxInt64/1_000_000 {
		return 0, -1
	}
	return m * d.times.Unit, end
}

// timestamp reads an instant.
func (d *Decoder) timestamp(i int, f *field, times *instant.Parser, event bool) (at int64, end int) {
	if d.seen == nil {
		if at, n := times.Quoted(d.buf[i:]); n > 0 && i+n <= d.n {
			return at, i + n
		}
	}
	var text []byte
	switch c := d.buf[i]; {
	case c == '"':
		if text, end = d.text(i); end < 0 {
			return 0, -1
		}
		if times.Number {
			return 0, d.fail(ErrTime, "event time %q is text, %s, declared as a number of %s", d.timeField, shorten(string(d.buf[i:end])), times.Layout)
		}
	case c == '-' || '0' <= c && c <= '9':
		if end = d.number(i); end < 0 {
			return 0, -1
		}
		if text = d.buf[i:end]; !times.Number {
			if !event {
				return 0, d.mismatch(i, f)
			}
			return 0, d.fail(ErrTime, "event time %q is the number %s, declared as text: %s", d.timeField, shorten(string(text)), times.Layout)
		}
	case c == 'n' && event:
		if end = d.literal(i); end < 0 {
			return 0, -1
		}
		return 0, d.fail(ErrMissing, "event time %q is null", d.timeField)
	case event:
		if end = d.skip(i); end < 0 {
			return 0, -1
		}
		return 0, d.fail(ErrTime, "event time %q is %s, and no %s", d.timeField, describe(d.buf[i:end]), times.Layout)
	default:
		return 0, d.mismatch(i, f)
	}
	if event && d.seen != nil {
		d.seen(text)
	}
	at, err := times.Micros(text)
	if err != nil {
		what := "field"
		if event {
			what = "event time"
		}
		d.err = fmt.Errorf("%w: %s %q: %w", ErrTime, what, f.path, err)
		return 0, -1
	}
	return at, end
}

// list reads the array that begins at i.
func (d *Decoder) list(i int, f *field) (v record.Value, end int) {
	if d.level == MaxDepth {
		return v, d.deep()
	}
	elem := f.elem
	if elem == nil {
		elem = &anything
	}
	d.level++
	bottom := len(d.stack)
	i = d.elements(i+1, elem)
	d.level--
	if i >= 0 {
		v = record.OfList(slices.Clone(d.stack[bottom:]))
	}
	clear(d.stack[bottom:])
	d.stack = d.stack[:bottom]
	return v, i
}

// elements puts the elements of an array on the stack.
func (d *Decoder) elements(i int, elem *field) int {
	if i = d.blank(i); i < d.n && d.buf[i] == ']' {
		return i + 1
	}
	for {
		v, end := d.value(i, elem)
		if end < 0 {
			return -1
		}
		d.stack = append(d.stack, v)
		if i = d.blank(end); i >= d.n {
			return -1
		}
		switch d.buf[i] {
		case ',':
			i = d.blank(i + 1)
		case ']':
			return i + 1
		default:
			return -1
		}
	}
}

// structure reads the object that begins at i into the fields that the schema names.
func (d *Decoder) structure(i int, f *field) (v record.Value, end int) {
	if f.fields == nil {
		return d.any(i, f)
	}
	vs := make([]record.Value, len(f.names))
	if end = d.object(i, f.fields, vs); end < 0 {
		return v, -1
	}
	return record.OfStruct(f.names, vs), end
}

// any reads a value of whatever type it is of.
func (d *Decoder) any(i int, f *field) (v record.Value, end int) {
	if i >= d.n {
		return v, -1
	}
	switch c := d.buf[i]; {
	case c == '"':
		text, end := d.text(i)
		if end < 0 {
			return v, -1
		}
		return record.OfString(d.strings.Keep(text)), end
	case c == '-' || '0' <= c && c <= '9':
		end := d.number(i)
		if end < 0 {
			return v, -1
		}
		return d.anyNumber(i, end, f)
	case c == 't' || c == 'f':
		return record.OfBool(c == 't'), d.literal(i)
	case c == '[':
		return d.list(i, &anything)
	case c == '{':
		return d.anyObject(i, f)
	}
	return v, d.literal(i)
}

func (d *Decoder) anyNumber(i, end int, f *field) (v record.Value, _ int) {
	text := d.buf[i:end]
	if !slices.ContainsFunc(text, func(c byte) bool { return c == '.' || c|0x20 == 'e' }) {
		if n, err := number.Int(text, 64); err == nil {
			return record.OfInt(n), end
		}
	}
	x, err := number.Float(text, 64)
	if err != nil {
		return v, d.unfit(i, end, f, err)
	}
	return record.OfFloat(x), end
}

// anyObject reads the object that begins at i with all of its fields.
func (d *Decoder) anyObject(i int, f *field) (v record.Value, end int) {
	if d.level == MaxDepth {
		return v, d.deep()
	}
	d.level++
	bottom, first := len(d.stack), len(d.keys)
	i = d.entries(i+1, f, first)
	d.level--
	if i >= 0 {
		v = record.OfStruct(slices.Clone(d.keys[first:]), slices.Clone(d.stack[bottom:]))
	}
	clear(d.stack[bottom:])
	clear(d.keys[first:])
	d.stack, d.keys = d.stack[:bottom], d.keys[:first]
	return v, i
}

// entries puts the keys and values of an object on the stacks.
func (d *Decoder) entries(i int, f *field, first int) int {
	if i = d.blank(i); i < d.n && d.buf[i] == '}' {
		return i + 1
	}
	var many map[string]bool // nil for few keys
	for {
		text, end := d.text(i)
		if end < 0 {
			return -1
		}
		key := d.strings.Keep(text)
		if i = d.blank(end); i >= d.n || d.buf[i] != ':' {
			return -1
		}
		if many == nil && len(d.keys)-first == 4*fewKeys {
			many = map[string]bool{}
			for _, k := range d.keys[first:] {
				many[k] = true
			}
		}
		if many[key] || many == nil && slices.Contains(d.keys[first:], key) {
			return d.fail(ErrDuplicateKey, "key %q is given twice", shorten(key))
		}
		if many != nil {
			many[key] = true
		}
		d.keys = append(d.keys, key)
		v, end := d.any(d.blank(i+1), f)
		if end < 0 {
			return -1
		}
		d.stack = append(d.stack, v)
		if i = d.blank(end); i >= d.n {
			return -1
		}
		switch d.buf[i] {
		case ',':
			i = d.blank(i + 1)
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}
