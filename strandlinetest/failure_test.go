package strandlinetest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
)

type (
	wordStream = *strandlinetest.Stream[string]
	wordCounts = *strandlinetest.Collected[strandline.KV[string, int64]]
)

// A script that does not hold is refused with a message that says what is wrong with it.
func TestScriptsThatDoNotHoldAreRefused(t *testing.T) {
	entry := strandlinetest.Entry[string, int64]
	for name, c := range map[string]struct {
		script func(s wordStream, out wordCounts)
		is     error
		says   []string
	}{
		"a pane that does not come": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").Expect(out, entry("a", 1).In(tens(0)))
		}, strandlinetest.ErrUnmatched, []string{
			"Unmatched output: failure_test.go:", " Expect after failure_test.go:", " Add from \"a\" at 1970-01-01T00:00:01Z\n",
			"\t- \"a\": 1, in [1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)",
		}},
		"another value": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a", "a").AdvanceWatermark(at(10)).Expect(out, entry("a", 1))
		}, strandlinetest.ErrUnmatched, []string{
			"\t- \"a\": 1\n", "\t+ \"a\": 2, in [1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z), at 1970-01-01T00:00:09.999999Z, on time pane 0 (0), first, last",
		}},
		"another window": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").AdvanceWatermark(at(10)).Expect(out, entry("a", 1).In(tens(10)))
		}, strandlinetest.ErrUnmatched, []string{"\t- \"a\": 1, in [1970-01-01T00:00:10Z"}},
		"another timing": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").AdvanceWatermark(at(10)).Expect(out, entry("a", 1).Late())
		}, strandlinetest.ErrUnmatched, []string{"\t- \"a\": 1, late\n"}},
		"another order of one key's panes": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").Add(at(11), "a").AdvanceWatermark(at(20)).
				Expect(out, entry("a", 1).In(tens(10)), entry("a", 1).In(tens(0)))
		}, strandlinetest.ErrUnmatched, []string{"panes of one key came in another order", "1. wanted as 2.", "2. wanted as 1."}},
		"a pane too many": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a", "b").AdvanceWatermark(at(10)).Expect(out, entry("b", 1))
		}, strandlinetest.ErrUnexpected, []string{
			"Unexpected output: failure_test.go:", "\t  \"b\": 1, in", "\t+ \"a\": 1, in",
		}},
		"something where nothing is expected": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").AdvanceWatermark(at(10)).ExpectNothing(out)
		}, strandlinetest.ErrUnexpected, []string{"ExpectNothing after", "\t+ \"a\": 1, in"}},
		"a pane that is expected an action too late": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").AdvanceWatermark(at(10)).AdvanceWatermark(at(11)).Expect(out, entry("a", 1))
		}, strandlinetest.ErrUnexpected, []string{
			"Unexpected output: nobody expects what failure_test.go:", "AdvanceWatermark to 1970-01-01T00:00:10Z brought\n",
		}},
		"a pane behind the last line": {func(s wordStream, out wordCounts) {
			s.Watch(out).Add(at(1), "a").AdvanceWatermark(at(10))
		}, strandlinetest.ErrUnexpected, []string{"AdvanceWatermark to 1970-01-01T00:00:10Z brought\n"}},
		"a pane at the end of the input": {func(s wordStream, out wordCounts) {
			s.Watch(out).Add(at(1), "a")
		}, strandlinetest.ErrUnexpected, []string{"Unexpected output: at the end of the input\n\t+ \"a\": 1, in"}},
		"another pane at the end of the input": {func(s wordStream, out wordCounts) {
			s.Add(at(1), "a").AtEnd(out, entry("a", 2))
		}, strandlinetest.ErrUnmatched, []string{"AtEnd\n\t- \"a\": 2\n\t+ \"a\": 1, in"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, s, out := words(asIs)
			c.script(s, out)
			_, err := s.Play(t.Context(), p)
			if !errors.Is(err, c.is) {
				t.Fatalf("got %v, want an error that is %q", err, c.is)
			}
			for _, text := range append(c.says, c.is.Error()) {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("the message lacks %q:\n%v", text, err)
				}
			}
		})
	}
}

func TestWatermarkBackwardsIsRefusedWithBothValues(t *testing.T) {
	p, s, out := words(asIs)
	s.AdvanceWatermark(at(10)).Add(at(11), "a").AdvanceWatermark(at(9)).AtEnd(out, strandlinetest.Any[strandline.KV[string, int64]]())
	_, err := s.Play(t.Context(), p)
	if !errors.Is(err, strandline.ErrWatermarkBackwards) {
		t.Fatalf("got %v, want an error that is %q", err, strandline.ErrWatermarkBackwards)
	}
	if want := "from 1970-01-01T00:00:10Z to 1970-01-01T00:00:09Z"; !strings.Contains(err.Error(), want) {
		t.Errorf("the message lacks %q: %v", want, err)
	}
	if panes := out.Panes(); len(panes) > 0 {
		t.Errorf("a script with a mistake was run: %v", panes)
	}
}

