package codec

import (
	"encoding/binary"
	"reflect"
	"strconv"
	"unsafe"
)

// field is one field of a struct.
type field struct {
	*node
	off   uintptr
	after int    // the least bytes of the fields after it
	step  string // for the path in errors
}

func structNode(n *node, fields []field) {
	n.min, n.claims = 0, false
	for i := len(fields) - 1; i >= 0; i-- {
		fields[i].after = n.min
		n.min += fields[i].min
		n.claims = n.claims || fields[i].claims
	}
	n.append = func(dst []byte, p unsafe.Pointer, depth int) []byte {
		for i := range fields {
			f := &fields[i]
			dst = f.append(dst, unsafe.Add(p, f.off), depth)
		}
		return dst
	}
	n.decode = func(src []byte, p unsafe.Pointer, depth int) (_ []byte, err error) {
		for i := range fields {
			f := &fields[i]
			if src, err = f.decodeBefore(f.after, src, unsafe.Add(p, f.off), depth); err != nil {
				return nil, within(f.step, err)
			}
		}
		return src, nil
	}
}

// arrayNode serves arrays; bytes says that the elements are uint8, which are copied whole.
func arrayNode(n *node, elem *node, count int, size uintptr, bytes bool) {
	n.open = "[" + strconv.Itoa(count) + "]"
	n.parts = []part{{"", elem}}
	n.min, n.claims = count*elem.min, elem.claims
	if elem.min == 0 {
		count = 0 // its elements take no bytes
	}
	if bytes {
		n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
			return append(dst, unsafe.Slice((*byte)(p), count)...)
		}
		n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
			if len(src) < count {
				return nil, short()
			}
			copy(unsafe.Slice((*byte)(p), count), src)
			return src[count:], nil
		}
		return
	}
	n.append = func(dst []byte, p unsafe.Pointer, depth int) []byte {
		for i := range count {
			dst = elem.append(dst, unsafe.Add(p, uintptr(i)*size), depth)
		}
		return dst
	}
	n.decode = func(src []byte, p unsafe.Pointer, depth int) (_ []byte, err error) {
		for i := range count {
			if src, err = elem.decodeBefore((count-1-i)*elem.min, src, unsafe.Add(p, uintptr(i)*size), depth); err != nil {
				return nil, within("["+strconv.Itoa(i)+"]", err)
			}
		}
		return src, nil
	}
}

// bytesNode serves slices of uint8.
func bytesNode(n *node, elem *node) {
	n.claims = false
	n.open = "[]"
	n.parts = []part{{"", elem}}
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		s := *(*[]byte)(p)
		if s == nil {
			return append(dst, 0)
		}
		return append(binary.AppendUvarint(dst, uint64(len(s))+1), s...)
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		l, rest, err := lengthOrNil(src, 1)
		if err != nil {
			return nil, err
		}
		if l < 0 {
			*(*[]byte)(p) = nil
			return rest, nil
		}
		s := make([]byte, l)
		copy(s, rest)
		*(*[]byte)(p) = s
		return rest[l:], nil
	}
}

// lengthOrNil reads what is 0 for nil and one more than the length otherwise; nil gives -1.
func lengthOrNil(src []byte, min int) (n int, rest []byte, err error) {
	x, rest, err := uvarint(src)
	if err != nil || x == 0 {
		return -1, rest, err
	}
	if x-1 > uint64(len(rest)/min) {
		return 0, nil, corrupt("a length of %d with %d bytes left", x-1, len(rest))
	}
	return int(x - 1), rest, nil
}

// filled gives an element at least one byte: a zero stands for a value that takes none. Without it a
// few bytes could promise any number of elements.
func filled(elem *node) *node {
	if elem.min > 0 {
		return elem
	}
	n := *elem
	n.min = 1
	n.append = func(dst []byte, _ unsafe.Pointer, _ int) []byte { return append(dst, 0) }
	n.decode = func(src []byte, _ unsafe.Pointer, _ int) ([]byte, error) {
		if len(src) == 0 {
			return nil, short()
		}
		if src[0] != 0 {
			return nil, corrupt("an element without content is %d, not 0", src[0])
		}
		return src[1:], nil
	}
	return &n
}

func sliceNode(n *node, elem *node, t reflect.Type) {
	n.open = "[]"
	n.parts = []part{{"", elem}}
	elem = filled(elem)
	size := t.Elem().Size()
	name := t.String()
	n.append = func(dst []byte, p unsafe.Pointer, depth int) []byte {
		s := *(*[]byte)(p) // of the three words of any slice, the pointer and the length are used
		base := unsafe.Pointer(unsafe.SliceData(s))
		if base == nil {
			return append(dst, 0)
		}
		depth = deeper(depth, name)
		dst = binary.AppendUvarint(dst, uint64(len(s))+1)
		for i := range len(s) {
			dst = elem.append(dst, unsafe.Add(base, uintptr(i)*size), depth)
		}
		return dst
	}
	n.decode = func(src []byte, p unsafe.Pointer, depth int) ([]byte, error) {
		l, src, err := lengthOrNil(src, elem.min)
		if err != nil {
			return nil, err
		}
		if depth++; depth > maxDepth {
			return nil, corrupt(tooDeep)
		}
		v := reflect.NewAt(t, p).Elem()
		v.SetZero()
		if l < 0 {
			return src, nil
		}
		if l == 0 {
			v.Set(reflect.MakeSlice(t, 0, 0))
			return src, nil
		}
		v.Grow(l)
		v.SetLen(l)
		base := v.UnsafePointer()
		for i := range l {
			if src, err = elem.decodeBefore((l-1-i)*elem.min, src, unsafe.Add(base, uintptr(i)*size), depth); err != nil {
				return nil, within("["+strconv.Itoa(i)+"]", err)
			}
		}
		return src, nil
	}
}

// deeper counts a level while encoding.
func deeper(depth int, typ string) int {
	if depth >= maxDepth {
		panic(&EncodeError{Type: typ, Why: tooDeep + ": a cycle of pointers, or a long list linked by pointers; keep lists in slices"})
	}
	return depth + 1
}

func pointerNode(n *node, elem *node, t reflect.Type) {
	n.open = "*"
	n.parts = []part{{"", elem}}
	name := t.String()
	n.append = func(dst []byte, p unsafe.Pointer, depth int) []byte {
		q := *(*unsafe.Pointer)(p)
		if q == nil {
			return append(dst, 0)
		}
		return elem.append(append(dst, 1), q, deeper(depth, name))
	}
	n.decode = func(src []byte, p unsafe.Pointer, depth int) ([]byte, error) {
		if len(src) == 0 {
			return nil, short()
		}
		switch src[0] {
		case 0:
			*(*unsafe.Pointer)(p) = nil
			return src[1:], nil
		case 1:
			if depth++; depth > maxDepth {
				return nil, corrupt(tooDeep)
			}
			if elem.min > len(src)-1 {
				return nil, short()
			}
			q := reflect.New(t).UnsafePointer()
			*(*unsafe.Pointer)(p) = q
			return elem.decode(src[1:], q, depth)
		}
		return nil, corrupt("a pointer's mark is %d, not 0 or 1", src[0])
	}
}
