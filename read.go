package strandline

import (
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/watermark"
	"strings"
	"time"
)

// Read reads a source. The strategy says how far behind its splits' records the watermark
// stands; at gives a record's event time, and may be nil if the source itself knows it. A
// record whose time is the zero [time.Time] has none: it is malformed (S2.5).
//
// Run in the mode [Batch], the watermark waits for the end of the input whatever the strategy
// says, and nothing is late.
func Read[T any](p *Pipeline, from connector.Source[T], s watermark.Strategy, at func(*T) time.Time) PCollection[T] {
	var us func([]T, []int64)
	if at != nil {
		us = times(at)
	}
	return read(p, from, s, us)
}

// ReadMicros is [Read] for records that hold their event time as microseconds since 1970: it
// spares the way through [time.Time].
func ReadMicros[T any](p *Pipeline, from connector.Source[T], s watermark.Strategy, at func(*T) int64) PCollection[T] {
	p.given(at != nil, "ReadMicros", "", "the function for event times")
	return read(p, from, s, func(vs []T, us []int64) {
		for i := range vs {
			us[i] = at(&vs[i])
		}
	})
}

func read[T any](p *Pipeline, from connector.Source[T], s watermark.Strategy, at func([]T, []int64)) PCollection[T] {
	if from == nil || s == nil {
		p.given(from != nil, "Read", "", "the source")
		p.given(s != nil, "Read", "", "the watermark strategy")
		return PCollection[T]{p: p, step: p.add("", &plan.Step{Kind: "read"}), w: newWindowing(at != nil)}
	}
	checkStrategy[T](p, "Read "+from.Name(), s)
	timed := at != nil
	if k, ok := from.(interface{ Timed() bool }); ok && k.Timed() {
		timed = true
	}
	if v, ok := from.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			p.failf("Read %s: %w", from.Name(), err)
		}
	}
	step := p.add("", &plan.Step{Kind: "read " + from.Name(), Detail: "watermark " + s.String(), Codec: codecName[T](),
		Op: &run.Source[T]{From: from, Strategy: s, At: at, MaxMalformed: -1, Align: -1}})
	step.Facts = func() plan.Facts {
		f := plan.Facts{Watermark: s.String(), Times: "none"}
		switch {
		case at != nil:
			f.Times = "by a function of the record"
		case timed:
			f.Times = "by the source"
		}
		if a := step.Op.(*run.Source[T]).Align; a >= 0 {
			f.Watermark += ", splits that are more than " + etime.Duration(a).String() + " ahead wait"
		}
		return f
	}
	return PCollection[T]{p: p, step: step, w: newWindowing(timed)}
}

// checkStrategy reports what is wrong with a watermark strategy for records of type T.
func checkStrategy[T any](p *Pipeline, where string, s watermark.Strategy) {
	if err := s.Validate(); err != nil {
		p.failf("%s: the watermark: %w", where, err)
	}
	if _, typed := s.(watermark.Marker[T]); s.Needs().Mark && !typed {
		p.failf("%s: the watermark %s reads marks from records of another type", where, s)
	}
}

// OnMalformed gives what f makes of the records of a source that could not be read: its
// argument must be what [Read] returned. If nobody asks for them they are counted, a sample is
// kept in the report, and [Pipeline.Run] returns [ErrMalformed].
func (c PCollection[T]) OnMalformed[R any](f func(connector.Malformed) R) PCollection[R] {
	c.p.given(f != nil, "OnMalformed", c.step.ID, "the function")
	if _, ok := c.step.Op.(*run.Source[T]); !ok || c.port != 0 {
		c.p.failf("OnMalformed: only what Read returned has malformed records, and %q is none", c.step.ID)
		return PCollection[R]{p: c.p, step: c.step, w: newWindowing(false)}
	}
	from := plan.Edge{From: c.step, Port: 1, Wire: run.Values[connector.Malformed]()}
	return after[R](c.p, newWindowing(false), c.p.graph.Free(c.step.ID+".malformed"), "map", from, run.MapOp(func(m *connector.Malformed) R { return f(*m) }))
}

// Quarantined is a record that was set aside because its event time is in the far future (S3.4).
type Quarantined[T any] struct {
	Value T
	// Time is its event time.
	Time time.Time
	// Watermark is where the watermark stood when it was read.
	Watermark time.Time
}

// OnQuarantined sets the records aside that the watermark's guard finds to be from the far future,
// and gives what f makes of them (S3.4): they reach no window, and the ledger counts them. Without
// it such a record only does not move the watermark, and goes to the window of its time. It is for
// what [Read] returned, with a strategy that has a guard ([watermark.Guard]).
//
// On a live source a record is from the future if it is more than the guard's MaxFutureSkew past the
// clock. On a replay, also in the mode [Batch], it is one that no other supports, which the next
// record tells; the last one of the input is never set aside.
func (c PCollection[T]) OnQuarantined[R any](f func(Quarantined[T]) R) PCollection[R] {
	c.p.given(f != nil, "OnQuarantined", c.step.ID, "the function")
	src, ok := c.step.Op.(*run.Source[T])
	if !ok {
		c.p.failf("OnQuarantined: only what Read returned has records to be set aside, and %q is none", c.step.ID)
		return PCollection[R]{p: c.p, step: c.step, w: newWindowing(true)}
	}
	if src.Strategy.Validate() == nil {
		if _, sifts := src.Strategy.Start().(watermark.Sifter); !sifts || strings.Contains(src.Strategy.String(), ".noGuard") {
			c.p.failf("OnQuarantined: the watermark %s has no guard that would know records from the future: use Bounded, Ascending or Adaptive, with a Guard", src.Strategy)
		}
	}
	src.Quarantine = true
	from := plan.Edge{From: c.step, Port: 2, Wire: run.Values[T]()}
	return after[R](c.p, newWindowing(true), c.p.graph.Free(c.step.ID+".quarantined"), "map", from,
		run.ParDoOp(func(x *run.Context, v *T, emit func(R), _ func(struct{})) {
			emit(f(Quarantined[T]{Value: *v, Time: x.Time(), Watermark: x.Watermark()}))
		}))
}

// AlignSplits pauses a split of the source whose watermark is more than by ahead of that of the
// slowest split that is live: what it has stays where it is instead of waiting in windows (S3.5).
// The default is to read every split as fast as it gives. In the mode [Batch] it does nothing. It
// is for what [Read] returned.
func (c PCollection[T]) AlignSplits(by time.Duration) PCollection[T] {
	src, ok := c.step.Op.(*run.Source[T])
	switch {
	case !ok:
		c.p.failf("AlignSplits: only what Read returned has splits, and %q is none", c.step.ID)
	case by < 0:
		c.p.failf("AlignSplits: it is %v: it cannot be negative", by)
	default:
		src.Align = etime.Span(by)
	}
	return c
}

// StopAfterMalformed makes the run fail with [ErrTooManyMalformed] once more than n records of
// the source are malformed (S13.2). The default is never. It is for what [Read] returned.
func (c PCollection[T]) StopAfterMalformed(n int) PCollection[T] {
	src, ok := c.step.Op.(*run.Source[T])
	if !ok {
		c.p.failf("StopAfterMalformed: only what Read returned has malformed records, and %q is none", c.step.ID)
		return c
	}
	src.MaxMalformed = int64(n)
	return c
}
