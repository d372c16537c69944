package datagen_test

import (
	"context"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/datagen"
)

type event struct {
	N    int64
	At   time.Time
	Dice int
}

func roll(n int64, at time.Time, r *rand.Rand) event { return event{n, at, r.IntN(6) + 1} }

var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func open[T any](t *testing.T, g datagen.Generator[T]) connector.Reader[T] {
	t.Helper()
	splits, err := g.Splits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := splits[0].Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// all reads a generator to its end.
func all(t *testing.T, g datagen.Generator[event]) (events []event, times []int64) {
	t.Helper()
	r := open(t, g)
	defer r.Close()
	for {
		var b connector.Batch[event]
		err := r.Read(t.Context(), &b)
		if err == io.EOF {
			return events, times
		}
		if err != nil {
			t.Fatal(err)
		}
		events, times = append(events, b.Values...), append(times, b.Times...)
	}
}

func TestGeneratorsKeepTheContract(t *testing.T) {
	bounded := datagen.Events("dice", roll).Count(3000).Disorder(time.Second)
	want, _ := all(t, bounded)
	connectortest.ExerciseSource(t, func(*testing.T) connector.Source[event] { return bounded }, want)

	// As a live source: all but the first wait for their turn.
	live := datagen.Events("dice", roll).Rate(1e-6).Start(start)
	connectortest.ExerciseSource(t, func(*testing.T) connector.Source[event] { return live },
		[]event{{0, start, firstRoll(t)}})
}

func firstRoll(t *testing.T) int {
	events, _ := all(t, datagen.Events("dice", roll).Count(1))
	return events[0].Dice
}

func TestOneSeedGivesTheSameEvents(t *testing.T) {
	g := datagen.Events("dice", roll).Count(5000).Seed(7)
	first, _ := all(t, g)
	second, _ := all(t, g)
	if !reflect.DeepEqual(first, second) {
		t.Error("the same seed gave other events")
	}
	other, _ := all(t, g.Seed(8))
	disordered, _ := all(t, g.Disorder(time.Second))
	sameDice, sameDisordered := 0, 0
	for i := range first {
		if first[i].Dice == other[i].Dice {
			sameDice++
		}
		if first[i].Dice == disordered[i].Dice {
			sameDisordered++
		}
	}
	if sameDice > 1000 { // a sixth is 833
		t.Errorf("another seed gave %d of 5000 dice alike", sameDice)
	}
	if sameDisordered != 5000 {
		t.Errorf("disorder changed the contents of %d events", 5000-sameDisordered)
	}
}

func TestEventsAreAStepApart(t *testing.T) {
	events, times := all(t, datagen.Events("dice", roll).Count(3).Step(90*time.Second).Start(start))
	for i, want := range []string{"2026-03-01T00:00:00Z", "2026-03-01T00:01:30Z", "2026-03-01T00:03:00Z"} {
		if got := events[i].At.Format(time.RFC3339Nano); got != want || times[i] != events[i].At.UnixMicro() {
			t.Errorf("event %d is at %s and %d, want %s", i, got, times[i], want)
		}
	}
	events, _ = all(t, datagen.Events("dice", roll).Count(5).Step(400*time.Nanosecond).Start(start))
	for i, want := range []int64{0, 0, 0, 1, 1} { // 0, 400, 800, 1200, 1600 ns
		if got := events[i].At.Sub(start).Microseconds(); got != want {
			t.Errorf("event %d of a step of 400 ns is at %d µs, want %d", i, got, want)
		}
	}
}

func TestDisorderStaysWithinItsBound(t *testing.T) {
	const bound = 2 * time.Second
	_, times := all(t, datagen.Events("dice", roll).Count(20_000).Step(time.Millisecond).Disorder(bound))
	greatest, behind, most := times[0], 0, time.Duration(0)
	for _, at := range times {
		if late := time.Duration(greatest-at) * time.Microsecond; late > 0 {
			behind++
			most = max(most, late)
		}
		greatest = max(greatest, at)
	}
	if most > bound {
		t.Errorf("an event is %v behind the greatest time before it, and the bound is %v", most, bound)
	}
	if behind < 19_000 || most < bound*9/10 {
		t.Errorf("%d of 20,000 events are behind, by %v at most: that is hardly disorder of up to %v", behind, most, bound)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		g    datagen.Generator[event]
		want int
	}{
		{"count", datagen.Events("dice", roll).Count(2500), 2500},
		{"nothing", datagen.Events("dice", roll).Count(0), 0},
		{"three seconds by the millisecond", datagen.Events("dice", roll).For(3 * time.Second), 3000},
		{"whichever comes first", datagen.Events("dice", roll).For(3 * time.Second).Count(5), 5},
	} {
		if events, _ := all(t, c.g); len(events) != c.want {
			t.Errorf("%s: %d events, want %d", c.name, len(events), c.want)
		}
		if !c.g.Bounded() {
			t.Errorf("%s: not bounded", c.name)
		}
	}
	if datagen.Events("dice", roll).Rate(5).Bounded() {
		t.Error("bounded without a limit")
	}
}

func TestARateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := open(t, datagen.Events("dice", roll).Rate(10).For(3*time.Second))
		defer r.Close()
		n := 0
		for {
			var b connector.Batch[event]
			err := r.Read(t.Context(), &b)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range b.Values {
				// Event n comes n tenths of a second after the start, and that is its event time.
				due := began.Add(time.Duration(n) * 100 * time.Millisecond)
				if late := time.Since(due); late < 0 || late > time.Millisecond || !e.At.Equal(due) {
					t.Errorf("event %d with event time %v came at %v, %v after its turn", n, e.At, time.Now(), late)
				}
				n++
			}
		}
		if n != 30 {
			t.Errorf("%d events in 3 s at 10 a second", n)
		}
	})
}

func TestAReaderThatFellBehindCatchesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, datagen.Events("dice", roll).Rate(1000))
		defer r.Close()
		<-time.After(1500 * time.Millisecond) // the time of a slow sink
		var sizes []int
		for range 3 {
			var b connector.Batch[event]
			if err := r.Read(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, len(b.Values))
		}
		// 1501 are due, 0 to 1500; then the next is waited for.
		if want := []int{1024, 477, 1}; !reflect.DeepEqual(sizes, want) {
			t.Errorf("batches of %v events, want %v", sizes, want)
		}
	})
}

func TestAWaitingReaderEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, datagen.Events("dice", roll).Rate(1e-9).Count(2))
		defer r.Close()
		var b connector.Batch[event]
		r.Read(t.Context(), &b) // the first event comes at once
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		if err := r.Read(ctx, &b); err != context.DeadlineExceeded {
			t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("it took %v, want a minute", took)
		}
	})
}

func TestAllWrongOptionsAreReportedAtOnce(t *testing.T) {
	_, err := datagen.Events[event]("dice", nil).Rate(-1).Step(-time.Second).Disorder(-time.Second).Splits(context.Background())
	for _, want := range []string{"no function", "Rate(-1)", "Step(-1s)", "Disorder(-1s)"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}
