package strandlinetest

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

func panes[T any](vs ...T) []strandline.Pane[T] {
	ps := make([]strandline.Pane[T], len(vs))
	for i, v := range vs {
		ps[i] = strandline.Pane[T]{Value: v, Window: window.FromMicros(0, 10), Pane: trigger.NoFiring}
	}
	return ps
}

func TestAnyGivesWayToAWantThatFitsNothingElse(t *testing.T) {
	for _, c := range []struct {
		name string
		want []Want[int]
		got  []int
		err  error
	}{
		{"open first", []Want[int]{Any[int](), Value(3)}, []int{3, 5}, nil},
		{"a chain of three", []Want[int]{Any[int](), Any[int](), Value(1)}, []int{1, 2, 3}, nil},
		{"each pane once", []Want[int]{Value(1), Value(1)}, []int{1}, ErrUnmatched},
		{"each want once", []Want[int]{Value(1)}, []int{1, 1}, ErrUnexpected},
		{"any order", []Want[int]{Value(2), Value(1)}, []int{1, 2}, nil},
		{"missing goes before too many", []Want[int]{Value(9)}, []int{1, 2, 3}, ErrUnmatched},
		{"nothing of nothing", nil, nil, nil},
	} {
		if err := compare("here", c.want, panes(c.got...)); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.err)
		}
	}
}

func TestEqualWantsOfAKeyAreInOrderWhateverTheyAre(t *testing.T) {
	kv := func(k string, n int) strandline.KV[string, int] { return strandline.KV[string, int]{Key: k, Value: n} }
	got := panes(kv("a", 1), kv("b", 7), kv("a", 1), kv("a", 2))
	for _, c := range []struct {
		name string
		want []Want[strandline.KV[string, int]]
		err  error
	}{
		{"as they came", []Want[strandline.KV[string, int]]{Entry("a", 1), Entry("b", 7), Entry("a", 1), Entry("a", 2)}, nil},
		{"keys in another order", []Want[strandline.KV[string, int]]{Entry("a", 1), Entry("a", 1), Entry("a", 2), Entry("b", 7)}, nil},
		{"one key in another order", []Want[strandline.KV[string, int]]{Entry("a", 1), Entry("a", 2), Entry("a", 1), Entry("b", 7)}, ErrUnmatched},
	} {
		if err := compare("here", c.want, got); !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.err)
		}
	}
}

func TestValuesAreComparedByTheirMeaning(t *testing.T) {
	noon := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	there := noon.In(time.FixedZone("there", 7200))
	for name, equal := range map[string]bool{
		"NaN is NaN":             same(math.NaN(), math.NaN()),
		"-0 is 0":                same(math.Copysign(0, -1), 0.0),
		"32 bits too":            same(float32(math.NaN()), float32(math.NaN())),
		"one instant, two zones": same(noon, there),
		"slices by elements":     same([]int{1, 2}, []int{1, 2}),
		"bags in any order":      sameBag([]float64{1, math.NaN(), 1}, []float64{math.NaN(), 1, 1}),
	} {
		if !equal {
			t.Error(name, "does not hold")
		}
	}
	for name, equal := range map[string]bool{
		"other elements":       same([]int{1, 2}, []int{2, 1}),
		"NaN and 0":            same(math.NaN(), 0),
		"one often, one not":   sameBag([]int{1, 1, 2}, []int{1, 2, 2}),
		"one longer than one":  sameBag([]int{1}, []int{1, 1}),
		"a microsecond apart":  same(noon, noon.Add(time.Microsecond)),
		"other fields":         same(struct{ A, B int }{1, 2}, struct{ A, B int }{1, 3}),
		"empty and not so bag": sameBag(nil, []int{1}),
	} {
		if equal {
			t.Error(name, "counts as equal")
		}
	}
}

func TestExactlyLooksAtEverything(t *testing.T) {
	base := strandline.Pane[string]{
		Value: "x", Time: time.Unix(9, 0), Window: window.FromMicros(0, 10_000_000),
		Pane: trigger.Pane{Timing: trigger.Late, Index: 2, NonEarly: 1, Last: true},
	}
	if w := Exactly(base); !w.fits(&base) {
		t.Fatal("a pane is not itself")
	}
	for name, change := range map[string]func(p *strandline.Pane[string]){
		"value":     func(p *strandline.Pane[string]) { p.Value = "y" },
		"time":      func(p *strandline.Pane[string]) { p.Time = time.Unix(8, 0) },
		"window":    func(p *strandline.Pane[string]) { p.Window = window.FromMicros(0, 10) },
		"timing":    func(p *strandline.Pane[string]) { p.Timing = trigger.OnTime },
		"index":     func(p *strandline.Pane[string]) { p.Index = 3 },
		"non-early": func(p *strandline.Pane[string]) { p.NonEarly = 2 },
		"first":     func(p *strandline.Pane[string]) { p.First = true },
		"last":      func(p *strandline.Pane[string]) { p.Last = false },
		"drained":   func(p *strandline.Pane[string]) { p.Drained = true },
	} {
		other := base
		change(&other)
		if w := Exactly(base); w.fits(&other) {
			t.Errorf("a pane with another %s fits", name)
		}
	}
}

func TestEachPartOfAWantIsLookedAt(t *testing.T) {
	p := strandline.Pane[string]{
		Value: "x", Time: time.Unix(9, 0), Window: window.FromMicros(0, 10_000_000),
		Pane: trigger.Pane{Timing: trigger.Early, Index: 2, NonEarly: -1, First: true},
	}
	other := strandline.Pane[string]{
		Value: "y", Time: time.Unix(8, 0), Window: window.FromMicros(0, 20_000_000),
		Pane: trigger.Pane{Timing: trigger.OnTime, Index: 3, NonEarly: 0, Last: true},
	}
	for _, w := range []Want[string]{
		Value("x"), Any[string]().In(p.Window), Any[string]().At(p.Time), Any[string]().Early(), Any[string]().Index(2),
		Any[string]().NonEarly(-1), Any[string]().First(), Any[string]().NotLast(),
		Any[string]().Where("is x", func(p strandline.Pane[string]) bool { return p.Value == "x" }),
	} {
		if !w.fits(&p) || w.fits(&other) {
			t.Errorf("%v: fits %v, and the other %v", w, w.fits(&p), w.fits(&other))
		}
	}
	for _, w := range []Want[string]{Any[string]().OnTime(), Any[string]().Last()} {
		if w.fits(&p) || !w.fits(&other) {
			t.Errorf("%v: fits %v, and the other %v", w, w.fits(&p), w.fits(&other))
		}
	}
}

func TestAWantIsNotChangedByWhatIsMadeOfIt(t *testing.T) {
	base := Value("x").Index(1)
	early, late := base.Early(), base.Late()
	p := panes("x")[0]
	p.Index, p.Timing = 1, trigger.Late
	if !base.fits(&p) || early.fits(&p) || !late.fits(&p) {
		t.Errorf("%v %v, %v %v, %v %v", base, base.fits(&p), early, early.fits(&p), late, late.fits(&p))
	}
}

func TestAssertionsShowTheDifference(t *testing.T) {
	want := "Unmatched output: of the run\n\t  \"a\"\n\t- \"b\"\n\t+ \"c\""
	if err := compareValues([]string{"a", "b"}, []string{"c", "a"}); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	want = "Unexpected output: of the run\n\t  1\n\t+ 1"
	if err := compareValues([]int{1}, []int{1, 1}); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if err := compareValues([]int{2, 1, 1}, []int{1, 2, 1}); err != nil {
		t.Error(err)
	}
}
