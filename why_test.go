package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// why asks a run, and gives what it says.
func why(t *testing.T, r *strandline.Running, q strandline.Question) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	a, err := r.Why(ctx, q)
	if err != nil {
		return "error: " + err.Error()
	}
	return a.String()
}

// says checks that an answer contains a text.
func says(t *testing.T, what, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("%s: %q does not say %q", what, got, want)
	}
}

// at0 is a time on the day of these tests.
func at0(minute, second int) time.Time {
	return time.Date(2026, 11, 30, 10, minute, second, 0, time.UTC)
}

// untilRead waits until the splits of a run have read so many records in all.
func untilRead(t *testing.T, r *strandline.Running, n int64) {
	t.Helper()
	for t.Context().Err() == nil {
		var read int64
		for _, s := range r.Inspect(t.Context()).Splits {
			read += s.Read
		}
		if read >= n {
			return
		}
	}
}

// TestALiveRunSaysWhatItWaitsFor drives two live splits and the clock.
func TestALiveRunSaysWhatItWaitsFor(t *testing.T) {
	noneLeft(t)
	clock := strandlinetest.NewClock(at0(0, 30))
	first, second := make(chan event, 8), make(chan event, 8)
	p := strandline.New("live")
	strandline.Read(p, channels(first, second), watermark.Bounded(time.Second).Idle(2*time.Minute), at).
		WindowInto(window.Fixed(time.Minute)).
		KeyBy("key", key).
		CombinePerKey("count", combine.Count[event]()).
		WriteTo(memory.Collect(new([]strandline.KV[string, int64])))
	ctx, stop := context.WithCancel(t.Context())
	r := p.Start(ctx, strandline.Clock(clock))
	q := strandline.Question{Key: []string{"a"}, Window: at0(0, 0)}
	send := func(c chan event, when time.Time) { c <- event{At: when.Unix(), Key: "a"} }

	send(first, at0(0, 10))
	untilRead(t, r, 1)
	says(t, "a split has nothing", why(t, r, q), "[10:00, 10:01) of a has not fired because there is no watermark yet; it is held by split 2 of `parts`, which has given no record yet")

	send(second, at0(0, 20))
	untilRead(t, r, 2)
	clock.Advance(10 * time.Second)
	send(first, at0(0, 30))
	untilRead(t, r, 3)
	// Split 1 has moved from 10:00:09 to 10:00:29 in 10 s, split 2 stands at 10:00:19.
	says(t, "a split holds it", why(t, r, q), "the watermark stands at 10:00:19; it is held by split 2 of `parts`, last record 10:00:20 seen 10 s ago; there is no rate yet to say when it fires")

	send(second, at0(0, 40))
	untilRead(t, r, 4)
	// Now it is split 1 that holds: 20 s in 10 s, so the 31 s that are missing take 15.5 s; split 2
	// does 20 s in 10 s, too, and has 21 s to go.
	says(t, "at the present rate", why(t, r, q), "the watermark stands at 10:00:29; it is held by split 1 of `parts`, last record 10:00:30 seen just now; at the present rate it fires in about 16 s")

	// A record from an hour later is not believed.
	send(first, at0(50, 0))
	untilRead(t, r, 5)
	says(t, "the poison guard", why(t, r, q), "the poison guard does not let the record of 10:50 drive it, since no other supports it")

	// No data for two minutes: both are idle, one after the other.
	clock.Advance(2 * time.Minute)
	for {
		in := r.Inspect(ctx)
		if in.Splits[0].Idle && in.Splits[1].Idle {
			break
		}
		clock.Advance(time.Second)
	}
	says(t, "all idle", why(t, r, q), "every split is idle, so it stays where it is until a record comes (the last was seen ")

	stop()
	if _, err := r.Wait(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestEveryKindOfStateCanBeAsked takes runs to a moment, with every kind of state that a windowed
// step may have.
func TestEveryKindOfStateCanBeAsked(t *testing.T) {
	events := keyed("a2 a5 b4 a13 a3 a16 a31")
	for _, c := range []struct {
		name   string
		apply  func(strandline.PCollection[event]) strandline.PCollection[event]
		read   int64
		window int64 // of key a
		want   string
	}{
		{"flat", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Fixed(10 * time.Second))
		},
			3, 0, "[1970-01-01 00:00:00, 00:00:10) of a has not fired because the watermark stands at 00:00:05"},
		{"flat, with lateness", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Fixed(10 * time.Second)).AllowedLateness(time.Minute)
		}, 4, 0, "[1970-01-01 00:00:00, 00:00:10) of a has fired: on time (pane 0) when the watermark reached 00:00:13, by record 4. It takes late elements until the watermark, now at 00:00:13, reaches 00:01:10"},
		{"flat, once more after a late one", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Fixed(10 * time.Second)).AllowedLateness(time.Minute)
		}, 5, 0, "by record 4; late (pane 1) when the watermark reached 00:00:13, by record 5"},
		{"flat, final only", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Fixed(10 * time.Second)).AllowedLateness(20 * time.Second).FinalOnly()
		}, 6, 0, "has not fired because the watermark stands at 00:00:16, and it gives its one pane when allowed lateness is over, at 00:00:30"},
		{"sliced", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Sliding(20*time.Second, 10*time.Second))
		}, 4, 0, "[1970-01-01 00:00:00, 00:00:20) of a has not fired because the watermark stands at 00:00:13"},
		{"sliced, fired", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Sliding(20*time.Second, 10*time.Second))
		}, 7, 0, "[1970-01-01 00:00:00, 00:00:20) of a has fired: on time (pane 0) when the watermark reached 00:00:31, by record 7"},
		{"sessions", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Session(10 * time.Second))
		},
			4, 2, "[1970-01-01 00:00:02, 00:00:23) of a has not fired because the watermark stands at 00:00:13"},
		{"a count", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Fixed(10 * time.Second)).Trigger(trigger.AfterCount(3)).Discarding()
		}, 3, 0, "has not fired because its trigger waits for 1 more element (2 of 3 are there)"},
		{"closed", func(c strandline.PCollection[event]) strandline.PCollection[event] {
			return c.WindowInto(window.Fixed(10 * time.Second)).Trigger(trigger.AfterCount(2))
		}, 3, 0, "is closed: its trigger has finished after 1 pane"},
	} {
		q := strandline.Question{Step: "count", Key: []string{"a"}, Window: time.Unix(c.window, 0)}
		p := strandline.New("moment")
		c.apply(input(p, events, 0)).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
		ctx, stop := context.WithCancel(t.Context())
		opts := []strandline.Option{strandline.PauseWhen(func(read int64, _ time.Time) bool { return read == c.read }), strandline.Follow(strandline.Question{Step: "count", Key: q.Key})}
		r := p.Start(ctx, opts...)
		<-r.Paused()
		if c.window == 0 && c.name == "flat" {
			q.Window = time.Unix(0, 0)
		}
		says(t, c.name, why(t, r, q), c.want)
		stop()
		r.Wait()
	}
}

