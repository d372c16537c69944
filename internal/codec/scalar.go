package codec

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"
	"unsafe"
)

// uvarint reads a LEB128 number and takes no longer form than the shortest.
func uvarint(src []byte) (x uint64, rest []byte, err error) {
	if len(src) > 0 && src[0] < 0x80 {
		return uint64(src[0]), src[1:], nil
	}
	x, n := binary.Uvarint(src)
	switch {
	case n == 0:
		return 0, nil, short()
	case n < 0:
		return 0, nil, corrupt("a number of more than 64 bits")
	case src[n-1] == 0:
		return 0, nil, corrupt("a number in a longer form than needed")
	}
	return x, src[n:], nil
}

func zigzag(x int64) uint64   { return uint64(x)<<1 ^ uint64(x>>63) }
func unzigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

func varint(src []byte) (x int64, rest []byte, err error) {
	u, rest, err := uvarint(src)
	return unzigzag(u), rest, err
}

func boolNode(n *node) {
	n.open = "bool"
	n.claims = false
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		if *(*bool)(p) {
			return append(dst, 1)
		}
		return append(dst, 0)
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		if len(src) == 0 {
			return nil, short()
		}
		if src[0] > 1 {
			return nil, corrupt("a bool of %d", src[0])
		}
		*(*bool)(p) = src[0] == 1
		return src[1:], nil
	}
}

// byteNode serves int8 and uint8.
func byteNode(n *node) {
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte { return append(dst, *(*byte)(p)) }
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		if len(src) == 0 {
			return nil, short()
		}
		*(*byte)(p) = src[0]
		return src[1:], nil
	}
}

// intNode serves the signed integers; an int is written as the int64 that it is on most machines.
func intNode(n *node, size uintptr) {
	n.open = "int" + strconv.Itoa(int(8*size))
	n.claims = false
	switch size {
	case 1:
		byteNode(n)
	case 2:
		signed[int16](n)
	case 4:
		signed[int32](n)
	default:
		signed[int64](n)
	}
}

func signed[I int16 | int32 | int64](n *node) {
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		return binary.AppendUvarint(dst, zigzag(int64(*(*I)(p))))
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		x, rest, err := varint(src)
		if err != nil {
			return nil, err
		}
		if int64(I(x)) != x {
			return nil, corrupt("%d does not fit %d bits", x, 8*unsafe.Sizeof(I(0)))
		}
		*(*I)(p) = I(x)
		return rest, nil
	}
}

// uintNode serves the unsigned integers.
func uintNode(n *node, size uintptr) {
	n.open = "uint" + strconv.Itoa(int(8*size))
	n.claims = false
	switch size {
	case 1:
		byteNode(n)
	case 2:
		unsigned[uint16](n)
	case 4:
		unsigned[uint32](n)
	default:
		unsigned[uint64](n)
	}
}

func unsigned[U uint16 | uint32 | uint64](n *node) {
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		return binary.AppendUvarint(dst, uint64(*(*U)(p)))
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		x, rest, err := uvarint(src)
		if err != nil {
			return nil, err
		}
		if uint64(U(x)) != x {
			return nil, corrupt("%d does not fit %d bits", x, 8*unsafe.Sizeof(U(0)))
		}
		*(*U)(p) = U(x)
		return rest, nil
	}
}

const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

// normal32 gives the bits of the one NaN for any, and of 0 for -0 (S7.4).
func normal32(b uint32) uint32 {
	switch f := math.Float32frombits(b); {
	case f != f:
		return nan32
	case f == 0:
		return 0
	}
	return b
}

// normal64 is normal32 for 64 bits.
func normal64(b uint64) uint64 {
	switch f := math.Float64frombits(b); {
	case f != f:
		return nan64
	case f == 0:
		return 0
	}
	return b
}

// float32Node serves float32 (one number) and complex64 (two).
func float32Node(n *node, numbers int, key bool) {
	n.open = shapeOfFloat(32, numbers, key)
	n.claims = false
	n.min = 4 * numbers
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		for _, b := range unsafe.Slice((*uint32)(p), numbers) {
			if key {
				b = normal32(b)
			}
			dst = binary.LittleEndian.AppendUint32(dst, b)
		}
		return dst
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		if len(src) < 4*numbers {
			return nil, short()
		}
		for i := range numbers {
			b := le32(src[4*i:])
			if key && b != normal32(b) {
				return nil, corrupt("a float that is not normalised in a key")
			}
			unsafe.Slice((*uint32)(p), numbers)[i] = b
		}
		return src[4*numbers:], nil
	}
}

// float64Node serves float64 (one number) and complex128 (two).
func float64Node(n *node, numbers int, key bool) {
	n.open = shapeOfFloat(64, numbers, key)
	n.claims = false
	n.min = 8 * numbers
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		for _, b := range unsafe.Slice((*uint64)(p), numbers) {
			if key {
				b = normal64(b)
			}
			dst = binary.LittleEndian.AppendUint64(dst, b)
		}
		return dst
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		if len(src) < 8*numbers {
			return nil, short()
		}
		for i := range numbers {
			b := le64(src[8*i:])
			if key && b != normal64(b) {
				return nil, corrupt("a float that is not normalised in a key")
			}
			unsafe.Slice((*uint64)(p), numbers)[i] = b
		}
		return src[8*numbers:], nil
	}
}

func shapeOfFloat(bits, numbers int, key bool) string {
	s := "float" + strconv.Itoa(bits)
	if numbers == 2 {
		s = "complex" + strconv.Itoa(2*bits)
	}
	if key {
		s = "key" + s
	}
	return s
}

// length reads a length and checks that the input can bear it out at min bytes an element.
func length(src []byte, min int) (n int, rest []byte, err error) {
	x, rest, err := uvarint(src)
	if err != nil {
		return 0, nil, err
	}
	if x > uint64(len(rest)/min) {
		return 0, nil, corrupt("a length of %d with %d bytes left", x, len(rest))
	}
	return int(x), rest, nil
}

func stringNode(n *node) {
	n.open = "string"
	n.claims = false
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		s := *(*string)(p)
		return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		l, rest, err := length(src, 1)
		if err != nil {
			return nil, err
		}
		*(*string)(p) = string(rest[:l])
		return rest[l:], nil
	}
}

func timeNode(n *node) {
	n.open = "time"
	n.claims = false
	n.min = 2
	n.append = func(dst []byte, p unsafe.Pointer, _ int) []byte {
		t := (*time.Time)(p)
		dst = binary.AppendUvarint(dst, zigzag(t.Unix()))
		return binary.AppendUvarint(dst, uint64(t.Nanosecond()))
	}
	n.decode = func(src []byte, p unsafe.Pointer, _ int) ([]byte, error) {
		sec, rest, err := varint(src)
		if err != nil {
			return nil, err
		}
		ns, rest, err := uvarint(rest)
		if err != nil {
			return nil, err
		}
		if ns >= 1e9 {
			return nil, corrupt("%d nanoseconds in a second", ns)
		}
		*(*time.Time)(p) = time.Unix(sec, int64(ns)).UTC()
		return rest, nil
	}
}
