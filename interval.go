package strandline

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// IntervalJoin gives f of every pair of values with the same key whose event times are close: the
// right value's is at least lo and at most hi after the left one's (S10.3). Both bounds are part of
// the interval, and may be negative: from -5 s to 0 finds what came up to five seconds before. A
// null key matches nothing (S7.4).
//
// A pair comes out once, when the later of the two to arrive arrives, at the later of their event
// times and in no window. Windows that the inputs have do not matter to it.
//
// Allowed lateness, of the receiver, holds for both sides: an element that is farther than that
// behind the watermark is late, and goes to [Joined.OnLate]; what it missed is the interval in
// which it would have matched. Every pair of two elements that are not late comes out, in whatever
// order they arrive.
//
// State is bounded by event time: a left element is kept until the watermark is hi + allowed
// lateness past it, a right one until it is -lo + allowed lateness past it. The plan says so
// ([Pipeline.Explain]).
func (k Keyed[K, V]) IntervalJoin[W, R any](name string, other Keyed[K, W], lo, hi time.Duration, f func(key K, left *V, right *W) R) Joined[K, V, W, R] {
	if lo > hi {
		k.p.failf("interval join %s: the interval from %v to %v is empty: give the lesser bound first", quoted(name), lo, hi)
	}
	step := &plan.Step{Kind: "interval join", Detail: fmt.Sprintf("from %v to %v", lo, hi),
		Note: fmt.Sprintf("state: a left element is kept until the watermark is %s, a right one until it is %s", past(hi+k.w.lateness), past(k.w.lateness-lo))}
	return timeJoin(k, other, name, step, f, func(j run.TimeJoin[K, V, W, R]) run.Maker {
		// Event times are whole microseconds: the least and the greatest within the bounds.
		return run.IntervalOp(j, -etime.FloorDiv(-int64(lo), int64(time.Microsecond)), etime.FloorDiv(int64(hi), int64(time.Microsecond)))
	})
}

// past says where the watermark is with respect to an element.
func past(d time.Duration) string {
	if d < 0 {
		return fmt.Sprintf("within %v of its time", -d)
	}
	return fmt.Sprintf("more than %v past its time", d)
}

// timeJoin appends a join by event time. Windows do not matter to it; allowed lateness is that of
// the receiver.
func timeJoin[K comparable, V, W, R any](k Keyed[K, V], other Keyed[K, W], name string, step *plan.Step, f func(K, *V, *W) R, op func(run.TimeJoin[K, V, W, R]) run.Maker) Joined[K, V, W, R] {
	p, where := k.p, step.Kind+" "+quoted(name)
	p.given(f != nil, step.Kind, name, "the function")
	if other.p != p {
		p.failf("%s: collection 2 belongs to another pipeline: build both in one", where)
	}
	k.w.byTime(p, where)
	other.w.byTime(p, where)
	if k.w.opened || other.w.opened {
		p.failf("%s: an input comes from SessionBy, whose sessions only a grouping makes, and goes by event time here, so that they would be lost: put SessionBy behind the join", where)
	}
	if k.w.repeats || other.w.repeats {
		p.failf("%s: an input gives a cell several times, each time with all that came so far, and would be joined again and again (S5.9): make the aggregation before it FinalOnly or Discarding", where)
	}
	w := newWindowing(true)
	w.lateness = k.w.lateness
	if w.lateness > 0 {
		step.Detail += fmt.Sprintf(", allowed lateness %v", w.lateness)
	}
	step.Codec, step.Inputs = codecName[R](), []plan.Edge{together(k, other)}
	step.Op = op(run.TimeJoin[K, V, W, R]{Key: k.key, Null: nullable[K](), Lateness: etime.Span(w.lateness), Give: f})
	step.Facts = func() plan.Facts {
		f := plan.Facts{Key: k.key.ID(), State: strings.TrimPrefix(step.Note, "state: ")}
		if w.lateness > 0 {
			f.Lateness = w.lateness.String()
		}
		return f
	}
	s := p.add(name, step)
	return Joined[K, V, W, R]{PCollection[R]{p: p, step: s, w: w}, s}
}

// byTime checks the input of a step that goes by event time and not by windows.
func (w *windowing) byTime(p *Pipeline, where string) {
	w.unused = nil
	if !w.timed {
		p.failf("%s: %w: it goes by that of every element: give Read a function for it, or use AssignTimestamps", where, ErrNoEventTime)
	}
	if w.signed {
		p.failf("%s: an input takes back what it replaces, which it does not follow: make the aggregation before it FinalOnly or Discarding", where)
	}
	if w.lateness < 0 {
		p.failf("%s: allowed lateness is %v: it cannot be negative", where, w.lateness)
	}
}

// nullable gives null for keys that can be null, and nil for others.
func nullable[K comparable]() func(K) bool {
	var key K
	if _, ok := any(key).(interface{ IsNull() bool }); ok {
		return null[K]
	}
	return nil
}
