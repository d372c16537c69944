package watermark

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/window"
)

func TestCanonicalTextShowsWhatDiffersFromTheDefault(t *testing.T) {
	mark := func(*int) (time.Time, bool) { return time.Time{}, false }
	seen := func(*int) time.Time { return time.Time{} }
	for _, c := range []struct {
		s    Strategy
		want string
	}{
		{Bounded(5 * time.Second), "bounded(5s)"},
		{Bounded(90 * time.Minute).NoGuard(), "bounded(1h30m).noGuard"},
		{Ascending().Idle(time.Minute), "bounded(0s).idle(1m)"},
		{Ascending().IdleAdvance(), "bounded(0s).idleAdvance"},
		{Bounded(time.Hour).Guard(Guard{Support: 2 * time.Hour}), "bounded(1h).guard(skew 5m, support 2h)"},
		{Bounded(time.Hour).Guard(Guard{Support: time.Hour}), "bounded(1h)"},
		{Bounded(time.Hour).NoGuard().Guard(Guard{}), "bounded(1h)"},
		{Punctuated(mark).Idle(time.Second), "punctuated().idle(1s)"},
		{Arrival(5 * time.Second), "arrival(5s)"},
		{ArrivalFrom(Arrival(5*time.Second), seen), "arrival(5s).recorded"},
		{Periods(window.Fixed(time.Hour), 2), "periods(fixed(1h), 2)"},
		{EndOfInput(), "endOfInput()"},
		{Adaptive(0.99, time.Second, time.Minute), "adaptive(0.99, floor 1s, ceiling 1m)"},
		{Adaptive(0.5, 0, 0).NoGuard().Idle(time.Minute), "adaptive(0.5, floor 0s, ceiling 0s).noGuard.idle(1m)"},
		{Adaptive(0.5, 0, time.Hour).Guard(Guard{Support: time.Minute}).IdleAdvance(), "adaptive(0.5, floor 0s, ceiling 1h).guard(skew 5m, support 1m).idleAdvance"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("text %q, want %q", got, c.want)
		}
		if err := c.s.Validate(); err != nil {
			t.Errorf("%v: %v", c.s, err)
		}
	}
}

func TestValidateReportsEveryProblemAtOnce(t *testing.T) {
	for _, c := range []struct {
		s    Strategy
		want []string
	}{
		{
			Bounded(-time.Second).Guard(Guard{MaxFutureSkew: -1, Support: 1}).Idle(-1),
			[]string{"bound must not be negative, is -1s", "MaxFutureSkew must not be negative", "Support must be of whole microseconds, is 1ns", "idle timeout"},
		},
		{Bounded(1500 * time.Nanosecond), []string{"bound must be of whole microseconds, is 1.5µs"}},
		{Punctuated[int](nil).Idle(-1), []string{"function that reads the watermark is nil", "idle timeout"}},
		{Arrival(-1).Idle(-1), []string{"delay must not be negative", "idle timeout"}},
		{ArrivalFrom[int](Arrival(-1), nil), []string{"function that reads the arrival is nil", "delay must not be negative"}},
		{ArrivalFrom[int](Bounded(-1), nil), []string{"is nil", "bounded(-1ns) is not based on arrival", "bound must not"}},
		{ArrivalFrom[int](nil, nil), []string{"function that reads the arrival is nil", "the strategy is nil"}},
		{Periods(nil, -1).Idle(-1), []string{"the calendar is nil", "number of periods must not be negative, is -1", "idle timeout"}},
		{Periods(window.Fixed(0), 0), []string{"watermark.Periods: window.Fixed: size must be"}},
		{Periods(window.Sliding(time.Hour, time.Minute), 0), []string{"is no calendar"}},
		{Periods(window.Session(time.Hour), 0), []string{"is no calendar"}},
		{Periods(window.Global(), 0), []string{"is no calendar"}},
		{Adaptive(0, -1, time.Hour).Guard(Guard{Support: -1}).Idle(-1), []string{"quantile must be more than 0 and less than 1, is 0", "floor must not be negative, is -1ns", "Support must not", "idle timeout"}},
		{Adaptive(1, time.Minute, time.Second), []string{"quantile must be more than 0 and less than 1, is 1", "ceiling must not be less than floor, but 1s is less than 1m0s"}},
		{Adaptive(math.NaN(), 0, 1500), []string{"is NaN", "ceiling must be of whole microseconds, is 1.5µs"}},
	} {
		err := c.s.Validate()
		if err == nil {
			t.Errorf("%v: no error", c.s)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q lacks %q", c.s, err, want)
			}
		}
	}
}

func TestNoSplitIsIdleBySilenceUnlessAsked(t *testing.T) {
	for _, s := range strategies {
		if IdleTimeout(s) != 0 || IdleAdvances(s) {
			t.Errorf("%v: timeout %v, advances %v; want none", s, IdleTimeout(s), IdleAdvances(s))
		}
	}
	if got := IdleTimeout(Periods(window.Days(), 0).Idle(time.Minute)); got != time.Minute {
		t.Errorf("timeout %v, want a minute", got)
	}
}

func TestEachStrategyAsksOnlyForWhatItReads(t *testing.T) {
	for _, c := range []struct {
		s    Strategy
		want Needs
	}{
		{Ascending(), Needs{Now: true}},
		{Ascending().NoGuard(), Needs{}},
		{Punctuated[int](nil), Needs{Mark: true}},
		{Arrival(0), Needs{Arrival: true}},
		{Periods(window.Days(), 0), Needs{Arrival: true}},
		{EndOfInput(), Needs{}},
		{Adaptive(0.5, 0, 0), Needs{Now: true}},
		{Adaptive(0.5, 0, 0).NoGuard(), Needs{}},
	} {
		if got := c.s.Needs(); got != c.want {
			t.Errorf("%v needs %+v, want %+v", c.s, got, c.want)
		}
	}
}