// TestWorkersAnswerForTheKeysThatTheyHave asks a run of several workers, which accumulate before the
// exchange: what one has is not with the worker of the key yet.
func TestWorkersAnswerForTheKeysThatTheyHave(t *testing.T) {
	noneLeft(t)
	clock := strandlinetest.NewClock(at0(0, 30))
	source := make(chan event)
	p := strandline.New("workers")
	strandline.Read(p, channels(source), watermark.Bounded(time.Second).Idle(time.Hour), at).
		WindowInto(window.Fixed(time.Minute)).
		KeyBy("key", key).
		CombinePerKey("count", combine.Count[event]()).
		WriteTo(memory.Collect(new([]strandline.KV[string, int64])))
	ctx, stop := context.WithCancel(t.Context())
	r := p.Start(ctx, strandline.Workers(4), strandline.Clock(clock))
	for i, k := range strings.Split("abcdefgh", "") {
		source <- event{At: at0(0, 10+i).Unix(), Key: k}
	}
	untilRead(t, r, 8)
	for slow := true; slow; { // the exchange takes a moment
		slow = false
		for _, s := range r.Inspect(ctx).Steps {
			slow = slow || s.Step == "count" && !s.Watermark.Equal(at0(0, 16))
		}
	}
	for _, k := range strings.Split("abcdefgh", "") {
		says(t, k, why(t, r, strandline.Question{Key: []string{k}, Window: at0(0, 0)}), fmt.Sprintf("of %s has not fired because the watermark stands at 10:00:16; it is held by `parts`, last record 10:00:17", k))
	}
	says(t, "no such key", why(t, r, strandline.Question{Key: []string{"z"}, Window: at0(0, 0)}), "[10:00, 10:01) of z has no element")
	stop()
	r.Wait()
	says(t, "after its end", why(t, r, strandline.Question{Key: []string{"a"}, Window: at0(0, 0)}), "of a has not fired")
}

