package combine_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

func TestTopIsTheGreatestValuesAndBottomTheLeast(t *testing.T) {
	for _, c := range []struct {
		n           int
		xs          []int64
		top, bottom []int64
	}{
		{2, []int64{5, 1, 9, 7}, []int64{9, 7}, []int64{1, 5}},
		{3, []int64{5, 5, 5, 5}, []int64{5, 5, 5}, []int64{5, 5, 5}},
		{3, []int64{2, 2, 1}, []int64{2, 2, 1}, []int64{1, 2, 2}},
		{9, []int64{-1, math.MinInt64, math.MaxInt64}, []int64{math.MaxInt64, -1, math.MinInt64}, []int64{math.MinInt64, -1, math.MaxInt64}},
		{4, nil, []int64{}, []int64{}},
	} {
		top, err := combine.Fold(combine.Top(c.n, combine.Self[int64]), c.xs)
		if err != nil || top == nil || !slices.Equal(top, c.top) {
			t.Errorf("top %d of %v is %#v (%v), want %v", c.n, c.xs, top, err, c.top)
		}
		bottom, err := combine.Fold(combine.Bottom(c.n, combine.Self[int64]), c.xs)
		if err != nil || bottom == nil || !slices.Equal(bottom, c.bottom) {
			t.Errorf("bottom %d of %v is %#v (%v), want %v", c.n, c.xs, bottom, err, c.bottom)
		}
	}
	nan, _ := combine.Fold(combine.Top(2, combine.Self[float64]), []float64{math.NaN(), math.Inf(-1), 3})
	if !slices.Equal(nan, []float64{3, math.Inf(-1)}) {
		t.Errorf("NaN is not the least: %v", nan)
	}
}

func TestTopOfScoresBreaksTiesByTheElement(t *testing.T) {
	type player struct {
		Name  string
		Score int
	}
	players := []player{{"Ann", 3}, {"Cem", 7}, {"Bea", 7}, {"Dov", 7}, {"Eli", 1}}
	score := func(p *player) int { return p.Score }
	name := func(a, b player) int { return strings.Compare(a.Name, b.Name) }
	rng := rand.New(rand.NewPCG(4, 1))
	for range 50 {
		rng.Shuffle(len(players), func(i, j int) { players[i], players[j] = players[j], players[i] })
		if top, _ := combine.Fold(combine.TopBy(2, score, name), players); !slices.Equal(top, []player{{"Dov", 7}, {"Cem", 7}}) {
			t.Fatalf("top of %v: %v", players, top)
		}
		if bottom, _ := combine.Fold(combine.BottomBy(3, score, name), players); !slices.Equal(bottom, []player{{"Eli", 1}, {"Ann", 3}, {"Bea", 7}}) {
			t.Fatalf("bottom of %v: %v", players, bottom)
		}
	}
}

// The oracle sorts everything.
func TestTopAgreesWithSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		xs := make([]int64, rng.IntN(200))
		for i := range xs {
			xs[i] = rng.Int64N(60)
		}
		n := 1 + rng.IntN(40)
		want := slices.Clone(xs)
		slices.SortFunc(want, func(a, b int64) int { return cmp.Compare(b, a) })
		want = want[:min(n, len(want))]
		c := combine.Top(n, combine.Self[int64])
		accs := [][]int64{c.Create(), c.Create(), c.Create()}
		slots := make([]uint32, len(xs))
		for i := range slots {
			slots[i] = uint32(rng.IntN(len(accs)))
		}
		c.AddBatch(accs, slots, xs)
		c.Merge(&accs[1], &accs[2])
		c.Merge(&accs[0], &accs[1])
		if got, _ := c.Extract(&accs[0]); !slices.Equal(got, want) {
			t.Fatalf("top %d of %v is %v, want %v", n, xs, got, want)
		}
	}
}

func TestPlacesMustBeAtLeastOne(t *testing.T) {
	self, order := combine.Self[int64], cmp.Compare[int64]
	for _, c := range []struct {
		c    combine.Validator
		want string
	}{
		{combine.Top[int64, int64](0, nil), "combine.Top: n must be at least 1, is 0\ncombine.Top: the field is nil; it needs a function"},
		{combine.Bottom(-1, self), "combine.Bottom: n must be at least 1, is -1"},
		{combine.TopFunc(1, self, nil), "combine.TopFunc: the order is nil; it needs a function"},
		{combine.TopBy[int64, int64](1, nil, nil), "combine.TopBy: the score is nil; it needs a function\ncombine.TopBy: the order of ties is nil; it needs a function"},
		{combine.BottomBy(0, self, order), "combine.BottomBy: n must be at least 1, is 0"},
		{combine.Sample[int64](0, 1, nil), "combine.Sample: n must be at least 1, is 0\ncombine.Sample: the identity is nil; it needs a function"},
	} {
		if err := c.c.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	for _, c := range []combine.Validator{combine.Top(1, self), combine.TopBy(1, self, order), combine.Sample(1, 0, decimal)} {
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
}
