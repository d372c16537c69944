package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// honest gives n event times, a second apart from first.
func honest(first int64, n int) []int64 {
	at := make([]int64, n)
	for i := range at {
		at[i] = first + int64(i)*sec
	}
	return at
}

// driver is the rule of S3.4 word by word: the greatest event time that another record supports.
func driver(at []int64, support int64) int64 {
	d := etime.Min
	for i, t := range at {
		for j, u := range at {
			if i != j && u >= t-support {
				d = max(d, t)
			}
		}
	}
	return d
}

func TestReplayIsDrivenByTheGreatestTimeThatAnotherRecordSupports(t *testing.T) {
	const bound, support = 3, 10
	s := Bounded(bound * time.Microsecond).Guard(Guard{Support: support * time.Microsecond})
	rng := rand.New(rand.NewPCG(3, 4))
	for range 4000 {
		spread := []int64{6, 15, 60, 400}[rng.IntN(4)]
		at := make([]int64, 1+rng.IntN(30))
		for i := range at {
			at[i] = rng.Int64N(spread) + int64(i)*rng.Int64N(4)
		}
		for i, w := range observe(t, s.Start(), at, 1+rng.IntN(len(at))) {
			want := etime.Sub(driver(at[:i], support), bound)
			if w != want {
				t.Fatalf("%v: before record %d W is %d, want %d", at, i, w, want)
			}
		}
	}
}

func TestRowADayAheadMakesNoHonestRowLateOnReplay(t *testing.T) {
	at := slices.Concat(honest(0, 10), []int64{day}, honest(10*sec, 10))
	g := Ascending().Start()
	w := observe(t, g, at, len(at))
	for i := range at {
		if at[i] < w[i] {
			t.Errorf("record %d at %d is late: W %d", i, at[i], w[i])
		}
	}
	if g.W() != 19*sec {
		t.Errorf("W %d, want that of the last honest row", g.W())
	}
	if g.Future() != 1 {
		t.Errorf("counted %d rows from the future, want 1", g.Future())
	}
}

func TestTwoRowsFarAheadThatSupportEachOtherMoveTheWatermark(t *testing.T) {
	at := append(honest(0, 10), day, day-hour)
	g := Ascending().Start()
	observe(t, g, at, 1)
	if g.W() != day {
		t.Errorf("W %d, want a day: an hour apart is support", g.W())
	}
	g = Ascending().Start()
	observe(t, g, append(honest(0, 10), day, day-hour-1), 1)
	if g.W() != day-hour-1 {
		t.Errorf("W %d, want that of the lesser: the greater supports it, but not the other way", g.W())
	}
}

func TestFirstRecordAloneDrivesNothingOnReplay(t *testing.T) {
	g := Ascending().Start()
	observe(t, g, []int64{day}, 1)
	if g.W() != etime.Min || g.Future() != 0 {
		t.Errorf("W %d, future %d; want before everything and 0", g.W(), g.Future())
	}
	observe(t, g, honest(0, 3), 1)
	if g.W() != 2*sec || g.Future() != 1 {
		t.Errorf("W %d, future %d; want 2 s and the first row found out", g.W(), g.Future())
	}
}

func TestSparseDataIsOneRecordBehindAndNotFromTheFuture(t *testing.T) {
	g := Ascending().Start()
	at := []int64{0, 2 * hour, 4 * hour, 6 * hour}
	if got, want := observe(t, g, at, 2), []int64{etime.Min, etime.Min, 0, 2 * hour}; !slices.Equal(got, want) {
		t.Errorf("W before each %v, want %v", got, want)
	}
	if g.W() != 4*hour || g.Future() != 1 {
		t.Errorf("W %d, future %d; want 4 h, and 1 for the last row that stands alone", g.W(), g.Future())
	}
	observe(t, g, []int64{6*hour + 1}, 1)
	if g.W() != 6*hour+1 || g.Future() != 0 {
		t.Errorf("W %d, future %d; want 6 h and a microsecond, and 0", g.W(), g.Future())
	}
}

func TestEachLoneRowFromTheFutureIsCountedOnce(t *testing.T) {
	at := slices.Concat(honest(0, 5), []int64{9 * day}, honest(5*sec, 5), []int64{3 * day}, honest(10*sec, 5))
	g := Ascending().Start()
	observe(t, g, at, 4)
	// The row at 3 days is supported by the one at 9 days, which is beyond it.
	if g.W() != 3*day || g.Future() != 1 {
		t.Errorf("W %d, future %d; want 3 days and 1", g.W(), g.Future())
	}
}