// TestABusyWorkerDoesNotAnswer asks while a sink blocks: the question comes back without an answer,
// and the run goes on.
func TestABusyWorkerDoesNotAnswer(t *testing.T) {
	p := strandline.New("busy")
	in, out := make(chan struct{}), make(chan struct{})
	strandline.Each(input(p, keyed("a1"), 0), "block", func(strandline.Pane[event]) {
		close(in)
		<-out
	})
	input(p, keyed("a1"), 0).WindowInto(window.Fixed(time.Second)).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
	r := p.Start(t.Context())
	<-in
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := r.Why(ctx, strandline.Question{Key: []string{"a"}, Window: time.Unix(1, 0)}); !errors.Is(err, strandline.ErrNoAnswer) {
		t.Error(err)
	}
	if r.Inspect(ctx).Complete {
		t.Error("an inspection is complete although nobody could answer")
	}
	close(out)
	if _, err := r.Wait(); err != nil {
		t.Error(err)
	}
}

func TestARunThatPausesNeedsOneWorkerAndRecordedInput(t *testing.T) {
	never := strandline.PauseWhen(func(int64, time.Time) bool { return false })
	p := strandline.New("two")
	input(p, keyed("a1"), 0)
	if _, err := p.Run(t.Context(), strandline.Workers(2), never); err == nil || !strings.Contains(err.Error(), "a run that pauses at a moment has one worker, and is given 2") {
		t.Error(err)
	}
	p = strandline.New("live")
	strandline.Read(p, channels(make(chan event)), watermark.Ascending(), at)
	if _, err := p.Run(t.Context(), never); err == nil || !strings.Contains(err.Error(), "a source is live") {
		t.Error(err)
	}
}

// TestAQuestionThatCannotBeAnsweredSaysWhatWouldBe asks for what is not there.
func TestAQuestionThatCannotBeAnsweredSaysWhatWouldBe(t *testing.T) {
	p := strandline.New("two steps")
	read := input(p, keyed("a1 b2"), 0)
	read.WindowInto(window.Fixed(time.Second)).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
	read.WindowInto(window.Sliding(time.Second, 3*time.Second)).KeyBy("key too", key).CombinePerKey("sum", combine.Sum(value))
	read.Map("noted", func(e *event) int64 { return e.N })
	r := p.Start(t.Context())
	r.Wait()
	for _, c := range []struct {
		q    strandline.Question
		want string
	}{
		{strandline.Question{}, `error: which step is meant? Those with windows are "count" and "sum"`},
		{strandline.Question{Step: "cuont"}, `error: there is no step "cuont"; is "count" meant?`},
		{strandline.Question{Step: "everything"}, `error: there is no step "everything"; those with windows are "count" and "sum"`},
		{strandline.Question{Step: "noted"}, `error: step "noted" has no windows: those that have are "count" and "sum"`},
		{strandline.Question{Step: "count", Key: []string{"a"}}, `error: which window of step "count" is meant? Give its start`},
		{strandline.Question{Step: "count", Record: 1}, "error: what became of a record is known only to a run that follows the question from its start"},
		{strandline.Question{Step: "sum", Key: []string{"a"}, Time: time.Unix(2, 0)}, `1970-01-01T00:00:02Z is in no window of step "sum": its windows leave a gap there`},
	} {
		if got := why(t, r, c.q); got != c.want {
			t.Errorf("%+v: %q, want %q", c.q, got, c.want)
		}
	}
}

