package window

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// CustomWindows is a user's windowing (S2.1). See [Custom].
type CustomWindows struct {
	name    string
	assign  func(time.Time) []Interval
	outputs func(Interval, time.Time) time.Time
	refused bool // OutputTimes was given nil
}

// CustomMergingWindows is a user's windowing with windows that merge. See
// [CustomWindows.Merging].
type CustomMergingWindows struct {
	CustomWindows
	merge func([]Interval) []Merged
}

var (
	_ Assigner = CustomWindows{}
	_ Merger   = CustomMergingWindows{}
)

// Custom puts an element at instant t, which is in UTC, into the windows that assign gives, in
// any order; a window given twice counts once, and none leaves the element in a gap. assign
// depends on nothing but t and is called from several goroutines. Its result is copied. An
// interval that does not end after its start is a panic that names the windowing.
//
// The name stands for the functions in the plan's fingerprint: a windowing with other windows
// needs another name.
func Custom(name string, assign func(t time.Time) []Interval) CustomWindows {
	return CustomWindows{name: name, assign: assign}
}

// Merging makes windows merge, as [Merger] says of Merge: merge is given the windows of one
// key, each once, in any order, which it must not change or keep, and depends on nothing else.
// It is called from several goroutines. A result that contradicts itself is a panic that names
// the windowing.
func (c CustomWindows) Merging(merge func(ws []Interval) []Merged) CustomMergingWindows {
	return CustomMergingWindows{CustomWindows: c, merge: merge}
}

// OutputTimes makes output the source of the outputs' event times: it is given a window and
// the time that the output-time rule chose (S5.8), and gives another, which may lie outside the
// window as in Beam: the output watermark is held back to it. Defaults to the time that was
// chosen.
func (c CustomWindows) OutputTimes(output func(w Interval, t time.Time) time.Time) CustomWindows {
	c.outputs, c.refused = output, output == nil
	return c
}

// OutputTimes is [CustomWindows.OutputTimes].
func (c CustomMergingWindows) OutputTimes(output func(w Interval, t time.Time) time.Time) CustomMergingWindows {
	c.CustomWindows = c.CustomWindows.OutputTimes(output)
	return c
}

// Assign appends the windows of t in order of end, each once.
func (c CustomWindows) Assign(dst []Interval, t int64) []Interval {
	n := len(dst)
	dst = append(dst, c.assign(etime.Time(t))...)
	own := dst[n:]
	for _, w := range own {
		if w.hi <= w.lo {
			panic(fmt.Sprintf("window: %v: for %s it assigned %v, which does not end after its start", c, etime.Format(t), w))
		}
	}
	slices.SortFunc(own, byEnd)
	return dst[:n+len(slices.Compact(own))]
}

// OutputTime gives the event time of an output of w for which t was chosen, in microseconds.
func (c CustomWindows) OutputTime(w Interval, t int64) int64 {
	if c.outputs == nil {
		return t
	}
	return min(etime.Micros(c.outputs(w, etime.Time(t))), etime.Max-1)
}

// Validate reports an empty name and functions that are nil.
func (c CustomWindows) Validate() error {
	var faults []error
	if c.name == "" {
		faults = append(faults, errors.New("window.Custom: the name is empty"))
	}
	if c.assign == nil {
		faults = append(faults, fmt.Errorf("window.Custom: %q has a nil assign function", c.name))
	}
	if c.refused {
		faults = append(faults, fmt.Errorf("window.Custom: %q has a nil output-time function", c.name))
	}
	return errors.Join(faults...)
}

// String gives text such as custom("shifts").
func (c CustomWindows) String() string { return call("custom", fmt.Sprintf("%q", c.name)) }

// Validate reports an empty name and functions that are nil.
func (c CustomMergingWindows) Validate() error {
	var fault error
	if c.merge == nil {
		fault = fmt.Errorf("window.Custom: %q has a nil merge function", c.name)
	}
	return errors.Join(c.CustomWindows.Validate(), fault)
}

// String gives text such as custom("visits", merging).
func (c CustomMergingWindows) String() string {
	return call("custom", fmt.Sprintf("%q", c.name), "merging")
}

// Merge gives the groups of the user's function, without those that change nothing.
func (c CustomMergingWindows) Merge(ws []Interval) []Merged {
	groups := c.merge(ws)
	if fault := contradiction(ws, groups); fault != nil {
		panic(fmt.Sprintf("window: %v: its merge of %v: %v", c, ws, fault))
	}
	return slices.DeleteFunc(slices.Clone(groups), func(m Merged) bool {
		return len(m.From) == 1 && ws[m.From[0]] == m.Into
	})
}

// contradiction says why groups cannot be a merge of ws, or nil.
func contradiction(ws []Interval, groups []Merged) error {
	grouped := make([]bool, len(ws))
	results := make(map[Interval]bool, len(groups))
	for _, m := range groups {
		if m.Into.hi <= m.Into.lo {
			return fmt.Errorf("%v does not end after its start", m.Into)
		}
		if len(m.From) == 0 {
			return fmt.Errorf("%v is made from no window", m.Into)
		}
		if results[m.Into] {
			return fmt.Errorf("%v is made twice", m.Into)
		}
		results[m.Into] = true
		for _, i := range m.From {
			if i < 0 || i >= len(ws) {
				return fmt.Errorf("%v is made from number %d of %d windows", m.Into, i, len(ws))
			}
			if grouped[i] {
				return fmt.Errorf("%v is used twice", ws[i])
			}
			grouped[i] = true
		}
	}
	for i, w := range ws {
		if !grouped[i] && results[w] {
			return fmt.Errorf("%v is made, but also left alone", w)
		}
	}
	return nil
}
