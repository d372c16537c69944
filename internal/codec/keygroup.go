package codec

// KeyGroups is the number of key groups. State is kept, checkpointed and moved between workers by
// key group (S11.4), so that the number, and which group a key is in, are part of the format.
//
// The group of a key follows from its kind, once and for all:
//
//	integers and bool    [KeyGroupOfBits] of the key, widened to 64 bits as [IntKey] does
//	strings              [KeyGroup] of the bytes of the string, without a length
//	everything else      [KeyGroup] of the encoding that [ForKey] gives
//
// [KeyGrouper] is this table as code. The names of types and the width of integers play no part: a
// key that becomes an int64 instead of an int32 stays in its group.
const KeyGroups = 1024

// KeyGroup gives the group, 0 to 1,023, of a key that is not an integer: the upper ten bits of
// [HashBytes]. Tables and workers should take their bits from the lower end.
func KeyGroup(encodedKey []byte) int { return int(HashBytes(encodedKey) >> (64 - 10)) }

// KeyGroupOfBits gives the group, 0 to 1,023, of an integer key: the upper ten bits of [HashBits].
func KeyGroupOfBits(x uint64) int { return int(HashBits(x) >> (64 - 10)) }

// KeyGrouper gives a function that tells the group of a key, by the table at [KeyGroups]. It is for
// where there are few keys; the engine's kernels do the same for batches. The function belongs to
// one goroutine. The error is that of [ForKey].
func KeyGrouper[T comparable]() (func(*T) int, error) {
	if toBits, _, ok := IntKey[T](); ok {
		var key [1]T
		var bits [1]uint64
		return func(k *T) int {
			key[0] = *k
			toBits(key[:], bits[:])
			return KeyGroupOfBits(bits[0])
		}, nil
	}
	if bytesOf, _, ok := StringKey[T](); ok {
		return func(k *T) int { return KeyGroup(bytesOf(k)) }, nil
	}
	c, err := ForKey[T]()
	if err != nil {
		return nil, err
	}
	var buf []byte
	return func(k *T) int {
		buf = c.Append(buf[:0], k)
		return KeyGroup(buf)
	}, nil
}
