package combinetest_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/combinetest"
)

// recorder is a testing.TB that keeps what is reported.
type recorder struct {
	testing.TB
	errors []string
	fatal  string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, a ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, a...))
}
func (r *recorder) Fatalf(format string, a ...any) { r.fatal = fmt.Sprintf(format, a...) }

// sum is a combiner without fault, for others to spoil.
func sum() combine.Func[int, int, int] {
	return combine.Func[int, int, int]{
		CreateFn:   func() int { return 0 },
		AddFn:      func(acc *int, v *int) { *acc += *v },
		MergeFn:    func(acc, other *int) { *acc += *other },
		ExtractFn:  func(acc *int) (int, error) { return *acc, nil },
		HasNeutral: true,
	}
}

// plant exercises a combiner and wants exactly the laws in want (separated by blanks) reported.
func plant[V, A, O any](t *testing.T, name string, c combine.Combiner[V, A, O], values []V, want string, text ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		var r recorder
		combinetest.Exercise(&r, c, values)
		var laws []string
		for _, e := range r.errors {
			_, rest, _ := strings.Cut(e, `breaks the law "`)
			law, _, _ := strings.Cut(rest, `"`)
			laws = append(laws, law)
		}
		slices.Sort(laws)
		if got := strings.Join(laws, " "); got != want {
			t.Errorf("laws reported: %s; want %s\n%s", got, want, strings.Join(r.errors, "\n"))
		}
		for _, s := range text {
			if !strings.Contains(strings.Join(r.errors, "\n"), s) {
				t.Errorf("the report should say %q:\n%s", s, strings.Join(r.errors, "\n"))
			}
		}
	})
}

func TestExerciseNamesTheLawThatAPlantedFaultBreaks(t *testing.T) {
	values := []int{1, 2, 3, -5}
	plant(t, "none", combine.Combiner[int, int, int](sum()), values, "")

	f := sum()
	f.MergeFn = func(acc, other *int) { *acc = max(*acc, *other) }
	plant(t, "merge takes the greater", f, []int{1, 2}, "grouping", "values:  [1 1]", "done:    merged", "got:     1", "want:    2")

	f = sum()
	f.MergeFn = func(acc, other *int) { *acc += *other + 1 }
	plant(t, "merge adds one", f, values, "grouping neutral", "values:  []")

	f = sum()
	f.AddFn = func(acc *int, v *int) { *acc = *acc*2 + *v }
	plant(t, "add depends on order", f, []int{1, 2}, "grouping order")

	f = sum()
	f.ExtractFn = func(acc *int) (int, error) { n := *acc; *acc = 0; return n, nil }
	plant(t, "extract empties", f, values, "extract")

	f = sum()
	f.HasNeutral = false
	plant(t, "neutral value not declared", f, values, "empty", "want:    error: combine: no value")

	f = sum()
	f.ExtractFn = func(acc *int) (int, error) {
		if *acc == 0 {
			return 0, combine.ErrEmpty
		}
		return *acc, nil
	}
	plant(t, "neutral value declared and missing", f, values, "empty", "got:     error: combine: no value")

	f = sum()
	f.AddFn = func(acc *int, v *int) {
		if *v == 3 {
			panic("three")
		}
		*acc += *v
	}
	plant(t, "add panics", f, values, "", "Func[int,int,int] panics", "values:  [3]", "panic: three")

	plant(t, "batch skips a repeated slot", skipping{sum()}, values, "batch", "done:    AddBatch to slots")
	plant(t, "subtract forgets", forgetting{sum()}, values, "subtract")
	plant(t, "extract shares the list", sharing{}, values, "result")
	plant(t, "add keeps the pointer", keeping(), values, "element")
	plant(t, "create shares a map", shared(), values, "fresh")
	plant(t, "a map without clone", uncloned{}, values, "copy", "assignment (there is no Clone)")
	plant(t, "last by arrival", lastArrived{}, values, "grouping neutral order", "times:   [-2] µs")
}

// skipping forgets that a slot may occur twice in a batch.
type skipping struct{ combine.Func[int, int, int] }

func (skipping) AddBatch(accs []int, slots []uint32, vs []int) {
	for i, s := range slots {
		if i == 0 || slots[i-1] != s {
			accs[s] += vs[i]
		}
	}
}

type forgetting struct{ combine.Func[int, int, int] }

func (forgetting) Subtract(acc *int, v *int) {
	if *v > 0 {
		*acc -= *v
	}
}

// sharing sorts in place and gives its own memory away.
type sharing struct{}

func (sharing) Create() []int           { return nil }
func (sharing) Add(acc *[]int, v *int)  { *acc = append(*acc, *v); slices.Sort(*acc) }
func (sharing) Merge(acc, other *[]int) { *acc = append(*acc, *other...); slices.Sort(*acc) }
func (sharing) Extract(acc *[]int) ([]int, error) {
	return *acc, nil
}
func (sharing) Clone(acc *[]int) []int { return slices.Clone(*acc) }
func (sharing) Neutral() bool          { return true }

