package window

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

const second = int64(1_000_000)

// seconds makes windows from bounds in seconds, two by two.
func seconds(bounds ...int64) []Interval {
	var ws []Interval
	for i := 0; i < len(bounds); i += 2 {
		ws = append(ws, Interval{bounds[i] * second, bounds[i+1] * second})
	}
	return ws
}

func TestAlignedWindowsOfAnInstant(t *testing.T) {
	s := time.Second
	for _, c := range []struct {
		a    Assigner
		t    int64 // µs
		want []Interval
	}{
		{Fixed(10 * s), 9 * second, seconds(0, 10)},
		{Fixed(10 * s), 10 * second, seconds(10, 20)},
		{Fixed(10 * s), 10*second - 1, seconds(0, 10)},
		{Fixed(10 * s), 0, seconds(0, 10)},
		{Fixed(10 * s), -1, seconds(-10, 0)},
		{Fixed(10 * s), -1000, seconds(-10, 0)},
		{Fixed(10 * s), -100 * second, seconds(-100, -90)},
		{Fixed(10 * s), -100*second - 1, seconds(-110, -100)},
		{Fixed(10 * s).Offset(3 * s), 2 * second, seconds(-7, 3)},
		{Fixed(10 * s).Offset(3 * s), 3 * second, seconds(3, 13)},
		{Fixed(10 * s).Offset(-7 * s), 3 * second, seconds(3, 13)},
		{Fixed(10 * s).Offset(23 * s), 3 * second, seconds(3, 13)},

		{Sliding(10*s, 5*s), 7 * second, seconds(0, 10, 5, 15)},
		{Sliding(10*s, 5*s), 5 * second, seconds(0, 10, 5, 15)},
		{Sliding(10*s, 5*s), 5*second - 1, seconds(-5, 5, 0, 10)},
		{Sliding(10*s, 5*s), -1, seconds(-10, 0, -5, 5)},
		{Sliding(10*s, 5*s), -100 * second, seconds(-105, -95, -100, -90)},
		{Sliding(10*s, 5*s).Offset(2 * s), 7 * second, seconds(2, 12, 7, 17)},
		{Sliding(10*s, 10*s), 7 * second, seconds(0, 10)},
		// Size is no multiple of period: two windows or three.
		{Sliding(10*s, 4*s), 1 * second, seconds(-8, 2, -4, 6, 0, 10)},
		{Sliding(10*s, 4*s), 2 * second, seconds(-4, 6, 0, 10)},
		// Period greater than size: gaps.
		{Sliding(2*s, 5*s), 1 * second, seconds(0, 2)},
		{Sliding(2*s, 5*s), 2 * second, nil},
		{Sliding(2*s, 5*s), 5*second - 1, nil},
		{Sliding(2*s, 5*s), 5 * second, seconds(5, 7)},
		{Sliding(2*s, 5*s), -1, nil},
		{Sliding(2*s, 5*s), -5 * second, seconds(-5, -3)},

		{Cumulative(10*s, 5*s), 0, seconds(0, 5, 0, 10)},
		{Cumulative(10*s, 5*s), 5 * second, seconds(0, 10)},
		{Cumulative(10*s, 5*s), 10 * second, seconds(10, 15, 10, 20)},
		{Cumulative(10*s, 5*s), -1, seconds(-10, 0)},
		{Cumulative(10*s, 5*s), -100 * second, seconds(-100, -95, -100, -90)},
		{Cumulative(9*s, 3*s), 4 * second, seconds(0, 6, 0, 9)},
		{Cumulative(9*s, 3*s), -1, seconds(-9, 0)},
		{Cumulative(9*s, 3*s), -3*second - 1, seconds(-9, -3, -9, 0)},
		{Cumulative(9*s, 3*s), -9 * second, seconds(-9, -6, -9, -3, -9, 0)},
		{Cumulative(9*s, 3*s), -9*second - 1, seconds(-18, -9)},
		{Cumulative(9*s, 3*s).Offset(-2 * s), -1, seconds(-2, 1, -2, 4, -2, 7)},
		{Cumulative(9*s, 3*s).Offset(-1 * s), 8 * second, seconds(8, 11, 8, 14, 8, 17)},
		{Cumulative(10*s, 10*s), 3 * second, seconds(0, 10)},

		{Session(30 * s), 7 * second, seconds(7, 37)},
		{Session(30 * s), -1, []Interval{{-1, 30*second - 1}}},
	} {
		if err := c.a.Validate(); err != nil {
			t.Errorf("%v is refused: %v", c.a, err)
		}
		if got := c.a.Assign(nil, c.t); !slices.Equal(got, c.want) {
			t.Errorf("%v: %s is in %v, want %v", c.a, etime.Format(c.t), got, c.want)
		}
	}
}

