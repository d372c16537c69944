package codec

import (
	"strconv"
	"strings"
	"unsafe"
)

// maxDepth bounds the levels of pointers, slices and maps in one value.
const maxDepth = 10_000

// node is the codec of one type within another: a pair of closures over offsets, and its shape.
type node struct {
	// append writes the value at p; decode reads it to p. depth counts the levels above.
	append func(dst []byte, p unsafe.Pointer, depth int) []byte
	decode func(src []byte, p unsafe.Pointer, depth int) (rest []byte, err error)

	// min is the least number of bytes of an encoding. It is what bounds a length in hostile
	// input. While the node of a recursive type is being built it is 1: recursion leads through
	// a pointer, a slice or a map, which take a byte at least.
	min int

	// claims says that decoding takes memory before the bytes that justify it have been read, as
	// slices, maps and pointers do. Whoever decodes such a node holds back the bytes that what
	// follows it needs at least, so that no byte of input justifies memory twice: without that,
	// slices within slices could each claim the whole rest. True while the node is being built.
	claims bool

	// The shape: open, then each part after its label, then close.
	open, close string
	parts       []part
}

type part struct {
	label string
	*node
}

// decodeBefore decodes what at least back more bytes must follow, and keeps them out of its sight.
func (n *node) decodeBefore(back int, src []byte, p unsafe.Pointer, depth int) ([]byte, error) {
	if !n.claims {
		return n.decode(src, p, depth)
	}
	if back > len(src) {
		return nil, short()
	}
	seen := src[:len(src)-back]
	rest, err := n.decode(seen, p, depth)
	if err != nil {
		return nil, err
	}
	return src[len(seen)-len(rest):], nil
}

// id spells the shape; ok is false if that takes more than 64 KiB.
func (n *node) id() (id string, ok bool) {
	const most = 64 << 10
	var b strings.Builder
	var stack []*node
	var spell func(n *node)
	spell = func(n *node) {
		if b.Len() > most {
			return
		}
		for i, outer := range stack {
			if outer == n {
				b.WriteString("^" + strconv.Itoa(len(stack)-i))
				return
			}
		}
		stack = append(stack, n)
		b.WriteString(n.open)
		for _, p := range n.parts {
			b.WriteString(p.label)
			spell(p.node)
		}
		b.WriteString(n.close)
		stack = stack[:len(stack)-1]
	}
	spell(n)
	return b.String(), b.Len() <= most
}
