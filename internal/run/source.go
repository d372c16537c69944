package run

import (
	"context"
	"errors"
	"sync"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// Source reads a connector's source. Output 0 are the records, 1 the malformed ones, 2 those that
// were set aside as coming from the future.
type Source[T any] struct {
	From     connector.Source[T]
	Strategy watermark.Strategy
	// At gives records' event times in µs; nil if the source itself knows them, or nobody does. A
	// record for which it gives NoEventTime is malformed (S2.5).
	At func(vs []T, at []int64)
	// MaxMalformed stops the run when more records than that are malformed; negative: never.
	MaxMalformed int64

	// Quarantine sets records from the far future aside, to output 2 (S3.4).
	Quarantine bool

	// Align is how far a split's watermark may be ahead of the slowest split's, in µs; negative: as
	// far as it gets (S3.5).
	Align int64

	splits    []connector.Split[T]
	align     *alignment
	malformed int64
	mu        sync.Mutex
}

// NoEventTime is the event time of a record that has none.
const NoEventTime = etime.Min

func (s *Source[T]) prepare(ctx context.Context) (err error) {
	s.malformed = 0
	s.splits, err = s.From.Splits(ctx)
	s.align = newAlignment(len(s.splits), s.Align)
	return err
}

// Make gives each worker every n-th split.
func (s *Source[T]) Make(p *Place) Ports {
	o := &sourceOp[T]{op: newOp(p), src: s, arrivalOf: arrivalOf[T](s.Strategy), markOf: markOf[T](s.Strategy), carryAll: p.build.opts.CarryAll}
	p.build.ops = append(p.build.ops, o)
	var origins []int
	for i, split := range s.splits {
		origin := p.newOrigin(i)
		if i%p.Workers != p.Worker {
			continue
		}
		origins = append(origins, origin)
		r := &reading[T]{o: o, split: split, number: i, origin: origin, clock: etime.Min, stands: etime.Min, high: etime.Min}
		if p.build.opts.Batch {
			r.gen = watermark.EndOfInput().Start()
		} else {
			r.gen, r.needs = s.Strategy.Start(), s.Strategy.Needs()
			r.idle, r.advances = etime.Span(watermark.IdleTimeout(s.Strategy)), watermark.IdleAdvances(s.Strategy)
		}
		if s.Quarantine {
			r.sifter, _ = s.Strategy.Start().(watermark.Sifter)
			if own, ok := r.gen.(watermark.Sifter); ok {
				r.sifter = own // not run in batch mode: one generator does both
			}
		}
		r.live = !s.From.Bounded()
		r.sight.start(o.step, s.From.Name(), split.Name(), i, len(s.splits), r.live, r.idle, r.advances)
		r.sight.align = func() bool { ahead, _ := s.align.ahead(i); return ahead }
		p.build.live = p.build.live || r.live
		p.task.sources = append(p.task.sources, r)
	}
	return Ports{Out: []any{&o.out, &o.bad, &o.aside}, Origins: [][]int{origins, origins, origins}}
}

func arrivalOf[T any](s watermark.Strategy) func(*T) int64 {
	if a, ok := s.(interface{ ArrivalOf(*T) int64 }); ok {
		return a.ArrivalOf
	}
	return nil
}

func markOf[T any](s watermark.Strategy) func(*T) int64 {
	if m, ok := s.(interface{ Mark(*T) int64 }); ok {
		return m.Mark
	}
	return nil
}

type sourceOp[T any] struct {
	op
	src       *Source[T]
	out       Out[Batch[T]]
	bad       Out[Batch[connector.Malformed]]
	aside     Out[Batch[T]]
	arrivalOf func(*T) int64
	markOf    func(*T) int64
	carryAll  bool // see [Options.CarryAll]
	samples   []connector.Malformed
}

func (o *sourceOp[T]) report(r *StepReport) {
	r.Malformed = append(r.Malformed, o.samples...)
	r.MalformedUsed = o.bad.Used()
}

// ErrNoEventTime says that a record, or a whole collection, has no event time.
var ErrNoEventTime = errors.New("no event time")

// ErrTooManyMalformed says that the threshold of malformed records was passed (S13.2).
var ErrTooManyMalformed = errors.New("too many malformed records")
