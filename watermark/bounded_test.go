package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

const (
	ms   = int64(1000)
	sec  = 1000 * ms
	mins = 60 * sec
	hour = 60 * mins
	day  = 24 * hour
)

// seconds gives event times of whole seconds.
func seconds(s ...int64) []int64 {
	for i := range s {
		s[i] *= sec
	}
	return s
}

// observe feeds event times to a generator in batches of at most size and gives the watermark
// before each.
func observe(t *testing.T, g Generator, at []int64, size int) []int64 {
	t.Helper()
	var all []int64
	for b := range slices.Chunk(at, size) {
		w := make([]int64, len(b))
		after, err := g.Observe(Columns{At: b, Now: etime.Min}, w)
		if err != nil {
			t.Fatal(err)
		}
		if after != g.W() {
			t.Fatalf("Observe returned %d, W is %d", after, g.W())
		}
		all = append(all, w...)
	}
	return all
}

func TestBoundOfFiveAfterSixteenStandsAtEleven(t *testing.T) {
	for _, s := range []BoundedStrategy{Bounded(5 * time.Second), Bounded(5 * time.Second).NoGuard()} {
		g := s.Start()
		if g.W() != etime.Min {
			t.Errorf("%v starts at %d, want before everything", s, g.W())
		}
		observe(t, g, seconds(2, 5, 8, 13, 16), 5)
		if got := g.W(); got != 11*sec {
			t.Errorf("%v after 2, 5, 8, 13, 16 s: %s, want 11 s", s, etime.Format(got))
		}
	}
}

func TestLabsSevenIsJudgedAgainstTwentyInAnyBatchSize(t *testing.T) {
	lab := seconds(2, 5, 8, 13, 3, 16, 25, 7, 22, 28)
	want := seconds(0, 0, 0, 3, 8, 8, 11, 20, 20, 20)
	want[0], want[1] = etime.Min, etime.Min // a first record needs a second to support it
	for size := 1; size <= len(lab); size++ {
		g := Bounded(5 * time.Second).Start()
		if got := observe(t, g, lab, size); !slices.Equal(got, want) {
			t.Errorf("batches of %d: W before each\n%v, want\n%v", size, got, want)
		}
		if g.W() != 23*sec || g.Future() != 0 {
			t.Errorf("batches of %d: W %d, future %d; want 23 s and 0", size, g.W(), g.Future())
		}
	}
}

func TestTwoRowsWithOneTimestampAreNotLateUnderAscending(t *testing.T) {
	g := Ascending().Start()
	at := seconds(10, 10, 20, 20)
	w := observe(t, g, at, len(at))
	for i := range at {
		if at[i] < w[i] {
			t.Errorf("record %d at %d is behind %d", i, at[i], w[i])
		}
	}
	if g.W() != 20*sec {
		t.Errorf("W %d, want the greatest seen", g.W())
	}
}

func TestNegativeTimesMoveTheWatermarkLikeOthers(t *testing.T) {
	g := Bounded(time.Second).Start()
	observe(t, g, []int64{-20 * sec, -10 * sec, -15 * sec}, 3)
	if g.W() != -11*sec {
		t.Errorf("W %d, want -11 s", g.W())
	}
}

func TestRecordWithoutEventTimeMovesNothing(t *testing.T) {
	for _, s := range []Strategy{Ascending(), Ascending().NoGuard()} {
		g := s.Start()
		observe(t, g, []int64{etime.Min, 10 * sec, etime.Min, 20 * sec, etime.Min}, 2)
		if g.W() != 20*sec || g.Future() != 0 {
			t.Errorf("%v: W %d, future %d; want 20 s and 0", s, g.W(), g.Future())
		}
	}
}

func TestNoRecordMovesTheWatermarkAfterEverything(t *testing.T) {
	for _, s := range []Strategy{Ascending(), Ascending().NoGuard()} {
		g := s.Start()
		observe(t, g, []int64{etime.Max, etime.Max, etime.Max}, 3)
		if g.W() != etime.Max-1 {
			t.Errorf("%v: W %d, want the last instant before Max", s, g.W())
		}
	}
}

func TestExtremeTimesNeitherOverflowNorMoveBackwards(t *testing.T) {
	edge := []int64{etime.Min, etime.Min + 1, etime.Min + 2, -1, 0, 1, etime.Max - 2, etime.Max - 1, etime.Max}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		at := make([]int64, 12)
		for i := range at {
			at[i] = etime.Add(edge[rng.IntN(len(edge))], rng.Int64N(5)-2)
		}
		for _, s := range []Strategy{Bounded(time.Hour), Ascending().Guard(Guard{Support: time.Microsecond}), Bounded(1<<63 - 1 - 1<<63%1000).NoGuard()} {
			greatest, last := slices.Max(at), etime.Min
			for _, w := range observe(t, s.Start(), at, 5) {
				if w < last || w > greatest {
					t.Fatalf("%v over %v: W goes from %d to %d", s, at, last, w)
				}
				last = w
			}
		}
	}
}
