package watermark

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestFloorAndCeilingThatAreEqualMakeTheBoundFixed(t *testing.T) {
	for _, live := range []bool{false, true} {
		for seed := range uint64(40) {
			c := random(rand.New(rand.NewPCG(seed, 4)), 3000, live)
			got := take(t, Adaptive(0.9, 20*time.Second, 20*time.Second).Start(), c)
			if want := take(t, Bounded(20*time.Second).Start(), c); !slices.Equal(got, want) {
				t.Fatalf("live %v, seed %d: the watermarks differ from those of a fixed bound", live, seed)
			}
		}
	}
}

// late counts the records that are behind the watermark before them.
func late(at, w []int64) (n int) {
	for i, t := range at {
		if t < w[i] {
			n++
		}
	}
	return n
}

// delayed gives n records a millisecond apart whose event times lie back by delay().
func delayed(n int, delay func() time.Duration) []int64 {
	at := make([]int64, n)
	for i := range at {
		at[i] = int64(i)*ms - delay().Microseconds()
	}
	return at
}

func TestTheShareOfLateRecordsIsWhatTheQuantileLeaves(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	const n = 200_000
	for _, c := range []struct {
		name   string
		delay  func() time.Duration
		fewest float64 // of the share that the quantile leaves
	}{
		{"exponential, 200 ms on average", func() time.Duration { return time.Duration(rng.ExpFloat64() * 2e8) }, 0.6},
		{"uniform up to 5 s", func() time.Duration { return time.Duration(rng.Int64N(5e9)) }, 0},
		{"log-normal, a heavy tail", func() time.Duration { return time.Duration(1e7 * math.Exp(2*rng.NormFloat64())) }, 0.8},
	} {
		at := delayed(n, c.delay)
		for _, q := range []float64{0.5, 0.9, 0.99, 0.999} {
			g := Adaptive(q, 0, time.Hour).Start()
			w := take(t, g, Columns{At: at, Now: etime.Min})
			got := float64(late(at, w)) / n
			// Delays are rounded up by a sixteenth at most, so that fewer are late: none where the
			// delays have an end, and e^(-6.9/16) times as many in the tail of an exponential. The
			// weights halve, so that about 24,000 records are looked at.
			deviation := 4 * math.Sqrt((1-q)*q/24_000)
			if got > 1-q+deviation || got < (1-q)*c.fewest-deviation {
				t.Errorf("%s: %.4f are late with a quantile of %v, want about %.4f", c.name, got, q, 1-q)
			}
		}
	}
}

func TestTheBoundStaysBetweenFloorAndCeiling(t *testing.T) {
	for _, c := range []struct{ delay, want time.Duration }{
		{0, 2 * time.Second},            // below the floor
		{time.Minute, 10 * time.Second}, // above the ceiling
		{5 * time.Second, 5242879 * time.Microsecond},
	} {
		high := int64(0) // the greatest event time read
		g := Adaptive(0.5, 2*time.Second, 10*time.Second).NoGuard().Start()
		for i := range int64(2000) {
			// Nine in ten lie back by the delay.
			at := i * ms
			if i%10 != 0 {
				at -= c.delay.Microseconds()
			}
			high = max(high, at)
			take(t, g, Columns{At: []int64{at}, Now: etime.Min})
		}
		// A record that lies back by 5 s is observed up to 9 ms later than the one in order before
		// it, with a delay of 4.991 s to 4.999 s: of the bucket from 19 to 20 times 2^18 µs.
		if got := etime.Duration(high - g.W()); got != c.want {
			t.Errorf("delay %v: the watermark is %v behind, want %v", c.delay, got, c.want)
		}
	}
}

