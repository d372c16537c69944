package watermark

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// strategies are all there are, with options that matter to a generator.
var strategies = []Strategy{
	Bounded(20 * time.Second),
	Ascending().Guard(Guard{Support: 30 * time.Second, MaxFutureSkew: 10 * time.Second}),
	Bounded(time.Minute).NoGuard(),
	Punctuated(func(*int) (time.Time, bool) { return time.Time{}, false }),
	Arrival(7 * time.Second),
	Periods(window.Fixed(15*time.Second), 3),
	ArrivalFrom(Periods(window.Days(), 0), func(*int) time.Time { return time.Time{} }),
	EndOfInput(),
	Adaptive(0.9, 5*time.Second, 25*time.Second),
	Adaptive(0.5, 0, time.Hour).NoGuard(),
}

// random gives n records with every column: mostly in order, some far out.
func random(rng *rand.Rand, n int, live bool) Columns {
	c := Columns{Live: live, Now: etime.Min}
	if live {
		c.Now = int64(n) * sec
	}
	mark := -10 * sec
	for i := range int64(n) {
		at := i*sec + rng.Int64N(40*sec) - 20*sec
		switch rng.IntN(20) {
		case 0:
			at += rng.Int64N(10 * day)
		case 1:
			at = etime.Min
		}
		arrival := i*sec + rng.Int64N(sec)
		if rng.IntN(10) == 0 {
			arrival -= 20 * sec
		}
		c.At, c.Arrival = append(c.At, at), append(c.Arrival, arrival)
		if rng.IntN(3) == 0 {
			mark += rng.Int64N(3 * sec)
			c.Mark = append(c.Mark, mark)
		} else {
			c.Mark = append(c.Mark, etime.Min)
		}
	}
	return c
}

func (c Columns) slice(i, j int) Columns {
	c.At, c.Arrival, c.Mark = c.At[i:j], c.Arrival[i:j], c.Mark[i:j]
	return c
}

// take feeds a batch and gives the watermarks before each record and after the last.
func take(t *testing.T, g Generator, c Columns) []int64 {
	t.Helper()
	w := make([]int64, len(c.At)+1)
	after, err := g.Observe(c, w)
	if err != nil {
		t.Fatal(err)
	}
	w[len(c.At)] = after
	return w
}

// each calls f with every strategy over random input, on replay and live.
func each(t *testing.T, f func(t *testing.T, s Strategy, c Columns, rng *rand.Rand)) {
	for _, s := range strategies {
		for _, live := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v live %v", s, live), func(t *testing.T) {
				for seed := range uint64(60) {
					rng := rand.New(rand.NewPCG(seed, 9))
					f(t, s, random(rng, 1+rng.IntN(80), live), rng)
				}
			})
		}
	}
}

func TestBatchSizeShowsInNoWatermark(t *testing.T) {
	each(t, func(t *testing.T, s Strategy, c Columns, rng *rand.Rand) {
		g := s.Start()
		want := take(t, g, c)
		split := s.Start()
		got := []int64{etime.Min}
		for i := 0; i < len(c.At); {
			j := min(len(c.At), i+rng.IntN(6)) // an empty batch now and then
			got = append(got[:i], take(t, split, c.slice(i, j))...)
			i = j
		}
		if !slices.Equal(got, want) {
			t.Fatalf("in pieces\n%v, at once\n%v", got, want)
		}
		if g.Future() != split.Future() {
			t.Fatalf("future: %d in pieces, %d at once", split.Future(), g.Future())
		}
	})
}

func TestWatermarkNeverMovesBackwards(t *testing.T) {
	each(t, func(t *testing.T, s Strategy, c Columns, _ *rand.Rand) {
		w := take(t, s.Start(), c)
		if !slices.IsSorted(w) {
			t.Fatalf("%v", w)
		}
	})
}

func TestStateRestoredAtEveryGapGoesOnAsIfNothingHadHappened(t *testing.T) {
	each(t, func(t *testing.T, s Strategy, c Columns, _ *rand.Rand) {
		whole := s.Start()
		want := take(t, whole, c)
		g := s.Start()
		for i := range c.At {
			if w := take(t, g, c.slice(i, i+1)); w[0] != want[i] {
				t.Fatalf("record %d is judged by %d, want %d", i, w[0], want[i])
			}
			state := g.AppendState([]int64{42})
			if state[0] != 42 {
				t.Fatal("AppendState changed what was there")
			}
			next := s.Start()
			if err := next.RestoreState(state[1:]); err != nil {
				t.Fatal(err)
			}
			if next.W() != g.W() || next.Future() != g.Future() {
				t.Fatalf("restored W %d, future %d; want %d, %d", next.W(), next.Future(), g.W(), g.Future())
			}
			g = next
		}
		if g.W() != whole.W() || g.Future() != whole.Future() {
			t.Fatalf("W %d, future %d; want %d, %d", g.W(), g.Future(), whole.W(), whole.Future())
		}
	})
}

