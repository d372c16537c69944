package watermark

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestPunctuationJudgesTheRecordsAfterIt(t *testing.T) {
	no := etime.Min
	g := Punctuated(func(*int) (time.Time, bool) { return time.Time{}, false }).Start()
	got := take(t, g, Columns{At: seconds(1, 2, 3, 4, 5), Mark: []int64{no, 2 * sec, 2 * sec, no, 4 * sec}})
	if want := []int64{no, no, 2 * sec, 2 * sec, 2 * sec, 4 * sec}; !slices.Equal(got, want) {
		t.Errorf("W before each and after %v, want %v", got, want)
	}
}

func TestPunctuationBackwardsIsAnErrorNamingBothValues(t *testing.T) {
	g := Punctuated(func(*int) (time.Time, bool) { return time.Time{}, false }).Start()
	w := []int64{7, 7, 7, 7}
	after, err := g.Observe(Columns{At: seconds(1, 2, 3, 4), Mark: []int64{10 * sec, etime.Min, 9 * sec, 20 * sec}}, w)
	if !errors.Is(err, ErrBackwards) {
		t.Fatalf("error %v, want ErrBackwards", err)
	}
	back, ok := errors.AsType[*BackwardsError](err)
	if !ok || *back != (BackwardsError{Record: 2, From: 10 * sec, To: 9 * sec}) {
		t.Errorf("error %#v, want record 2 from 10 s to 9 s", err)
	}
	for _, part := range []string{"record 2", "1970-01-01T00:00:10Z", "1970-01-01T00:00:09Z"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("message %q lacks %q", err, part)
		}
	}
	if after != 10*sec || g.W() != 10*sec || !slices.Equal(w, []int64{etime.Min, 10 * sec, 10 * sec, 7}) {
		t.Errorf("after %d, W %d, before each %v; want 10 s, and the rest not taken in", after, g.W(), w)
	}
}

func TestBackwardsWithoutARecordNamesNone(t *testing.T) {
	err := &BackwardsError{Record: -1, From: 10 * sec, To: etime.Min}
	if got, want := err.Error(), "watermark moved backwards: from 1970-01-01T00:00:10Z to before everything"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestPunctuationThatTheClockOvertookIsNoError(t *testing.T) {
	g := Punctuated(func(*int) (time.Time, bool) { return time.Time{}, false }).IdleAdvance().Start()
	take(t, g, Columns{At: seconds(1), Mark: seconds(1)})
	g.Tick(60 * sec)
	if w := take(t, g, Columns{At: seconds(2, 70), Mark: seconds(2, 70)}); !slices.Equal(w, seconds(60, 60, 70)) {
		t.Errorf("W before each and after %v, want 60, 60 and 70 s", w)
	}
}

func TestMarkIsReadFromTheRecord(t *testing.T) {
	type row struct{ upTo string }
	s := Punctuated(func(r *row) (time.Time, bool) {
		at, err := time.Parse(time.RFC3339Nano, r.upTo)
		return at, err == nil
	})
	if got := s.Mark(&row{"1970-01-01T00:00:01.0000019Z"}); got != sec+1 {
		t.Errorf("mark %d, want 1000001: cut towards the past", got)
	}
	if got := s.Mark(&row{}); got != etime.Min {
		t.Errorf("mark of a row without one is %d, want Min", got)
	}
	// The engine finds the function by the type of its records.
	if _, ok := Strategy(s).(Marker[row]); !ok {
		t.Error("no Marker of its type")
	}
	if _, ok := Strategy(s).(Marker[int]); ok {
		t.Error("a Marker of another type")
	}
}
