package combine

import (
	"cmp"
	"errors"
	"slices"
)

// TopBy is the n elements with the greatest score, greatest first, or all if there are fewer
// (S7.4). Of equal scores the greater element by ties comes first; ties must tell apart what
// differs, or which of two comes out depends on arrival. Encoded gives such an order for any
// type; it is called only where scores tie. NaN is less than any other score. Of nothing it is
// empty.
//
//	combine.TopBy(3, func(r *Reading) float64 { return r.Temperature },
//		func(a, b Reading) int { return strings.Compare(a.Sensor, b.Sensor) })
func TopBy[V any, K cmp.Ordered](n int, score func(*V) K, ties func(a, b V) int) RankingBy[V, K] {
	return RankingBy[V, K]{"TopBy", n, score, ties, true}
}

// BottomBy is the n elements with the least score, least first. Of equal scores the less element
// by ties comes first; else it is as TopBy.
func BottomBy[V any, K cmp.Ordered](n int, score func(*V) K, ties func(a, b V) int) RankingBy[V, K] {
	return RankingBy[V, K]{"BottomBy", n, score, ties, false}
}

// Scored is an element and its score.
type Scored[V, K any] struct {
	V     V
	Score K
}

// RankingBy is the combiner that TopBy and BottomBy give. Its accumulator is the elements chosen
// so far, at most n, with their scores.
type RankingBy[V any, K cmp.Ordered] struct {
	name       string
	n          int
	score      func(*V) K
	ties       func(a, b V) int
	descending bool
}

func (c RankingBy[V, K]) ranks() ranks[Scored[V, K]] {
	return ranks[Scored[V, K]]{n: c.n, before: c.before}
}

func (c RankingBy[V, K]) before(a, b Scored[V, K]) int {
	if order := c.by(a.Score, b.Score); order != 0 {
		return order
	}
	if c.descending {
		return c.ties(b.V, a.V)
	}
	return c.ties(a.V, b.V)
}

// by is before as far as scores decide it.
func (c RankingBy[V, K]) by(a, b K) int {
	if c.descending {
		a, b = b, a
	}
	return cmp.Compare(a, b)
}

func (c RankingBy[V, K]) add(r ranks[Scored[V, K]], acc *[]Scored[V, K], v *V) {
	score := c.score(v)
	// Most elements of a long stream are refused here, without being copied.
	if entries := *acc; r.full(entries) && (c.n <= 0 || c.by(score, entries[c.n-1].Score) > 0) {
		return
	}
	*acc = r.insert(*acc, Scored[V, K]{*v, score})
}

// Create implements Combiner.
func (RankingBy[V, K]) Create() []Scored[V, K] { return nil }

// Add implements Combiner.
func (c RankingBy[V, K]) Add(acc *[]Scored[V, K], v *V) { c.add(c.ranks(), acc, v) }

// AddBatch implements Batcher.
func (c RankingBy[V, K]) AddBatch(accs [][]Scored[V, K], slots []uint32, vs []V) {
	r := c.ranks()
	slots = slots[:len(vs)]
	for i := range vs {
		c.add(r, &accs[slots[i]], &vs[i])
	}
}

// Merge implements Combiner.
func (c RankingBy[V, K]) Merge(acc, other *[]Scored[V, K]) { *acc = c.ranks().merge(*acc, *other) }

// Extract implements Combiner. It has no error. The slice is the caller's, and never nil.
func (RankingBy[V, K]) Extract(acc *[]Scored[V, K]) ([]V, error) {
	best := make([]V, len(*acc))
	for i := range *acc {
		best[i] = (*acc)[i].V
	}
	return best, nil
}

// Clone implements Cloner. The elements are copied as by assignment.
func (RankingBy[V, K]) Clone(acc *[]Scored[V, K]) []Scored[V, K] { return slices.Clone(*acc) }

// Neutral implements Neutral: it is true.
func (RankingBy[V, K]) Neutral() bool { return true }

// Validate implements Validator.
func (c RankingBy[V, K]) Validate() error {
	return errors.Join(places(c.name, c.n), missing(c.name, part{"the score", c.score == nil}, part{"the order of ties", c.ties == nil}))
}
