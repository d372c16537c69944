package watermark

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// PeriodsStrategy stays whole periods behind the arrival. See [Periods].
type PeriodsStrategy struct {
	calendar window.Assigner
	n        int
	idle
}

var _ Strategy = PeriodsStrategy{}

// Periods keeps the watermark n calendar periods behind the period of the latest arrival
// (S3.2): while records arrive in July, Periods(window.Months(), 1) stands at the start of June,
// so a reading for June is on time and one for May is late. The first record to arrive in
// August moves it to the start of July before it is judged itself (S3.7).
//
// The calendar is any windowing that covers time without gap or overlap: days, weeks, months,
// quarters or years of a zone, or fixed windows. N must not be negative. Where arrivals come
// from is as with [Arrival].
func Periods(calendar window.Assigner, n int) PeriodsStrategy {
	return PeriodsStrategy{calendar: calendar, n: n}
}

// Idle makes a split idle after timeout without data, as [BoundedStrategy.Idle] does. Defaults
// to 0: only the source can say so.
func (s PeriodsStrategy) Idle(timeout time.Duration) PeriodsStrategy {
	s.timeout = timeout
	return s
}

// IdleAdvance lets the watermark follow the clock while every split is idle, as if a record
// arrived all the time; see [BoundedStrategy.IdleAdvance]. Defaults to off.
func (s PeriodsStrategy) IdleAdvance() PeriodsStrategy {
	s.advance = true
	return s
}

// String gives text such as "periods(months(UTC), 1)".
func (s PeriodsStrategy) String() string {
	return fmt.Sprintf("periods(%v, %d)%s", s.calendar, s.n, s.idle.text())
}

// Validate reports a calendar that is missing, wrong in itself, or not made of windows one
// after the other, a negative n, and a negative timeout.
func (s PeriodsStrategy) Validate() error {
	const of = "watermark.Periods"
	var errs []error
	if s.calendar == nil {
		errs = append(errs, errors.New(of+": the calendar is nil"))
	} else if err := s.calendar.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", of, err))
	} else if !consecutive(s.calendar) {
		errs = append(errs, fmt.Errorf("%s: %v is no calendar: its windows do not follow one another without gap or overlap", of, s.calendar))
	}
	if s.n < 0 {
		errs = append(errs, fmt.Errorf("%s: number of periods must not be negative, is %d", of, s.n))
	}
	return errors.Join(append(errs, s.idle.validate(of))...)
}

// consecutive tells a calendar from sliding windows, sessions and the like by its windows around
// 1970-01-01.
func consecutive(calendar window.Assigner) bool {
	if _, merges := calendar.(window.Merger); merges {
		return false
	}
	ws := calendar.Assign(nil, 0)
	if len(ws) != 1 || ws[0].IsGlobal() {
		return false
	}
	before, after := calendar.Assign(nil, ws[0].Lo()-1), calendar.Assign(nil, ws[0].Hi())
	return len(before) == 1 && before[0].Hi() == ws[0].Lo() && len(after) == 1 && after[0].Lo() == ws[0].Hi()
}

// Needs asks for the arrivals.
func (s PeriodsStrategy) Needs() Needs { return Needs{Arrival: true} }

// Start gives the generator of one split.
func (s PeriodsStrategy) Start() Generator {
	return &periods{of: s, calendar: window.ForWorker(s.calendar), n: s.n, next: never, w: never}
}

// periods is the generator of [Periods].
type periods struct {
	of       Strategy // for messages
	calendar window.Assigner
	n        int
	next     int64 // the end of the latest arrival's period: an arrival before it moves nothing
	w        int64
	scratch  []window.Interval
}

func (p *periods) Observe(c Columns, w []int64) (int64, error) {
	w = w[:len(c.At)]
	for i, t := range c.Arrival[:len(w)] {
		if t >= p.next {
			p.arrive(t)
		}
		w[i] = p.w
	}
	return p.w, nil
}

// arrive moves the watermark to the start of the period that lies n before that of arrival t.
func (p *periods) arrive(t int64) {
	if t == never {
		return
	}
	start, end, ok := p.period(min(t, latest))
	if !ok {
		return
	}
	p.next = end
	for range p.n {
		if start, _, ok = p.period(etime.Sub(start, 1)); !ok {
			return // a gap, which a calendar does not have, or the beginning of time
		}
	}
	p.w = max(p.w, start)
}

// period gives the start and end of the period that t is in.
func (p *periods) period(t int64) (start, end int64, ok bool) {
	p.scratch = p.calendar.Assign(p.scratch[:0], t)
	if len(p.scratch) == 0 || t == never {
		return 0, 0, false
	}
	return p.scratch[0].Lo(), p.scratch[0].Hi(), true
}

func (p *periods) W() int64 { return p.w }

func (p *periods) Tick(now int64) int64 {
	if IdleAdvances(p.of) && now >= p.next {
		p.arrive(now)
	}
	return p.w
}

func (p *periods) Future() int64 { return 0 }

func (p *periods) AppendState(dst []int64) []int64 { return append(dst, p.next, p.w) }

func (p *periods) RestoreState(s []int64) error {
	if len(s) != 2 || s[1] > s[0] {
		return wrongState(p.of.String(), s)
	}
	p.next, p.w = s[0], s[1]
	return nil
}
