package combinetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

// Options says how results are compared and how much is tried. The zero value is good for
// combiners whose results are exact.
type Options[O any] struct {
	// Equal compares two results. Defaults to Same with Tolerance.
	Equal func(a, b O) bool
	// Tolerance is the difference that floats in results may have, relative to the greater of
	// their absolute values and 1. Defaults to 0.
	Tolerance float64
	// Rounds is how many lists of values each law is tried with. Defaults to 300.
	Rounds int
	// MaxLen is how long these lists grow. Defaults to 12.
	MaxLen int
	// Seed makes other lists. Defaults to 1; one seed always makes the same.
	Seed uint64
}

// Exercise checks the laws of c on lists of values drawn from values, repeats included, in
// random orders, groupings and event times:
//
//   - fresh: Create gives an accumulator that shares nothing with earlier ones;
//   - order: the elements in any order give the same result;
//   - grouping: partial accumulators merged in any grouping give the same result;
//   - neutral: merging with a fresh accumulator, from either side, changes nothing;
//   - extract: Extract leaves the accumulator as it was;
//   - result: a result does not change when its accumulator goes on;
//   - element: Add keeps no pointer to the element;
//   - empty: Extract of a fresh accumulator is a value if Neutral says so, else ErrEmpty;
//   - copy: a copy, by Clone or by assignment where there is none, and its original are
//     independent;
//   - batch: AddBatch does what Add does (combine.Batcher);
//   - subtract: Subtract undoes Add (combine.Subtractor).
//
// For each law that is broken it reports one error, with the smallest list of values that it
// found. A combiner that panics is reported once. The values should be few and telling: zeros, extremes, equal ones, and those that the
// combiner treats apart. At most one Options may be given.
func Exercise[V, A, O any](t testing.TB, c combine.Combiner[V, A, O], values []V, opts ...Options[O]) {
	t.Helper()
	if len(values) == 0 || len(opts) > 1 {
		t.Fatalf("combinetest: Exercise needs values and at most one Options; it was given %d and %d", len(values), len(opts))
		return
	}
	var o Options[O]
	if len(opts) == 1 {
		o = opts[0]
	}
	o.Rounds, o.MaxLen, o.Seed = cmp.Or(o.Rounds, 300), cmp.Or(o.MaxLen, 12), cmp.Or(o.Seed, 1)
	if o.Equal == nil {
		o.Equal = func(a, b O) bool { return Same(a, b, o.Tolerance) }
	}
	s := newSubject(c, o.Equal)
	for i, l := range s.laws() {
		tr, b := l.search(o.Rounds, o.MaxLen, values, rand.New(rand.NewPCG(o.Seed, uint64(i))))
		switch {
		case b == nil:
		case b.panicked:
			t.Errorf("combinetest: %T panics\n%s%v", c, s.describe(tr), b)
			return // and would with the other laws
		default:
			t.Errorf("combinetest: %T breaks the law %q: %s\n%s%v", c, l.name, l.text, s.describe(tr), b)
			if l.name == "fresh" {
				return // nothing else means anything then
			}
		}
	}
}

// trial is one list of values with their event times, and the seed of what else is random.
type trial[V any] struct {
	values []V
	at     []int64
	seed   uint64
}

func draw[V any](rnd *rand.Rand, pool []V, n int) trial[V] {
	tr := trial[V]{seed: rnd.Uint64()}
	for range n {
		tr.values = append(tr.values, pool[rnd.IntN(len(pool))])
		tr.at = append(tr.at, rnd.Int64N(5)-2) // few, so that they tie
	}
	return tr
}

func (tr trial[V]) rand() *rand.Rand { return rand.New(rand.NewPCG(tr.seed, 0)) }

// without gives the trial less the i-th value, with other choices.
func (tr trial[V]) without(i int, seed uint64) trial[V] {
	return trial[V]{
		append(append([]V(nil), tr.values[:i]...), tr.values[i+1:]...),
		append(append([]int64(nil), tr.at[:i]...), tr.at[i+1:]...),
		seed,
	}
}

// breach is how a law was broken: what was done, what it gave, and what it should have given.
type breach struct {
	done, got, want string
	panicked        bool
}

func (b *breach) String() string {
	return fmt.Sprintf("  done:    %s\n  got:     %s\n  want:    %s", b.done, b.got, b.want)
}

// law is a property. check gives nil where it holds.
type law[V any] struct {
	name, text string
	check      func(trial[V]) *breach
}

// search tries the law on lists that grow, and gives the smallest it can find that breaks it, or
// no breach.
func (l law[V]) search(rounds, maxLen int, pool []V, rnd *rand.Rand) (trial[V], *breach) {
	for round := range rounds {
		tr := draw(rnd, pool, rnd.IntN(2+round*maxLen/rounds))
		if b := l.try(tr); b != nil {
			return l.shrink(tr, b)
		}
	}
	return trial[V]{}, nil
}

// try checks the law. A combiner that panics breaks it.
func (l law[V]) try(tr trial[V]) (b *breach) {
	defer func() {
		if r := recover(); r != nil {
			b = &breach{"called it", fmt.Sprintf("panic: %v", r), "no panic", true}
		}
	}()
	return l.check(tr)
}

// shrink takes values away for as long as the law stays broken.
func (l law[V]) shrink(tr trial[V], b *breach) (trial[V], *breach) {
	const choices = 50 // of order, grouping and so on, for each value that is taken away
	for i := 0; i < len(tr.values); {
		smaller := false
		for seed := range uint64(choices) {
			less := tr.without(i, seed)
			if found := l.try(less); found != nil {
				tr, b, i, smaller = less, found, 0, true
				break
			}
		}
		if !smaller {
			i++
		}
	}
	return tr, b
}
