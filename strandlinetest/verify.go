package strandlinetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/trial"
)

// ErrDiffer: two runs of a pipeline over the same data ended with different answers.
const ErrDiffer = mismatch("Answers differ")

// Verify fails the test unless what build makes of data is the same whatever the run is like
// (S9.1): in batch mode and in replay, with one worker and with several, in large batches and
// small ones, from one split and from several, and in other orders of arrival in which no
// record is more than bound behind another. It runs the pipeline some twenty times; build is
// called for each of them, and must give the same steps each time.
//
// It finds functions that go by the order of arrival, the wall clock, the order of a map or what
// an earlier call left behind. [Verification] has more to set.
//
//	strandlinetest.Verify(t, readings, at, 5*time.Second,
//		func(in strandline.PCollection[Reading]) strandline.PCollection[strandline.KV[string, int64]] {
//			return in.KeyBy("sensor", sensor).WindowInto(window.Fixed(time.Minute)).
//				CombinePerKey("count", combine.Count[Reading]()).PCollection
//		})
func Verify[T, U any](t testing.TB, data []T, at func(*T) time.Time, bound time.Duration, build func(strandline.PCollection[T]) strandline.PCollection[U]) {
	t.Helper()
	Verification[T, U]{Data: data, Time: at, Bound: bound, Build: build}.Run(t)
}

// Verification is what [Verify] does, with everything that can be set. The first four fields
// are needed.
//
// The answer of a run is the final value of each key and window: that of the last pane, or what
// retractions leave. It is an error if it cannot be told which pane is the last: sessions that give
// early panes have to be Retracting, or FinalOnly. The key
// is that of a [strandline.KV]; values of other types are compared as a bag for each window, of
// which only one pane may come. Values are compared as [Value] says, but for what may differ
// between runs that are right: floats by a part in 10⁹ (S7.3), and slices in their order
// (S7.4).
type Verification[T, U any] struct {
	// Data are the records, in an order in which they may arrive. They are not written to.
	Data []T
	// Time gives a record's event time.
	Time func(*T) time.Time
	// Bound is how far behind another a record may be, in event time. It is raised to what
	// Data needs, so that nothing is late where it is read.
	Bound time.Duration
	// Build makes the pipeline behind its source.
	Build func(strandline.PCollection[T]) strandline.PCollection[U]

	// Merge makes one value of two panes of one key and window, for panes that discard. By
	// default the last pane is the answer.
	Merge func(a, b U) U
	// Alike replaces the comparison of two values.
	Alike func(a, b U) bool
	// Orders is the number of other orders of arrival. Defaults to 3.
	Orders int
	// Seed decides which they are, and how the steps of some runs take turns. The default is 0.
	Seed uint64
}

// Run fails the test if [Verification.Check] finds something.
func (v Verification[T, U]) Run(t testing.TB) {
	t.Helper()
	if err := v.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// Check is [Verification.Run] outside tests. It returns an [ErrDiffer] with two runs that do not
// agree, the first step that gives something else, and the keys and windows with both values; and
// with as few of the records as are needed to show it, over which these values are. Or it returns
// the error of a run that failed, with what that run was like.
func (v Verification[T, U]) Check(ctx context.Context) error {
	if v.Time == nil || v.Build == nil {
		return errors.New("strandlinetest: a Verification needs Time and Build")
	}
	if v.Bound < 0 {
		return fmt.Errorf("strandlinetest: Bound is %v: it cannot be negative", v.Bound)
	}
	if v.Orders <= 0 {
		v.Orders = 3
	}
	var first *answer[U]
	all := trial.Settings(v.Orders)
	for _, s := range all {
		a, err := v.try(ctx, s, v.Data)
		if err != nil {
			return fmt.Errorf("%v: %w", s, err)
		}
		if first == nil {
			first = a
		} else if d := differ(first, a, v.same); d != nil {
			return v.explain(ctx, all, d)
		}
	}
	return nil
}

// needs is how far behind another a record of vs is, at the most, in microseconds.
func needs[T any](vs []T, at func(*T) time.Time) int64 {
	high, most := etime.Min, int64(0)
	for i := range vs {
		t := etime.Micros(at(&vs[i]))
		high = max(high, t)
		most = max(most, etime.Sub(high, t))
	}
	return most
}