func TestAssignAppends(t *testing.T) {
	kept := Interval{1, 2}
	visits := Custom("visits", func(time.Time) []Interval { return []Interval{{5, 9}, {3, 9}, {5, 9}} })
	for _, a := range []Assigner{Global(), Fixed(time.Second), Sliding(time.Minute, time.Second), Cumulative(time.Hour, time.Minute),
		Session(time.Minute), Days(), Days().Cursor(), visits} {
		alone, after := a.Assign(nil, 7), a.Assign([]Interval{kept}, 7)
		if len(alone) == 0 || after[0] != kept || !slices.Equal(after[1:], alone) {
			t.Errorf("%v: appended to %v it gave %v, alone %v", a, kept, after, alone)
		}
	}
}

func TestYears1600And9999AreOrdinary(t *testing.T) {
	for _, c := range []struct{ instant, want string }{
		{"1600-02-29T23:59:59.999999Z", "[1600-02-29T23:00:00Z, 1600-03-01T00:00:00Z)"},
		{"9999-12-31T22:30:00Z", "[9999-12-31T22:00:00Z, 9999-12-31T23:00:00Z)"},
	} {
		if got := Fixed(time.Hour).Assign(nil, us(t, c.instant))[0].String(); got != c.want {
			t.Errorf("%s is in %s, want %s", c.instant, got, c.want)
		}
	}
}

// The oracle counts windows up one by one and asks each whether it holds the instant.
func TestAlignedWindowsAgreeWithCountingThemUp(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	µs := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	for range 5000 {
		instant := r.Int64N(400) - 200
		size, period, offset := r.Int64N(30)+1, r.Int64N(40)+1, r.Int64N(200)-100
		step := r.Int64N(8) + 1
		big := step * (r.Int64N(6) + 1)
		var fixed, sliding, cumulative []Interval
		for n := int64(-600); n <= 600; n++ {
			fixed = append(fixed, Interval{n*size + offset, (n+1)*size + offset})
			sliding = append(sliding, Interval{n*period + offset, n*period + offset + size})
			for length := step; length <= big; length += step {
				cumulative = append(cumulative, Interval{n*big + offset, n*big + offset + length})
			}
		}
		for _, c := range []struct {
			a   Assigner
			all []Interval
		}{
			{Fixed(µs(size)).Offset(µs(offset)), fixed},
			{Sliding(µs(size), µs(period)).Offset(µs(offset)), sliding},
			{Cumulative(µs(big), µs(step)).Offset(µs(offset)), cumulative},
		} {
			var want []Interval
			for _, w := range c.all {
				if w.lo <= instant && instant < w.hi {
					want = append(want, w)
				}
			}
			if got := c.a.Assign(nil, instant); !slices.Equal(got, want) {
				t.Fatalf("%v: %d µs is in %v, want %v", c.a, instant, got, want)
			}
		}
	}
}