// TestTheStepThatHoldsAnotherIsNamed asks the second of two aggregations, whose watermark the first
// holds for what it has still to give.
func TestTheStepThatHoldsAnotherIsNamed(t *testing.T) {
	p := strandline.New("second")
	first := input(p, keyed("a1 a12 a17"), 0).WindowInto(window.Fixed(10*time.Second)).OutputTime(strandline.Earliest).KeyBy("key", key).CombinePerKey("first", combine.Count[event]())
	first.Keyed().CombinePerKey("second", combine.Sum(func(n *int64) int64 { return *n }))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r := p.Start(ctx, strandline.PauseWhen(func(read int64, _ time.Time) bool { return read == 3 }))
	<-r.Paused()
	// The first holds [10, 20), whose earliest element is at 12.
	says(t, "held", why(t, r, strandline.Question{Step: "second", Key: []string{"a"}, Window: time.Unix(10, 0)}), "[1970-01-01 00:00:10, 00:00:20) of a has no element")
	in := r.Inspect(ctx)
	if got := in.Steps[0]; got.Step != "first" || !got.Output.Equal(time.Unix(12, 0)) || !got.Watermark.Equal(time.Unix(17, 0)) {
		t.Errorf("%+v, want the output held at 12 while the watermark is at 17", got)
	}
}