// live feeds one batch of a live source at processing time now.
func live(t *testing.T, g Generator, now int64, at ...int64) []int64 {
	t.Helper()
	w := make([]int64, len(at))
	if _, err := g.Observe(Columns{At: at, Now: now, Live: true}, w); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestLiveRecordMovesTheWatermarkAtMostTheSkewPastTheClock(t *testing.T) {
	now := 1000 * day
	for _, c := range []struct{ at, want, future int64 }{
		{now, now, 0},
		{now + 5*mins, now + 5*mins, 0},
		{now + 5*mins + 1, now - sec, 1},
		{now + day, now - sec, 1},
		{etime.Max, now - sec, 1},
	} {
		g := Ascending().Start()
		live(t, g, now, now-sec, c.at)
		if g.W() != c.want || g.Future() != c.future {
			t.Errorf("record %d µs past the clock: W %d past, future %d; want %d, %d", c.at-now, g.W()-now, g.Future(), c.want-now, c.future)
		}
	}
}

func TestRowADayAheadMakesNoHonestRowLateOnALiveSource(t *testing.T) {
	start := 1000 * day
	g := Ascending().Start()
	for i, at := range slices.Concat(honest(start, 10), []int64{start + day}, honest(start+10*sec, 10)) {
		if w := live(t, g, start+int64(i)*sec, at); at < w[0] {
			t.Errorf("record %d at %d is late: W %d", i, at, w[0])
		}
	}
	if g.W() != start+19*sec || g.Future() != 1 {
		t.Errorf("W %d past the start, future %d; want 19 s and 1", g.W()-start, g.Future())
	}
	// A day later the clock reaches it. Still nothing honest is late.
	if w := live(t, g, start+day-1, start+day-1, start+day-1); w[1] != start+day-1 {
		t.Errorf("W %d past the start, want a microsecond less than a day", w[1]-start)
	}
	if w := live(t, g, start+day, start+day); w[0] != start+day {
		t.Errorf("W %d past the start, want a day", w[0]-start)
	}
}

func TestWatermarkMovesThoughEveryClockRunsFast(t *testing.T) {
	start, fast := 1000*day, 10*mins
	g := Ascending().Start()
	for s := int64(0); s < 3600; s++ {
		now := start + s*sec
		w := live(t, g, now, now+fast)[0]
		if w > now {
			t.Fatalf("W %d µs past the clock", w-now)
		}
		if s > 600 && w < now-fast-sec {
			t.Fatalf("after %d s W is %d µs behind the clock, want at most the error of the clocks", s, now-w)
		}
	}
}

func TestFirstRecordOfALiveSourceDrivesAtOnce(t *testing.T) {
	g := Bounded(time.Second).Start()
	live(t, g, 10*sec, 8*sec)
	if g.W() != 7*sec {
		t.Errorf("W %d, want 7 s", g.W())
	}
}

func TestReplayOfOldDataStartsItsOwnWatermark(t *testing.T) {
	s := Bounded(time.Second)
	first := s.Start()
	live(t, first, 20_000*day, 20_000*day)
	old := s.Start()
	if old.W() != etime.Min {
		t.Errorf("a second generator starts at %d, want before everything", old.W())
	}
	w := observe(t, old, honest(100*day, 5), 5)
	if w[4] != 100*day+2*sec {
		t.Errorf("W before the last old row %d, want 2 s past the first", w[4]-100*day)
	}
}

func TestGuardWithheldOnReplayIsJudgedByTheClockWhenTheSourceGoesLive(t *testing.T) {
	now := 1000 * day
	g := Ascending().Start()
	observe(t, g, append(honest(now-day, 5), now-sec), 3)
	if g.W() != now-day+4*sec {
		t.Fatalf("W %d, want that of the last supported row", g.W())
	}
	live(t, g, now)
	if g.W() != now-sec || g.Future() != 0 {
		t.Errorf("W %d before the clock, future %d; want a second and 0: the clock has reached it", now-g.W(), g.Future())
	}
}

func TestWhatTheClockWithheldIsJudgedByTheRecordsWithoutAClock(t *testing.T) {
	now := 1000 * day
	g := Ascending().Start()
	live(t, g, now, now, now+10*mins)
	if g.W() != now {
		t.Fatalf("W %d past the clock, want 0", g.W()-now)
	}
	if w := observe(t, g, []int64{now}, 1); w[0] != now+10*mins {
		t.Errorf("W %d past the clock, want 10 min: the row before is less than an hour behind", w[0]-now)
	}
}

func TestWithoutGuardOneRowMovesTheWatermarkAllTheWay(t *testing.T) {
	g := Ascending().NoGuard().Start()
	observe(t, g, []int64{0, day, sec}, 3)
	if g.W() != day || g.Future() != 0 {
		t.Errorf("W %d, future %d; want a day, and nothing counted", g.W(), g.Future())
	}
}
