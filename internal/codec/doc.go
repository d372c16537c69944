// Package codec turns keys, values and state into bytes and back, names the shape of those
// bytes, hashes keys into key groups and numbers keys densely for the engine's tables.
//
// It sits just above the model and below everything that stores or ships data: it uses the
// standard library only. It does not know what a window, a checkpoint or a worker is, it opens
// no file, starts no goroutine and reads no clock.
//
// A [Codec] is derived from a type once, when the plan is built, by reflection. What remains at
// run time are closures over offsets: scalars, strings, arrays, structs and slices are written
// without reflection and without allocation. Maps and types that bring their own marshalling
// still go through package reflect for each map or value.
//
// # The encoding
//
// Format 1. The bytes depend on the value alone: not on the machine, the process or the order in
// which a map happens to be walked. Every encoding is self-delimiting, so that encodings can be
// laid end to end, and none is the beginning of another one.
//
//	bool, int8, uint8      one byte; a bool is 0 or 1
//	int16..int64, int      zigzag, then LEB128 base 128, shortest form
//	uint16..uint64, uint   LEB128 base 128, shortest form
//	float32, float64       IEEE 754 bits, little-endian; complex: real, then imaginary part
//	string                 length as uint, then the bytes, valid UTF-8 or not
//	time.Time              seconds since 1970 as int64, nanoseconds as uint: an instant, always
//	                       decoded in UTC; years far beyond 1678..2262 are ordinary values (S1.1)
//	array                  the elements
//	struct                 the fields in order of declaration; blank fields are left out
//	slice                  0 for nil, else length + 1 as uint, then the elements
//	map                    0 for nil, else length + 1 as uint, then key and value, in the order of
//	                       the encoded keys
//	pointer                0 for nil, else 1 and what it points to; what is shared is written twice
//	own marshalling        length as uint, then what MarshalBinary (or MarshalText) gave
//
// An element of a slice or a map that would take no bytes at all is written as one zero byte, so
// that a length never promises more than the input holds.
//
// Key codecs ([ForKey]) differ in one thing: of all NaNs only one is written, and 0 for -0 (S7.4).
// Value codecs keep every bit of a float.
//
// [Codec.ID] spells the shape out. It belongs next to the data, together with [Format]: data
// written under one ID is read under the same ID only.
package codec

// Format is the version of the rules by which this package writes bytes and computes key groups.
// It changes when any of them does, and is recorded with whatever is stored.
const Format = 1
