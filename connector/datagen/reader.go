package datagen

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
)

// reader makes the events of one run.
type reader[T any] struct {
	Generator[T]
	opened time.Time  // by the clock that paces
	first  int64      // event time of the start, in microseconds
	random *rand.Rand // of the user's function
	delays *rand.Rand // apart from it, so that disorder changes no contents
	n      int64      // the next event
	dry    bool       // the last batch said that no more was due
	values []T
	times  []int64
	used   int
}

// turn gives when event n comes, in microseconds after the start.
func (r *reader[T]) turn(n int64) int64 {
	if r.rate > 0 {
		us := float64(n) / r.rate * 1e6
		if us >= math.MaxInt64 {
			return math.MaxInt64
		}
		return int64(us)
	}
	// Divided first, so that the product of whole microseconds does not overflow before time does.
	us := etime.Span(r.step)
	if us != 0 && n > math.MaxInt64/us {
		return math.MaxInt64
	}
	return n*us + int64(float64(n)*float64(r.step%time.Microsecond)/1000)
}

// over says whether event n is beyond a limit.
func (r *reader[T]) over(n int64) bool {
	return r.count >= 0 && n >= r.count || r.span >= 0 && r.turn(n) >= etime.Span(r.span)
}

// now is how much of the schedule has passed, in microseconds after the start.
func (r *reader[T]) now() int64 {
	if r.rate == 0 {
		return etime.Max
	}
	return time.Since(r.opened).Microseconds()
}

func (r *reader[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	*b = connector.Batch[T]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(r.values[:r.used])
	r.used = 0
	if r.over(r.n) {
		return io.EOF
	}
	now := r.now()
	if r.turn(r.n) > now {
		if !r.dry {
			b.CaughtUp, r.dry = true, true
			return nil
		}
		if err := r.wait(ctx); err != nil {
			return err
		}
		now = r.now()
	}
	r.dry = false
	for r.used < connector.BatchSize && !r.over(r.n) {
		turn := r.turn(r.n)
		if turn > now {
			r.dry = true
			break
		}
		at := etime.Add(r.first, turn)
		if r.disorder > 0 {
			at = etime.Sub(at, r.delays.Int64N(etime.Span(r.disorder)+1))
		}
		r.values[r.used] = r.make(r.n, etime.Time(at), r.random)
		r.times[r.used] = at
		r.used++
		r.n++
	}
	b.Values, b.Times, b.CaughtUp = r.values[:r.used:r.used], r.times[:r.used:r.used], r.dry
	return nil
}

// wait waits for the turn of the next event.
func (r *reader[T]) wait(ctx context.Context) error {
	for turn := r.turn(r.n); turn > r.now(); {
		// A microsecond more, since what has passed is counted in whole ones.
		timer := time.NewTimer(etime.Duration(turn-r.now()) + time.Microsecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
	return nil
}

func (r *reader[T]) Close() error {
	r.count = 0
	return nil
}
