package codec

import (
	"reflect"
	"unsafe"
)

// Codec writes and reads values of T canonically: equal values give equal bytes, in every process
// and on every machine (S9, S11). It is immutable and safe for concurrent use.
type Codec[T any] struct {
	n  *node
	id string
}

// Append writes *v to the end of dst and returns the extended slice; it keeps neither. It allocates
// only what dst has to grow, apart from maps and types with their own marshalling.
//
// It panics with an [*EncodeError] for what has no encoding: a value nested deeper than 10,000
// levels (a cycle of pointers, most often), or one whose own marshalling fails.
//
// v escapes, as Go's compiler sees it: the address of an element of a slice, or of a variable that
// is used again and again, costs nothing; that of a fresh local variable is an allocation.
func (c *Codec[T]) Append(dst []byte, v *T) []byte { return c.n.append(dst, unsafe.Pointer(v), 0) }

// Decode reads one value from the start of src and returns what follows it. The value owns its
// memory: nothing of src is kept. What *v held before is overwritten; after an error it is in part.
//
// src may be hostile. Whatever is not exactly what Append writes is a [*DecodeError] (a longer form
// of a number, map keys out of order, a NaN that a key codec would have written otherwise, ...).
// Decode does not panic, and it allocates no more than the value's own size for every element that
// src has bytes for: a length that src does not bear out allocates nothing.
func (c *Codec[T]) Decode(src []byte, v *T) (rest []byte, err error) {
	rest, err = c.n.decode(src, unsafe.Pointer(v), 0)
	if err != nil {
		return src, err
	}
	return rest, nil
}

// ID spells out the shape of the encoding, as in struct{sensor:string,at:time}. It is the same in
// every process and changes whenever the encoding would: a field that was added, renamed, moved or
// given a type of another shape. A mere renaming of types does not show. In a recursive type, ^n
// stands for the shape n levels further out.
func (c *Codec[T]) ID() string { return c.id }

// For derives the codec of a value type. It accepts booleans, numbers, strings, time.Time, arrays,
// slices, maps, pointers and structs of these, named or not, recursive ones too. A struct with its
// own marshalling (BinaryMarshaler and BinaryUnmarshaler, or else the text pair) is written by it.
//
// Refused are interfaces, channels, functions and addresses, structs with unexported fields and no
// marshalling, and maps with keys that [ForKey] would refuse, or with time.Time as key (one instant
// may be in such a map twice). The error joins one [*TypeError] for each place.
func For[T any]() (*Codec[T], error) { return derive[T](asValue) }

// ForKey derives the codec of a key type: two keys are the same key if their encodings are equal
// (S7.4). That is what == says, except that NaN equals NaN and that a time.Time is its instant,
// whatever its zone. A type whose == looks at addresses (pointers, interfaces, channels) is refused.
func ForKey[T comparable]() (*Codec[T], error) { return derive[T](asKey) }

func derive[T any](r role) (*Codec[T], error) {
	t := reflect.TypeFor[T]()
	b := builder{root: t, nodes: map[nodeKey]*node{}}
	n := b.node(t, r, "")
	if err := b.err(); err != nil {
		return nil, err
	}
	id, ok := n.id()
	if !ok {
		b.refuse(t, "", "its shape takes more than 64 KiB to spell out", "break it into smaller types")
		return nil, b.err()
	}
	return &Codec[T]{n: n, id: id}, nil
}
