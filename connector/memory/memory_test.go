package memory_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

func numbers(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestSlicesKeepTheContract(t *testing.T) {
	for _, n := range []int{0, 1, 10, connector.BatchSize, 3*connector.BatchSize + 1} {
		for _, parts := range []int{1, 3, 20} {
			for _, batch := range []int{1, 7, connector.BatchSize} {
				t.Run(fmt.Sprint(n, "in", parts, "by", batch), func(t *testing.T) {
					connectortest.ExerciseSource(t, func(*testing.T) connector.Source[int] {
						return memory.Slice("numbers", numbers(n)).Parts(parts).Batch(batch)
					}, numbers(n))
				})
			}
		}
	}
}

func TestChannelsKeepTheContract(t *testing.T) {
	for _, closed := range []bool{true, false} {
		t.Run(fmt.Sprint("closed ", closed), func(t *testing.T) {
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[int] {
				c := make(chan int, 3000)
				for i := range 2500 {
					c <- i
				}
				if closed {
					close(c)
				}
				return memory.Channel("numbers", c)
			}, numbers(2500))
		})
	}
}

func read[T any](t *testing.T, s connector.Source[T]) connector.Reader[T] {
	t.Helper()
	splits, err := s.Splits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := splits[0].Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestASliceIsNotCopied(t *testing.T) {
	values := numbers(100)
	var b connector.Batch[int]
	if err := read(t, memory.Slice("numbers", values).Batch(10)).Read(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	if &b.Values[0] != &values[0] || len(b.Values) != 10 || cap(b.Values) != 10 {
		t.Errorf("a batch of %d with room for %d at %p, want the first 10 of %p", len(b.Values), cap(b.Values), &b.Values[0], &values[0])
	}
}

func TestPartsFollowEachOther(t *testing.T) {
	splits, err := memory.Slice("numbers", numbers(8)).Parts(3).Splits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range splits {
		r, _ := s.Open(context.Background())
		var b connector.Batch[int]
		r.Read(context.Background(), &b)
		got = append(got, fmt.Sprint(s.Name(), b.Values))
	}
	if want := []string{"numbers/0[0 1 2]", "numbers/1[3 4 5]", "numbers/2[6 7]"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAllWrongOptionsOfASliceAreReportedAtOnce(t *testing.T) {
	_, err := memory.Slice("numbers", numbers(8)).Parts(0).Batch(-1).Splits(context.Background())
	if err == nil || !strings.Contains(err.Error(), "Parts(0)") || !strings.Contains(err.Error(), "Batch(-1)") {
		t.Errorf("got %v", err)
	}
}

func TestAChannelGivesWhatIsAtHand(t *testing.T) {
	c := make(chan string, 10)
	r := read(t, memory.Channel("words", c))
	step := func(what string, want connector.Batch[string], wantErr error) {
		t.Helper()
		var b connector.Batch[string]
		err := r.Read(context.Background(), &b)
		if err != wantErr || fmt.Sprint(b) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v, %v; want %+v, %v", what, b, err, want, wantErr)
		}
	}
	step("empty from the start", connector.Batch[string]{CaughtUp: true}, nil)
	c <- "a"
	c <- "b"
	step("two", connector.Batch[string]{Values: []string{"a", "b"}, CaughtUp: true}, nil)
	c <- "c"
	close(c)
	step("the last", connector.Batch[string]{Values: []string{"c"}}, nil)
	step("the end", connector.Batch[string]{}, io.EOF)
}

func TestAChannelIsReadByOneRunOnly(t *testing.T) {
	s := memory.Channel("words", make(chan string))
	read(t, s)
	splits, _ := s.Splits(context.Background())
	if _, err := splits[0].Open(context.Background()); err == nil || err.Error() != "memory: words: a channel can be read by one run only" {
		t.Errorf("got %v", err)
	}
}

func TestCollectKeepsTheContract(t *testing.T) {
	connectortest.ExerciseSink(t, func(*testing.T) (connector.Sink, func() []int) {
		var all []int
		return memory.Collect(&all), func() []int { return all }
	}, numbers(10))
}

func TestEachSeesTimeWindowAndPane(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0).UTC() }
	w := window.Between(at(0), at(10))
	pane := trigger.Pane{Timing: trigger.OnTime, First: true}
	var got []string
	sink := memory.Each(func(v string, at time.Time, w window.Interval, p trigger.Pane) {
		got = append(got, fmt.Sprintf("%s at %d in %v, %v", v, at.Unix(), w, p.Timing))
	})
	out, err := sink.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows := connectortest.NewRows([]string{"a", "b"}).Set(1, at(9), w, pane)
	if err := out.Write(context.Background(), rows); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a at 0 in [1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z), unknown", // in no window
		"b at 9 in [1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z), on time",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASinkOfAnotherTypeNamesBoth(t *testing.T) {
	var all []int
	out, _ := memory.Collect(&all).Open(context.Background())
	err := out.Write(context.Background(), connectortest.NewRows([]string{"a"}))
	if err == nil || err.Error() != "memory: collect takes []int, and the step before it gives []string" {
		t.Errorf("got %v", err)
	}
}