func TestUntilDelaysAreKnownTheBoundIsTheCeiling(t *testing.T) {
	at := delayed(1000, func() time.Duration { return 0 })
	w := take(t, Adaptive(0.9, 0, 30*time.Second).NoGuard().Start(), Columns{At: at, Now: etime.Min})
	for i := 1; i < 256; i++ {
		if want := at[i-1] - 30*sec; w[i] != want {
			t.Fatalf("record %d is judged by %d, want %d", i, w[i], want)
		}
	}
	if w[256] != at[255] { // 256 delays of 0 are known
		t.Errorf("after 256 records the watermark is %d, want %d", w[256], at[255])
	}
}

func TestAStormWidensTheBoundAndItsEndNarrowsIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	size := time.Second
	at := delayed(400_000, func() time.Duration { return 0 })
	behind := func(g Generator, from, to int) (total time.Duration) {
		for i := from; i < to; i++ {
			at[i] -= rng.Int64N(size.Microseconds())
		}
		take(t, g, Columns{At: at[from:to], Now: etime.Min})
		return etime.Duration(slices.Max(at[:to]) - g.W())
	}
	g := Adaptive(0.95, 0, time.Minute).Start()
	if got := behind(g, 0, 100_000); got < 900*time.Millisecond || got > 1100*time.Millisecond {
		t.Errorf("disorder of 1 s: %v behind", got)
	}
	size = 20 * time.Second
	if got := behind(g, 100_000, 200_000); got < 18*time.Second || got > 21*time.Second {
		t.Errorf("disorder of 20 s: %v behind", got)
	}
	size = time.Second
	if got := behind(g, 200_000, 400_000); got < 900*time.Millisecond || got > 1200*time.Millisecond {
		t.Errorf("disorder of 1 s again: %v behind", got)
	}
}

// A network that stands still for an hour, and then delivers all of it in order.
func TestAnOutageThatDeliversInOrderMakesNothingLate(t *testing.T) {
	at := delayed(100_000, func() time.Duration { return 0 })
	c := Columns{Live: true, At: at}
	g := Adaptive(0.99, 0, time.Minute).Start()
	for i := 0; i < len(at); i += 1000 {
		batch := c.At[i : i+1000]
		now := batch[999]
		if i >= 50_000 {
			now += hour
		}
		w := take(t, g, Columns{At: batch, Now: now, Live: true})
		if n := late(batch, w); n != 0 {
			t.Fatalf("%d records are late", n)
		}
	}
}

func TestALoneRowFromTheFutureMovesNeitherWatermarkNorBound(t *testing.T) {
	at := delayed(10_000, func() time.Duration { return 0 })
	clean := take(t, Adaptive(0.9, 0, time.Minute).Start(), Columns{At: at, Now: etime.Min})
	poisoned := slices.Insert(slices.Clone(at), 5000, at[5000]+day)
	g := Adaptive(0.9, 0, time.Minute).Start()
	w := take(t, g, Columns{At: poisoned, Now: etime.Min})
	if got := slices.Delete(slices.Clone(w), 5000, 5001); !slices.Equal(got, clean) {
		t.Error("the watermarks of the others have changed")
	}
	if g.Future() != 1 {
		t.Errorf("%d from the future, want 1", g.Future())
	}
}

func TestStateOfADecayedHistogramGoesOnAsIfNothingHadHappened(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	at := delayed(60_000, func() time.Duration { return time.Duration(rng.ExpFloat64() * 1e9) })
	s := Adaptive(0.97, time.Millisecond, time.Minute)
	whole := take(t, s.Start(), Columns{At: at, Now: etime.Min})
	g, i := s.Start(), 0
	for i < len(at) {
		j := min(len(at), i+1+rng.IntN(5000))
		if w := take(t, g, Columns{At: at[i:j], Now: etime.Min}); !slices.Equal(w, whole[i:j+1]) {
			t.Fatalf("records %d to %d are judged otherwise", i, j)
		}
		next := s.Start()
		if err := next.RestoreState(g.AppendState(nil)); err != nil {
			t.Fatal(err)
		}
		g, i = next, j
	}
}

