package trial

import "time"

// Search is a search for few records that show that two runs differ. R is what a run ends with.
type Search[R any] struct {
	// Settings are all runs that are compared with the first of them.
	Settings []Setting
	// Run runs over the records that are kept, by their indexes. A run that fails shows nothing.
	Run func(s Setting, keep []int) (R, error)
	// Differ says whether two runs ended differently.
	Differ func(a, b R) bool
	// Patience is how long fewer records are looked for.
	Patience time.Duration

	deadline time.Time // zero until it is known that the difference comes back
	late     bool
}

// Found is what a search has found.
type Found struct {
	// Keep are the records, by their indexes, and With is a run over them that differs from the
	// first: the one that was given, or another that is the same each time, if there is one.
	Keep []int
	With Setting
	// Again is false if the two agree when they are repeated: then Keep are all records.
	Again bool
	// Least says that no record can be left out.
	Least bool
}

const (
	shrinkCalls = 2000
	fewRecords  = 200
)

// Smallest finds few of n records over which a run differs from the first as b does.
func (f *Search[R]) Smallest(n int, b Setting) Found {
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
		return Found{Keep: everything, With: b}
	}
	times /= 2
	f.deadline = time.Now().Add(f.Patience)
	few, least := Shrink(n, shrinkCalls, fails)
	least = least && !f.late
	if len(few) > fewRecords || a == b {
		return Found{few, b, true, least}
	}
	// Other runs may need still less.
	of, leaster := Shrink(len(few), shrinkCalls, func(of []int) bool { return f.one(chosen(few, of), settled) != nil })
	if s := f.one(chosen(few, of), settled); s != nil && len(of) < len(few) {
		return Found{chosen(few, of), *s, true, leaster && !f.late}
	}
	return Found{few, b, true, least}
}

// one gives the first of some runs that differs from the first of all.
func (f *Search[R]) one(keep []int, others []Setting) *Setting {
	if f.late = f.late || !f.deadline.IsZero() && time.Now().After(f.deadline); f.late {
		return nil
	}
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