func TestNoWindowWrapsAtTheEndsOfTime(t *testing.T) {
	apia, err := Zone("Pacific/Apia")
	if err != nil {
		t.Fatal(err)
	}
	ends := []int64{etime.Min, etime.Min + 1, etime.Min + 7*second, etime.Max - 7*second, etime.Max - 1, etime.Max}
	for _, a := range []Assigner{Global(), Fixed(time.Hour), Fixed(1 << 62).Offset(time.Hour), Sliding(time.Hour, time.Minute),
		Cumulative(time.Hour, time.Minute), Session(time.Hour), Days(), Weeks().Every(1_000_000), Years().Every(1_000_000),
		Years().In(apia).Every(1_000_000), Days().In(apia), Months().In(apia).Cursor()} {
		for _, instant := range ends {
			ws := a.Assign(nil, instant)
			if len(ws) == 0 {
				t.Errorf("%v: %d µs is in no window", a, instant)
			}
			for i, w := range ws {
				inside := max(instant, etime.Min+1)
				inside = min(inside, etime.Max-1)
				if w.lo > inside || w.hi <= inside {
					t.Errorf("%v: %d µs is in %v", a, instant, w)
				}
				if i > 0 && (w.hi < ws[i-1].hi || w == ws[i-1]) {
					t.Errorf("%v: %d µs is in %v and then in %v", a, instant, ws[i-1], w)
				}
			}
		}
	}
}

func FuzzSlidingHasExactlyTheWindowsThatHoldTheInstant(f *testing.F) {
	f.Add(int64(7), int64(10), int64(5), int64(0))
	f.Add(int64(-1), int64(10), int64(4), int64(-3))
	f.Add(int64(1<<60), int64(3), int64(1<<40), int64(1<<50))
	f.Add(int64(-1<<60), int64(1<<40), int64(1<<39+1), int64(-1<<50))
	f.Fuzz(func(t *testing.T, instant, size, period, offset int64) {
		const most = 1 << 50 // µs, what a duration holds and more than 35 years
		instant %= 1 << 62
		size, period, offset = size%most, period%most, offset%most
		if size <= 0 || period <= 0 || size/period > 1000 {
			return // parameters that Validate refuses, or more windows than a fuzzer has time for
		}
		a := Sliding(time.Duration(size)*time.Microsecond, time.Duration(period)*time.Microsecond).Offset(time.Duration(offset) * time.Microsecond)
		if err := a.Validate(); err != nil {
			t.Fatal(err)
		}
		ws := a.Assign(nil, instant)
		for i, w := range ws {
			if w.hi-w.lo != size || (w.lo-offset)%period != 0 || instant < w.lo || instant >= w.hi {
				t.Fatalf("%v: %d is in %d to %d", a, instant, w.lo, w.hi)
			}
			if i > 0 && w.lo-ws[i-1].lo != period {
				t.Fatalf("%v: %d is in windows that start %d apart", a, instant, w.lo-ws[i-1].lo)
			}
		}
		if len(ws) == 0 {
			if period <= size {
				t.Fatalf("%v: %d is in no window, but there are no gaps", a, instant)
			}
			// The last start at or before the instant is a size or more back.
			if back := ((instant-offset)%period + period) % period; back < size {
				t.Fatalf("%v: %d is in no window, but one started %d before", a, instant, back)
			}
			return
		}
		if before := ws[0]; before.hi-period > instant {
			t.Fatalf("%v: %d lacks the window before %v", a, instant, before)
		}
		if after := ws[len(ws)-1]; after.lo+period <= instant {
			t.Fatalf("%v: %d lacks the window after %v", a, instant, after)
		}
	})
}

func TestMicrosOfAlignedWindowsAreWhatARunnerReckonsWith(t *testing.T) {
	if size, offset := Fixed(10 * time.Second).Offset(-3 * time.Second).Micros(); size != 10*second || offset != 7*second {
		t.Errorf("fixed: size %d, offset %d", size, offset)
	}
	if size, period, offset := Sliding(10*time.Second, 4*time.Second).Offset(5 * time.Second).Micros(); size != 10*second || period != 4*second || offset != second {
		t.Errorf("sliding: size %d, period %d, offset %d", size, period, offset)
	}
	if size, step, offset := Cumulative(10*time.Second, 5*time.Second).Offset(8 * time.Second).Micros(); size != 10*second || step != 5*second || offset != 8*second {
		t.Errorf("cumulative: size %d, step %d, offset %d", size, step, offset)
	}
}

func BenchmarkFixedAssign(b *testing.B) {
	a := Fixed(10 * time.Second)
	buf := make([]Interval, 0, 1)
	for i := range b.N {
		buf = a.Assign(buf[:0], int64(i)*1000)
	}
}
