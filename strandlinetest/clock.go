package strandlinetest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/run"
)

// Clock is processing time that moves only when it is told to. It is given to a run by
// [strandline.Clock]; a script has one of its own, which stands at 1970-01-01T00:00:00Z when
// it begins, unless it is given another. Safe for concurrent use.
type Clock struct {
	mu      sync.Mutex
	now     int64
	waiting []*alarm
}

type alarm struct {
	at   int64
	ring chan time.Time
}

var _ run.Clock = (*Clock)(nil)

// NewClock gives a clock that stands at start.
func NewClock(start time.Time) *Clock { return &Clock{now: etime.Micros(start)} }

// Now is where the clock stands, in microseconds since 1970-01-01T00:00:00Z: as engines want
// it. Tests want [Clock.Time].
func (c *Clock) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Time is where the clock stands, in UTC.
func (c *Clock) Time() time.Time { return etime.Time(c.Now()) }

// Advance moves the clock on by d, cut to whole microseconds, and wakes who waits for what it
// passes, in order of time. A negative d is a panic.
func (c *Clock) Advance(d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("strandlinetest: Clock.Advance(%v): a clock moves forwards", d))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = etime.Add(c.now, etime.Span(d))
	slices.SortStableFunc(c.waiting, func(a, b *alarm) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for len(c.waiting) > 0 && c.waiting[0].at <= c.now {
		c.waiting[0].ring <- etime.Time(c.now) // never blocks: it has room for the one value
		c.waiting = c.waiting[1:]
	}
}

// After gives a channel on which the time comes once the clock has reached at (microseconds
// since 1970-01-01T00:00:00Z), and a function that takes the wish back. It is for engines.
func (c *Clock) After(at int64) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{at, make(chan time.Time, 1)}
	if at <= c.now {
		a.ring <- etime.Time(c.now)
		return a.ring, func() {}
	}
	c.waiting = append(c.waiting, a)
	return a.ring, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waiting = slices.DeleteFunc(c.waiting, func(w *alarm) bool { return w == a })
	}
}
