package trial

// Search is a search for few records that show that two runs differ. R is what a run ends with.
type Search[R any] struct {
	// Settings are all runs that are compared with the first of them.
	Settings []Setting
	// Run runs over the records that are kept, by their indexes. A run that fails shows nothing.
	Run func(s Setting, keep []int) (R, error)
	// Differ says whether two runs ended differently.
	Differ func(a, b R) bool
}

const (
	shrinkCalls = 2000
	fewRecords  = 200
)

// Smallest finds few of n records over which the first run and b differ, and a run that does: b
// itself, or one of the others that is the same each time, if there is one. again is false if the
// two agree when they are repeated.
func (f *Search[R]) Smallest(n int, b Setting) (keep []int, with Setting, again bool) {
	a := f.Settings[0]
	everything := make([]int, n)
	for i := range everything {
		everything[i] = i
	}
	var settled []Setting
	for _, s := range f.Settings[1:] {
		if s.Settled() {
			settled = append(settled, s)
		}
	}
	if !b.Settled() {
		if s := f.one(everything, settled); s != nil {
			b = *s
		}
	}
	times := 2 // what happens by chance may not happen at once
	if a == b {
		times = 5
	}
	fails := func(keep []int) bool {
		for range times {
			if f.one(keep, []Setting{b}) != nil {
				return true
			}
		}
		return false
	}
	if times *= 2; !fails(everything) {
		return everything, b, false
	}
	times /= 2
	few := Shrink(n, shrinkCalls, fails)
	if len(few) > fewRecords || a == b {
		return few, b, true
	}
	// Other runs may need still less.
	of := Shrink(len(few), shrinkCalls, func(of []int) bool { return f.one(chosen(few, of), settled) != nil })
	if s := f.one(chosen(few, of), settled); s != nil && len(of) < len(few) {
		return chosen(few, of), *s, true
	}
	return few, b, true
}

// one gives the first of some runs that differs from the first of all.
func (f *Search[R]) one(keep []int, others []Setting) *Setting {
	x, err := f.Run(f.Settings[0], keep)
	if err != nil {
		return nil
	}
	for _, s := range others {
		if y, err := f.Run(s, keep); err == nil && f.Differ(x, y) {
			return &s
		}
	}
	return nil
}

// chosen gives the elements of all with these indexes.
func chosen(all, of []int) []int {
	some := make([]int, len(of))
	for i, k := range of {
		some[i] = all[k]
	}
	return some
}
