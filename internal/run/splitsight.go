package run

import (
	"sync/atomic"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// SplitSight is how one split of a source stands, as of its last batch. Instants are in µs;
// etime.Min says that there is none.
type SplitSight struct {
	Step, Source, Split string
	Number, Of          int // of the split, from 0, among those of its source
	// Read and Malformed are records.
	Read, Malformed int64
	Greatest        int64 // the greatest event time read
	Watermark       int64 // etime.Max once it has ended
	Last            int64 // the event time of the last record
	Seen            int64 // when the clock saw it
	// Withheld is the event time of a record from the future that the poison guard does not let
	// drive the watermark (S3.4).
	Withheld                     int64
	Live, Idle, Ended, Paused    bool
	IdleAfter                    time.Duration // without data it is idle after that; 0: only the source can say so
	Follows                      bool          // idle, its watermark follows the clock
	EarlierWatermark, EarlierNow int64         // where the watermark stood some time ago, for its rate
}

// splitSight is what a split makes known of itself, once a batch: by plain stores, so that anybody
// may look at any time.
type splitSight struct {
	of SplitSight // what does not change

	read, malformed, greatest, watermark, last, seen, withheld atomic.Int64
	idle, ended                                                atomic.Bool
	wasW, wasNow                                               atomic.Int64
	align                                                      func() bool

	past [rateSamples]struct{ now, w int64 } // the reading's own: a ring
	n    int
}

const (
	// rateSamples and rateEvery say how far back the rate of a watermark is taken: at least their
	// product, in which the split was not silent.
	rateSamples = 16
	rateEvery   = 1_000_000 // µs
)

func (s *splitSight) start(step, source, split string, number, of int, live bool, idle int64, follows bool) {
	s.of = SplitSight{Step: step, Source: source, Split: split, Number: number, Of: of, Live: live, IdleAfter: etime.Duration(idle), Follows: follows}
	for _, a := range []*atomic.Int64{&s.greatest, &s.watermark, &s.last, &s.seen, &s.withheld, &s.wasW, &s.wasNow} {
		a.Store(etime.Min)
	}
}

// sample remembers where the watermark stands, if it has not for a while.
func (s *splitSight) sample(now, w int64) {
	if s.n > 0 && now-s.past[(s.n-1)%rateSamples].now < rateEvery {
		return
	}
	p := &s.past[s.n%rateSamples]
	p.now, p.w = now, w
	s.n++
	first := &s.past[0]
	if s.n > rateSamples {
		first = &s.past[s.n%rateSamples]
	}
	s.wasW.Store(first.w)
	s.wasNow.Store(first.now)
}

// see gives what was made known last.
func (s *splitSight) see() SplitSight {
	v := s.of
	v.Read, v.Malformed, v.Greatest, v.Watermark = s.read.Load(), s.malformed.Load(), s.greatest.Load(), s.watermark.Load()
	v.Last, v.Seen, v.Withheld = s.last.Load(), s.seen.Load(), s.withheld.Load()
	v.Idle, v.Ended = s.idle.Load(), s.ended.Load()
	v.Paused = !v.Ended && s.align()
	v.EarlierWatermark, v.EarlierNow = s.wasW.Load(), s.wasNow.Load()
	return v
}

// lagging is a generator whose watermark is a fixed lag behind what drives it, record by record.
type lagging interface{ Lag() int64 }

// tellInt stores v where it is not yet: a store that others see costs more than a look.
func tellInt(a *atomic.Int64, v int64) {
	if a.Load() != v {
		a.Store(v)
	}
}

func tellBool(a *atomic.Bool, v bool) {
	if a.Load() != v {
		a.Store(v)
	}
}

// saw takes note of a batch of event times, and of the watermark before each.
func (r *reading[T]) saw(at, w []int64, now int64) {
	s := &r.sight
	n, bad := int64(len(at)), int64(len(r.in.Malformed))
	if n+bad == 0 || r.o.unbooked {
		return
	}
	if g, ok := r.gen.(lagging); ok {
		r.delays.ObserveBehind(at, w, g.Lag())
		if r.stands != etime.Min {
			r.high = r.stands + g.Lag()
		}
	} else {
		r.high = r.delays.Observe(at, r.high)
	}
	s.read.Store(s.read.Load() + n + bad)
	tellInt(&s.malformed, s.malformed.Load()+bad)
	tellInt(&s.greatest, r.high)
	if n > 0 {
		s.last.Store(at[n-1])
	}
	s.seen.Store(now)
}

// publish makes known where the split stands.
func (r *reading[T]) publish(w int64) {
	if r.o.unbooked {
		return
	}
	s := &r.sight
	tellInt(&s.watermark, w)
	tellBool(&s.idle, r.isIdle)
	tellBool(&s.ended, r.finished)
	withheld := etime.Min
	if g, ok := r.gen.(interface{ Withheld() (int64, bool) }); ok {
		if at, is := g.Withheld(); is {
			withheld = at
		}
	}
	tellInt(&s.withheld, withheld)
	if now := s.seen.Load(); now != etime.Min && w != etime.Min && w != etime.Max {
		s.sample(now, w)
	}
}

func (r *reading[T]) sighted() *splitSight { return &r.sight }

// each calls f for every record of the batch at hand, as if it were a batch of its own.
func (r *reading[T]) each(f func() error) error {
	whole := r.in
	defer func() { r.in = whole }()
	n := len(whole.Values)
	if n == 0 {
		return f()
	}
	for i := range n {
		r.in.Values = whole.Values[i : i+1 : i+1]
		if whole.Times != nil {
			r.in.Times = whole.Times[i : i+1 : i+1]
		}
		if whole.Places != nil {
			r.in.Places = whole.Places[i : i+1 : i+1]
		}
		r.in.Malformed = nil // where they stand among the others is not known
		if i == n-1 {
			r.in.Malformed = whole.Malformed
		}
		r.in.CaughtUp = whole.CaughtUp && i == n-1
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// Splits gives how every split stands, in the order of sources. It may be called at any time.
func (r *Running) Splits() (all []SplitSight) {
	tasks := r.tasks.Load()
	if tasks == nil {
		return nil
	}
	for _, row := range *tasks {
		for _, t := range row {
			for _, s := range t.sources {
				all = append(all, s.sighted().see())
			}
		}
	}
	return all
}

func (r *reading[T]) report() SplitReport {
	v := r.sight.see()
	return SplitReport{Step: v.Step, Source: v.Source, Split: v.Split, Number: v.Number, Read: v.Read, Malformed: v.Malformed, Greatest: v.Greatest, Position: r.position, Delays: &r.delays}
}