func TestForeignStateIsRefusedAndChangesNothing(t *testing.T) {
	for _, s := range strategies {
		g := s.Start()
		before := g.AppendState(nil)
		for _, bad := range [][]int64{{1, 2, 3, 4, 5}, {0, 0, 7, 0}, {0, 0, 0, -1}, {etime.Max}, {5, 6, 7}} {
			if err := g.RestoreState(bad); err == nil {
				t.Errorf("%v took %v", s, bad)
			}
			if got := g.AppendState(nil); !slices.Equal(got, before) {
				t.Errorf("%v: refused state %v left %v", s, bad, got)
			}
		}
	}
}

func TestClockMovesAnIdleSplitOnlyIfAskedTo(t *testing.T) {
	now := 100 * sec
	for _, s := range strategies {
		if w := s.Start().Tick(now); w != etime.Min {
			t.Errorf("%v: W %d, want before everything", s, w)
		}
	}
	for _, c := range []struct {
		s    Strategy
		want int64
	}{
		{Bounded(20 * time.Second).IdleAdvance(), 80 * sec},
		{Punctuated(func(*int) (time.Time, bool) { return time.Time{}, false }).IdleAdvance(), 100 * sec},
		{Arrival(7 * time.Second).IdleAdvance(), 93 * sec},
		{Periods(window.Fixed(15*time.Second), 2).IdleAdvance(), 60 * sec},
		{Adaptive(0.9, 0, 20*time.Second).IdleAdvance(), 80 * sec}, // nothing is observed: the ceiling
	} {
		g := c.s.Start()
		if w := g.Tick(now); w != c.want || g.W() != c.want {
			t.Errorf("%v: W %d, want %d", c.s, w, c.want)
		}
		if w := g.Tick(now - 50*sec); w != c.want {
			t.Errorf("%v: a clock set back moved W to %d", c.s, w)
		}
	}
}

func TestOnlyTheEndOfInputReachesAfterEverything(t *testing.T) {
	last := []int64{etime.Max, etime.Max}
	for _, s := range append(strategies, Arrival(0)) {
		w := take(t, s.Start(), Columns{At: last, Arrival: last, Mark: last, Now: etime.Min})
		if slices.Contains(w, etime.Max) {
			t.Errorf("%v: W %v", s, w)
		}
	}
}

func TestBatchModeStandsBeforeEverythingUntilTheEnd(t *testing.T) {
	for _, w := range take(t, EndOfInput().Start(), Columns{At: []int64{1, day, etime.Max}}) {
		if w != etime.Min {
			t.Errorf("W %d, want before everything", w)
		}
	}
}

func FuzzBoundedIsMonotoneAndBlindToBatches(f *testing.F) {
	f.Add([]byte{1, 2, 200, 3, 4}, uint8(2), uint16(5), uint16(30), false)
	f.Fuzz(func(t *testing.T, steps []byte, size uint8, bound, support uint16, unguarded bool) {
		s := Bounded(time.Duration(bound) * time.Microsecond).Guard(Guard{Support: time.Duration(support) * time.Microsecond})
		if unguarded {
			s = s.NoGuard()
		}
		at, now := make([]int64, len(steps)), int64(0)
		for i, b := range steps {
			now += int64(int8(b)) * int64(b&7)
			at[i] = now
		}
		want := observe(t, s.Start(), at, max(1, len(at)))
		if !slices.IsSorted(want) {
			t.Errorf("W moves backwards: %v", want)
		}
		if got := observe(t, s.Start(), at, max(1, int(size))); !slices.Equal(got, want) {
			t.Errorf("batches of %d give %v, one gives %v", size, got, want)
		}
	})
}

func TestObserveAllocatesNothing(t *testing.T) {
	c := random(rand.New(rand.NewPCG(5, 6)), 200, false)
	w := make([]int64, len(c.At))
	for _, s := range strategies {
		g := s.Start()
		if n := testing.AllocsPerRun(10, func() { g.Observe(Columns{At: c.At, Arrival: c.Arrival, Mark: nothing[:len(c.At)], Now: etime.Min}, w) }); n != 0 {
			t.Errorf("%v allocates %v times a batch", s, n)
		}
	}
}

// nothing is a column without punctuations.
var nothing = slices.Repeat([]int64{etime.Min}, 200)
