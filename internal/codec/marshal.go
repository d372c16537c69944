package codec

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// marshalling is how a type writes itself.
type marshalling uint8

const (
	none marshalling = iota
	binaryForm
	textForm
)

var (
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryAppender    = reflect.TypeFor[encoding.BinaryAppender]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textAppender      = reflect.TypeFor[encoding.TextAppender]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// marshallingOf gives the form in which a struct type writes and reads itself. The methods of an
// embedded field do not count, although Go promotes them: struct{ time.Time; Name string } would be
// written without its name. (A method that the struct declares over an embedded one cannot be told
// from a promoted one and does not count either.)
func marshallingOf(t reflect.Type) marshalling {
	p := reflect.PointerTo(t)
	both := func(un reflect.Type, ms ...reflect.Type) bool {
		if !p.Implements(un) || promoted(t, un) {
			return false
		}
		for _, m := range ms {
			if p.Implements(m) && !promoted(t, m) {
				return true
			}
		}
		return false
	}
	switch {
	case both(binaryUnmarshaler, binaryAppender, binaryMarshaler):
		return binaryForm
	case both(textUnmarshaler, textAppender, textMarshaler):
		return textForm
	}
	return none
}

// promoted reports whether an embedded field of t has the method of an interface.
func promoted(t, method reflect.Type) bool {
	for f := range t.Fields() {
		if f.Anonymous && (f.Type.Implements(method) || reflect.PointerTo(f.Type).Implements(method)) {
			return true
		}
	}
	return false
}

// customNode serves structs that marshal themselves. A strict one takes only the bytes that the
// value, once read, would be written as.
func customNode(n *node, t reflect.Type, strict bool) {
	form := marshallingOf(t)
	n.claims = false
	n.open = "binary:"
	if form == textForm {
		n.open = "text:"
	}
	if n.open += t.String(); t.PkgPath() != "" {
		n.open = n.open[:len(n.open)-len(t.String())] + t.PkgPath() + "." + t.Name()
	}
	write := func(dst []byte, p unsafe.Pointer) ([]byte, error) {
		v := reflect.NewAt(t, p).Interface()
		if form == textForm {
			if a, ok := v.(encoding.TextAppender); ok {
				return a.AppendText(dst)
			}
			b, err := v.(encoding.TextMarshaler).MarshalText()
			return append(dst, b...), err
		}
		if a, ok := v.(encoding.BinaryAppender); ok {
			return a.AppendBinary(dst)
		}
		b, err := v.(encoding.BinaryMarshaler).MarshalBinary()
		return append(dst, b...), err
	}
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		at := len(dst)
		dst, err := write(append(dst, 0), p)
		if err == nil && len(dst) <= at {
			err = fmt.Errorf("it cut off what had been written before it")
		}
		if err != nil {
			panic(&EncodeError{Type: t.String(), Why: "its own marshalling failed", Err: err})
		}
		return prefixLength(dst, at)
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		l, rest, err := length(src, 1)
		if err != nil {
			return nil, err
		}
		b := rest[:l:l]
		reflect.NewAt(t, p).Elem().SetZero()
		if err := unmarshal(t, p, form, b); err != nil {
			return nil, &DecodeError{Why: "a " + t.String() + " refused its bytes", Err: err}
		}
		if strict {
			if again, err := write(nil, p); err != nil || !bytes.Equal(again, b) {
				return nil, corrupt("a %s in another form than it is written in", t)
			}
		}
		return rest[l:], nil
	}
}

// unmarshal lets a type read itself. A panic in it is an error: the bytes may be hostile, and the
// type may not have expected that.
func unmarshal(t reflect.Type, p unsafe.Pointer, form marshalling, b []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %v", r)
		}
	}()
	v := reflect.NewAt(t, p).Interface()
	if form == textForm {
		return v.(encoding.TextUnmarshaler).UnmarshalText(b)
	}
	return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
}

// prefixLength turns the byte kept free at dst[at] into the length of what follows it.
func prefixLength(dst []byte, at int) []byte {
	l := uint64(len(dst) - at - 1)
	if l < 0x80 {
		dst[at] = byte(l)
		return dst
	}
	var head [binary.MaxVarintLen64]byte
	w := binary.PutUvarint(head[:], l)
	dst = append(dst, head[1:w]...) // makes room; the bytes are set below
	copy(dst[at+w:], dst[at+1:len(dst)-w+1])
	copy(dst[at:], head[:w])
	return dst
}