// TestRandomMomentsAreAnsweredAsALoopFindsThem takes runs to random moments, and compares what they say
// of every window of every key with what a loop over the records says: the watermark is the greatest
// event time less the bound, and a record misses a window that ended at or before it.
func TestRandomMomentsAreAnsweredAsALoopFindsThem(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	states := map[string]int{}
	for range 150 {
		bound := r.Int64N(15)
		assigner := window.Assigner(window.Fixed(10 * time.Second))
		if r.IntN(2) == 0 {
			assigner = window.Sliding(20*time.Second, 10*time.Second)
		}
		var all []event
		for i := range 1 + r.IntN(60) {
			all = append(all, event{At: int64(i) - r.Int64N(30), Key: string(rune('a' + r.IntN(2)))})
		}
		n := 1 + r.IntN(len(all))
		key0 := string(rune('a' + r.IntN(2)))
		in, late := map[window.Interval]int{}, map[window.Interval]int{}
		w := int64(-1 << 40)
		wins := map[window.Interval]bool{}
		for i, e := range all {
			for _, iv := range assigner.Assign(nil, e.At*1e6) {
				wins[iv] = true
				switch {
				case i >= n || e.Key != key0:
				case w*1e6 >= iv.Hi():
					late[iv]++
				default:
					in[iv]++
				}
			}
			if i < n {
				w = max(w, e.At-bound)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		p := strandline.New("moment")
		input(p, all, time.Duration(bound)*time.Second).WindowInto(assigner).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
		run := p.Start(ctx, strandline.PauseWhen(func(read int64, _ time.Time) bool { return read == int64(n) }), strandline.Follow(strandline.Question{Step: "count", Key: []string{key0}}))
		<-run.Paused()
		for iv := range wins {
			want := "empty"
			switch {
			case in[iv] > 0 && w*1e6 >= iv.Hi():
				want = "fired"
			case in[iv] > 0:
				want = "waiting"
			case late[iv] > 0:
				want = "late"
			}
			a, err := run.Why(ctx, strandline.Question{Step: "count", Key: []string{key0}, Window: iv.Start()})
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Windows[0]; got.State != want || !got.Start.Equal(iv.Start()) {
				t.Errorf("%v of %s after %d of %v, bound %d, watermark %d: %s, want %s\n%s", iv, key0, n, all, bound, w, got.State, want, got.Text)
			}
			states[want]++
		}
		stop()
		run.Wait()
	}
	for _, s := range []string{"empty", "fired", "waiting", "late"} {
		if states[s] < 10 {
			t.Errorf("only %d windows were %s", states[s], s)
		}
	}
	t.Attr("cases", fmt.Sprint(states))
}

// TestEveryKindOfStepCanBeInspected asks a run that has a step of every kind with state.
func TestEveryKindOfStepCanBeInspected(t *testing.T) {
	for _, workers := range []int{1, 3} {
		source, side := make(chan event), make(chan event)
		p := strandline.New("all kinds")
		read := strandline.Read(p, channels(source), watermark.Bounded(time.Second).Idle(time.Hour), at).WindowInto(window.Fixed(time.Minute))
		other := strandline.Read(p, channels(side), watermark.Bounded(time.Second).Idle(time.Hour), at).WindowInto(window.Fixed(time.Minute))
		keyed, otherKeyed := read.KeyBy("key", key), other.KeyBy("other key", key)
		pair := func(_ string, a, b *event) int64 { return 1 }
		keyed.Deduplicate("dedup", time.Minute)
		keyed.IntervalJoin("interval", otherKeyed, 0, time.Minute, pair)
		keyed.AsOfJoin("as of", otherKeyed, pair)
		keyed.InnerJoin("join", otherKeyed, pair)
		keyed.Stateful("per key", strandline.PerKey, func(x *strandline.Turn[string, int64], s *int64, e *event) { *s++ }, nil)
		keyed.Stateful("per window", strandline.PerWindow, func(x *strandline.Turn[string, int64], s *int64, e *event) { *s++ }, nil)
		read.WithSide("side", other.Combine("total", combine.Count[event]()).PCollection, func(_ *strandline.Context, _ *event, _ *int64, _ func(int64)) {})
		read.WithLatest("latest", other, func(_ *strandline.Context, _ *event, _ *event, _ func(int64)) {})
		read.WindowInto(window.Session(time.Minute)).KeyBy("in sessions", key).CombinePerKey("sessions", combine.Count[event]())
		read.WindowInto(window.Sliding(time.Minute, 10*time.Second)).KeyBy("sliding key", key).CombinePerKey("sliding", combine.Count[event]())
		strandline.GroupByKey("grouped", keyed)
		ctx, stop := context.WithCancel(t.Context())
		r := p.Start(ctx, strandline.Workers(workers), strandline.Clock(strandlinetest.NewClock(at0(0, 30))))
		source <- event{At: at0(0, 10).Unix(), Key: "a"}
		side <- event{At: at0(0, 10).Unix(), Key: "a"}
		untilRead(t, r, 2)
		in := r.Inspect(ctx)
		if !in.Complete {
			t.Errorf("%d workers: not all have answered", workers)
		}
		seen := map[string]bool{}
		for _, s := range in.Steps {
			seen[s.Step] = true
		}
		for _, step := range []string{"dedup", "interval", "as of", "join", "per key", "per window", "side", "total", "latest", "sessions", "sliding", "grouped"} {
			if !seen[step] {
				t.Errorf("%d workers: %q does not say how it stands", workers, step)
			}
			q := strandline.Question{Step: step, Key: []string{"a"}, Time: at0(0, 10)}
			if step == "total" {
				q.Key = nil
			}
			got := why(t, r, q)
			switch step {
			case "dedup", "interval", "as of", "per key", "side", "latest":
				says(t, step, got, "has no windows: those that have are")
			default:
				says(t, step, got, "10:00")
			}
		}
		stop()
		r.Wait()
	}
}

// TestAFunctionThatPanicsEndsNoRun asks with a function that prints keys and panics.
func TestAFunctionThatPanicsEndsNoRun(t *testing.T) {
	p := strandline.New("panics")
	input(p, keyed("a1 a2"), 0).WindowInto(window.Fixed(time.Minute)).KeyBy("key", func(e *event) [1]string { return [1]string{e.Key} }).CombinePerKey("count", combine.Count[event]())
	p.NameKeys(strandline.KeyNames{Show: func(string, any) string { panic("no") }})
	r := p.Start(t.Context(), strandline.PauseWhen(func(read int64, _ time.Time) bool { return read == 2 }))
	<-r.Paused()
	if _, err := r.Why(t.Context(), strandline.Question{Key: []string{"a"}, Window: time.Unix(0, 0)}); !errors.Is(err, strandline.ErrNoAnswer) {
		t.Error(err)
	}
	r.Drain()
	if _, err := r.Wait(); err != nil {
		t.Error(err)
	}
}