func TestAllMistakesOfAScriptAreReportedAtOnce(t *testing.T) {
	p, s, out := words(asIs)
	s.Add(time.Time{}, "timeless").
		AdvanceProcessingTime(-time.Second).
		AdvanceWatermark(at(10)).AdvanceWatermark(at(5)).
		AtEnd(out).AnyAtEnd(out)
	_, err := s.Play(t.Context(), p)
	if !errors.Is(err, strandline.ErrNoEventTime) || !errors.Is(err, strandline.ErrWatermarkBackwards) {
		t.Fatalf("got %v", err)
	}
	for _, text := range []string{
		"Add: element 0 (\"timeless\") has the zero time: no event time",
		"AdvanceProcessingTime by -1s: a clock moves forwards",
		"AnyAtEnd: failure_test.go:",
	} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the message lacks %q:\n%v", text, err)
		}
	}
	if n := strings.Count(err.Error(), "failure_test.go:"); n < 4 {
		t.Errorf("%d mistakes have their line, want 4:\n%v", n, err)
	}
}

func TestRunsThatCannotPlayAScriptAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		run  func() error
		says string
	}{
		"by a run of the pipeline itself": {func() error {
			p, _, _ := words(asIs)
			_, err := p.Run(context.Background())
			return err
		}, "run the pipeline by Run or Play of the stream"},
		"on several workers": {func() error {
			p, s, _ := words(asIs)
			_, err := s.Play(context.Background(), p, strandline.Workers(2))
			return err
		}, "a script is played by one worker, not 2"},
		"in a pipeline that does not read the stream": {func() error {
			p, _, _ := words(asIs)
			_, other, _ := words(asIs)
			_, err := other.Play(context.Background(), p)
			return err
		}, "run the pipeline by Run or Play of the stream"},
		"with one of two streams unread": {func() error {
			p, s, _ := words(asIs)
			s.Beside[string]("unread").Add(at(1), "a")
			_, err := s.Play(context.Background(), p)
			return err
		}, "the pipeline does not read unread"},
		"read twice": {func() error {
			p, s, _ := words(asIs)
			strandlinetest.Collect(s.Read(p))
			_, err := s.Play(context.Background(), p)
			return err
		}, "words is read twice"},
		"with a watermark from elsewhere": {func() error {
			p := strandline.New("elsewhere")
			s := strandlinetest.NewStream[string]("words")
			strandlinetest.Collect(strandline.Read(p, s, watermark.Ascending(), nil))
			_, err := s.AdvanceWatermark(at(10)).Play(context.Background(), p)
			return err
		}, "AdvanceWatermark to 1970-01-01T00:00:10Z: the pipeline takes the watermark of words from elsewhere"},
		"with another clock": {func() error {
			p, s, _ := words(asIs)
			_, err := s.AdvanceProcessingTime(time.Second).Play(context.Background(), p, strandline.Clock(otherClock{strandlinetest.NewClock(at(0))}))
			return err
		}, "the run was given a clock of another kind"},
		"empty, in a pipeline without it": {func() error {
			_, err := strandlinetest.NewStream[string]("words").Play(context.Background(), strandline.New("nothing"))
			return err
		}, "the pipeline reads none of its streams"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.run(); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

type otherClock struct{ *strandlinetest.Clock }

func TestErrorOfACheckEndsTheScript(t *testing.T) {
	p, s, out := words(asIs)
	broken := errors.New("three is odd")
	var seen int
	_, err := s.Add(at(1), "a").AdvanceWatermark(at(10)).
		Check(func() error { seen = len(out.Panes()); return nil }).
		Add(at(11), "a").
		Check(func() error { return broken }).
		Check(func() error { t.Error("a line behind the one that failed was played"); return nil }).
		Play(t.Context(), p)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "Check after failure_test.go:") {
		t.Errorf("got %v", err)
	}
	if seen != 1 {
		t.Errorf("the first Check saw %d panes, want the one that the watermark brought", seen)
	}
}

func TestScriptCanBePlayedAgain(t *testing.T) {
	p, s, out := words(func(k strandline.Keyed[string, string]) strandline.Keyed[string, string] {
		return k.Trigger(trigger.Repeat(trigger.AfterProcessingTime(time.Second)))
	})
	s.Add(at(1), "a").AdvanceProcessingTime(time.Second).Expect(out, strandlinetest.Entry("a", int64(1)).Index(0))
	for range 3 {
		s.Run(t, p)
		if n := len(out.Panes()); n != 1 {
			t.Fatalf("%d panes, want those of the last run only: 1", n)
		}
	}
}

func TestCancelledContextEndsTheScript(t *testing.T) {
	p, s, _ := words(asIs)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Add(at(1), "a").Check(func() error { cancel(); return nil }).Add(at(2), "a").Add(at(3), "a").Play(ctx, p)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