func keeping() combine.Func[int, []*int, int] {
	return combine.Func[int, []*int, int]{
		CreateFn: func() []*int { return nil },
		AddFn:    func(acc *[]*int, v *int) { *acc = append(*acc, v) },
		MergeFn:  func(acc, other *[]*int) { *acc = append(*acc, *other...) },
		ExtractFn: func(acc *[]*int) (int, error) {
			n := 0
			for _, v := range *acc {
				n += *v
			}
			return n, nil
		},
		CloneFn:    func(acc *[]*int) []*int { return slices.Clone(*acc) },
		HasNeutral: true,
	}
}

func counts() combine.Func[int, map[int]int, int] {
	return combine.Func[int, map[int]int, int]{
		CreateFn: func() map[int]int { return map[int]int{} },
		AddFn:    func(acc *map[int]int, v *int) { (*acc)[*v]++ },
		MergeFn: func(acc, other *map[int]int) {
			for k, n := range *other {
				(*acc)[k] += n
			}
		},
		ExtractFn: func(acc *map[int]int) (int, error) {
			n := 0
			for _, c := range *acc {
				n += c
			}
			return n, nil
		},
		HasNeutral: true,
	}
}

func shared() combine.Func[int, map[int]int, int] {
	f, m := counts(), map[int]int{}
	f.CreateFn = func() map[int]int { return m }
	return f
}

type uncloned struct{}

func (uncloned) Create() map[int]int                   { return counts().Create() }
func (uncloned) Add(acc *map[int]int, v *int)          { counts().Add(acc, v) }
func (uncloned) Merge(acc, other *map[int]int)         { counts().Merge(acc, other) }
func (uncloned) Extract(acc *map[int]int) (int, error) { return counts().Extract(acc) }
func (uncloned) Neutral() bool                         { return true }

// lastArrived goes by arrival where it should go by time.
type lastArrived struct{}

func (lastArrived) Create() int                      { return 0 }
func (lastArrived) Add(acc *int, v *int)             { *acc = *v }
func (lastArrived) AddAt(acc *int, v *int, at int64) { *acc = *v }
func (lastArrived) Merge(acc, other *int)            { *acc = *other }
func (lastArrived) Extract(acc *int) (int, error)    { return *acc, nil }
func (lastArrived) Neutral() bool                    { return true }

func TestExerciseRefusesToCheckNothing(t *testing.T) {
	var r recorder
	combinetest.Exercise(&r, sum(), nil)
	if !strings.Contains(r.fatal, "needs values") {
		t.Errorf("got %q", r.fatal)
	}
}

func TestExerciseIsReproducible(t *testing.T) {
	f := sum()
	f.MergeFn = func(acc, other *int) { *acc -= *other }
	var a, b recorder
	combinetest.Exercise(&a, f, []int{4, 9})
	combinetest.Exercise(&b, f, []int{4, 9})
	if len(a.errors) == 0 || !slices.Equal(a.errors, b.errors) {
		t.Errorf("%v\n%v", a.errors, b.errors)
	}
}

func TestNaiveFloatSumsNeedATolerance(t *testing.T) {
	f := combine.Func[float64, float64, float64]{
		CreateFn:   func() float64 { return 0 },
		AddFn:      func(acc, v *float64) { *acc += *v },
		MergeFn:    func(acc, other *float64) { *acc += *other },
		ExtractFn:  func(acc *float64) (float64, error) { return *acc, nil },
		HasNeutral: true,
	}
	values := []float64{0.1, 0.2, 0.7, 1.3}
	var r recorder
	combinetest.Exercise(&r, f, values)
	if len(r.errors) == 0 {
		t.Error("exactly: nothing reported")
	}
	combinetest.Exercise(t, f, values, combinetest.Options[float64]{Tolerance: 1e-14})
}

func TestSame(t *testing.T) {
	type s struct {
		F float64
		L []int
		M map[string]any
		p *int
	}
	one, uno := 1, 1
	nan := math.NaN()
	for _, tt := range []struct {
		a, b any
		tol  float64
		want bool
	}{
		{nan, nan, 0, true},
		{nan, 1.0, 1, false},
		{1.0, 1.0 + 1e-9, 0, false},
		{1.0, 1.0 + 1e-9, 1e-8, true},
		{1e9, 1e9 + 1, 1e-8, true},
		{math.Inf(1), math.MaxFloat64, 1, false},
		{math.Inf(1), math.Inf(1), 0, true},
		{1, int64(1), 0, false},
		{nil, nil, 0, true},
		{nil, 1, 0, false},
		{s{F: nan, M: map[string]any{"a": nan}, p: &one}, s{F: nan, L: []int{}, M: map[string]any{"a": nan}, p: &uno}, 0, true},
		{s{M: map[string]any{"a": 1}}, s{M: map[string]any{"b": 1}}, 0, false},
		{[]string{"a", "b"}, []string{"b", "a"}, 0, false},
	} {
		if got := combinetest.Same(tt.a, tt.b, tt.tol); got != tt.want {
			t.Errorf("Same(%+v, %+v, %v) = %v", tt.a, tt.b, tt.tol, got)
		}
	}
	if !combinetest.SameElements([]int{1, 2, 1}, []int{1, 1, 2}) || combinetest.SameElements([]int{1, 2, 2}, []int{1, 1, 2}) {
		t.Error("SameElements should count repeats, in any order")
	}
}
