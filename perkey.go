package strandline

import (
	"cmp"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/codec"
)

// LatestPerKey gives, for each key and window, the value with the greatest event time; of several
// with that time the one whose encoding is the greatest, byte by byte, so that the order of arrival
// has no say (S7.4). V must be encodable. It is CombinePerKey by [combine.LastFunc]; without a key,
// give that to [PCollection.Combine].
func LatestPerKey[K comparable, V any](name string, k Keyed[K, V]) Results[K, V, V] {
	last := combine.LastFunc(combine.Self[V], encoded(k, "latest per key", name))
	return aggregate[K, V, combine.Stamped[V], V](k, name, "latest per key", last)
}

// TopPerKey gives, for each key and window, the n values with the greatest score, greatest first,
// or all if there are fewer. Of equal scores the value whose encoding is the greatest comes first.
// V must be encodable. It is CombinePerKey by [combine.TopBy], which takes another order, and has a
// counterpart for the least.
func TopPerKey[K comparable, V any, S cmp.Ordered](name string, k Keyed[K, V], n int, score func(*V) S) Results[K, V, []V] {
	top := combine.TopBy(n, score, encoded(k, "top per key", name))
	return aggregate[K, V, []combine.Scored[V, S], []V](k, name, "top per key", top)
}

// SamplePerKey gives, for each key and window, n of the values, or all if there are fewer, drawn so
// that each has the same chance. The same seed draws the same values, in whatever order they come
// and on however many workers. Equal values are one value: to sample occurrences they must have
// something that tells them apart. V must be encodable. It is CombinePerKey by [combine.Sample].
func SamplePerKey[K comparable, V any](name string, k Keyed[K, V], n int, seed uint64) Results[K, V, []V] {
	identity := func(dst []byte, _ *V) []byte { return dst }
	if c := encoding(k, "sample per key", name); c != nil {
		identity = c.Append
	}
	return aggregate[K, V, []combine.Drawn[V], []V](k, name, "sample per key", combine.Sample(n, seed, identity))
}

// encoding gives the codec of k's values, and reports it if they have none.
func encoding[K comparable, V any](k Keyed[K, V], kind, name string) *codec.Codec[V] {
	c, err := codec.For[V]()
	if err != nil {
		k.p.failf("%s %s: the values: %w: they must be encodable, so that ties do not depend on the order of arrival", kind, quoted(name), err)
	}
	return c
}

// encoded is the order of the encodings of k's values.
func encoded[K comparable, V any](k Keyed[K, V], kind, name string) func(a, b V) int {
	c := encoding(k, kind, name)
	return combine.Encoded(func(dst []byte, v V) []byte { return c.Append(dst, &v) })
}