func TestDamagedStateOfAnAdaptiveStrategyIsRefused(t *testing.T) {
	s := Adaptive(0.9, 2*time.Second, time.Minute)
	g := s.Start()
	take(t, g, Columns{At: delayed(1000, func() time.Duration { return 3 * time.Second }), Now: etime.Min})
	good := g.AppendState(nil)
	const w, bound, seen, first = 4, 5, 6, 7
	for name, damage := range map[string]func(s []int64) []int64{
		"a watermark ahead of the bound":   func(s []int64) []int64 { s[w] = s[0]; return s },
		"a bound below the floor":          func(s []int64) []int64 { s[bound] = 1; return s },
		"a bound above the ceiling":        func(s []int64) []int64 { s[bound] = hour; return s },
		"a count below zero":               func(s []int64) []int64 { s[seen] = -1; return s },
		"a count beyond a half-life":       func(s []int64) []int64 { s[seen] = 16_384; return s },
		"more counted than weighed":        func(s []int64) []int64 { s[seen] += 100; return s },
		"half a bucket":                    func(s []int64) []int64 { return s[:len(s)-1] },
		"a bucket twice":                   func(s []int64) []int64 { return append(s, s[first], 1) },
		"a bucket that is none":            func(s []int64) []int64 { return append(s, 960, 1) },
		"a weight of nothing":              func(s []int64) []int64 { return append(s, 959, 0) },
		"more weight than can be":          func(s []int64) []int64 { return append(s, 959, 1<<62) },
		"nothing but the frontier's state": func(s []int64) []int64 { return s[:4] },
	} {
		next := s.Start()
		before := next.AppendState(nil)
		if err := next.RestoreState(damage(slices.Clone(good))); err == nil {
			t.Errorf("%s is accepted", name)
		}
		if !slices.Equal(next.AppendState(nil), before) {
			t.Errorf("%s is refused, but left something", name)
		}
	}
	if err := s.Start().RestoreState(good); err != nil {
		t.Error(err)
	}
}

func TestBucketsCoverEveryDelayToASixteenth(t *testing.T) {
	last := int64(-1)
	for b := range buckets {
		lo, hi := last+1, upper(b)
		if bucket(lo) != b || bucket(hi) != b {
			t.Fatalf("bucket %d is said to be %d to %d, which go to %d and %d", b, lo, hi, bucket(lo), bucket(hi))
		}
		if float64(hi-lo) > float64(lo)/16 {
			t.Fatalf("bucket %d, %d to %d, is wider than a sixteenth", b, lo, hi)
		}
		last = hi
	}
	if last != etime.Max {
		t.Errorf("the last bucket ends at %d", last)
	}
}

func FuzzAdaptiveIsMonotoneAndBlindToBatches(f *testing.F) {
	f.Add([]byte{1, 2, 200, 3, 4}, uint8(2), uint16(5), uint16(30), uint8(99), false)
	f.Fuzz(func(t *testing.T, steps []byte, size uint8, floor, more uint16, percent uint8, unguarded bool) {
		µs := time.Microsecond
		s := Adaptive(float64(1+percent%99)/100, time.Duration(floor)*µs, time.Duration(int(floor)+int(more))*µs)
		if unguarded {
			s = s.NoGuard()
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		at, now := make([]int64, 300+len(steps)), int64(0)
		for i := range at {
			if i < len(steps) {
				now += int64(int8(steps[i])) * int64(steps[i]&7)
			} else {
				now += int64(i % 7)
			}
			at[i] = now
		}
		want := observe(t, s.Start(), at, len(at))
		if !slices.IsSorted(want) {
			t.Errorf("W moves backwards: %v", want)
		}
		if got := observe(t, s.Start(), at, max(1, int(size))); !slices.Equal(got, want) {
			t.Errorf("batches of %d give %v, one gives %v", size, got, want)
		}
	})
}
