package oracle

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

const second = 1_000_000

// step is one line of a script: elements, a watermark, or the panes that the step before gave.
// Numbers are seconds; an element's value is its event time.
type step struct {
	in     []int64
	mark   int64
	expect []Pane
}

func in(at ...int64) step       { return step{in: at} }
func mark(w int64) step         { return step{mark: w} }
func expect(panes ...Pane) step { return step{expect: panes} }

// pane is a pane of [from, to) seconds, written at `at` µs.
func pane(from, to int64, values []int64, at int64, timing Timing, index, nonEarly int, last bool) Pane {
	return Pane{
		Window: Interval{from * second, to * second}, Values: values, At: at, Timing: timing,
		Index: index, NonEarly: nonEarly, First: index == 0, Last: last,
	}
}

// eow is the output time at the end of a window that ends at `to` seconds.
func eow(to int64) int64 { return to*second - 1 }

func vals(v ...int64) []int64 { return v }

// The texts are those of the transcripts.
//
//lint:file-ignore ST1005 the transcripts' own words
var (
	errUnexpected = errors.New("Unexpected output")
	errUnmatched  = errors.New("Unmatched output")
)

// play runs a script, all keys "", and tells the first step at which the panes are not the
// expected ones. Every prefix of the events is evaluated anew.
func play(spec Spec, steps ...step) error {
	var events []Event
	w, seen := Before, 0
	var out []Pane
	for i, s := range append(steps, step{}) {
		if len(s.expect) == 0 && len(out) > 0 {
			return fmt.Errorf("%w before step %d: %+v", errUnexpected, i, out)
		}
		for _, p := range s.expect {
			at := slices.IndexFunc(out, func(o Pane) bool { p.W = o.W; return reflect.DeepEqual(o, p) })
			if at < 0 {
				return fmt.Errorf("%w: step %d expects %+v, there is %+v", errUnmatched, i, p, out)
			}
			out = slices.Delete(out, at, at+1)
		}
		if len(out) > 0 {
			return fmt.Errorf("%w at step %d: %+v", errUnexpected, i, out)
		}
		for _, t := range s.in {
			events = append(events, Event{Value: t, At: t * second, W: w})
		}
		if s.in == nil && s.expect == nil && i < len(steps) {
			w = s.mark * second
			events = append(events, Event{W: w, Mark: true})
		}
		all := Evaluate(spec, events).Panes
		out, seen = slices.Clone(all[seen:]), len(all)
	}
	return nil
}

var (
	tens  = Window{Kind: Fixed, Size: 10 * second}
	none  = Trigger{Kind: None}
	never = Trigger{Kind: Never}
)

func count(n int) Trigger                    { return Trigger{Kind: Count, N: n} }
func of(k TriggerKind, t ...Trigger) Trigger { return Trigger{Kind: k, Kids: t} }

// What Beam's eighteen trigger transcripts say, full panes where they give parts of them.
func TestBeamsTranscripts(t *testing.T) {
	later := func(at int64) int64 { return at + 100*second }
	threeWindows := func(a, b, c int64) []step {
		return []step{in(1, 2, 3, 10, 11, 25), mark(100), expect(
			pane(0, 10, vals(1, 2, 3), a, OnTime, 0, 0, true),
			pane(10, 20, vals(10, 11), b, OnTime, 0, 0, true),
			pane(20, 30, vals(25), c, OnTime, 0, 0, true))}
	}
	for _, c := range []struct {
		name  string
		spec  Spec
		steps []step
		err   error
	}{
		{"by default fixed windows fire once at their end", Spec{Window: tens, Accumulating: true}, []step{
			in(1, 2, 3, 10, 11), mark(25),
			expect(
				pane(0, 10, vals(1, 2, 3), eow(10), OnTime, 0, 0, true),
				pane(10, 20, vals(10, 11), eow(20), OnTime, 0, 0, true)),
		}, nil},
		{"by default a late element fires again", Spec{Window: tens, Accumulating: true, Lateness: 100 * second}, []step{
			in(1, 2, 3, 10, 11, 25), mark(100),
			expect(
				pane(0, 10, vals(1, 2, 3), eow(10), OnTime, 0, 0, false),
				pane(10, 20, vals(10, 11), eow(20), OnTime, 0, 0, false),
				pane(20, 30, vals(25), eow(30), OnTime, 0, 0, false)),
			in(7),
			expect(pane(0, 10, vals(1, 2, 3, 7), eow(10), Late, 1, 1, false)),
		}, nil},
		{"an element behind its window's lateness is dropped", Spec{
			Window: tens, Trigger: of(Watermark, count(3), count(1)), Accumulating: true, Lateness: 20 * second,
		}, []step{
			in(1, 2, 10, 11, 80, 81), mark(100),
			expect(
				pane(0, 10, vals(1, 2), eow(10), OnTime, 0, 0, false),
				pane(10, 20, vals(10, 11), eow(20), OnTime, 0, 0, false),
				pane(80, 90, vals(80, 81), eow(90), OnTime, 0, 0, false)),
			in(7, 8), in(17, 18), in(82),
			expect(pane(80, 90, vals(80, 81, 82), eow(90), Late, 1, 1, false)),
		}, nil},
		{"earliest", Spec{Window: tens, Accumulating: true, Output: AtEarliest}, threeWindows(1*second, 10*second, 25*second), nil},
		{"latest", Spec{Window: tens, Accumulating: true, Output: AtLatest}, threeWindows(3*second, 11*second, 25*second), nil},
		{"a window's own time is not asked at the end", Spec{Window: tens, Accumulating: true, Transform: later}, threeWindows(eow(10), eow(20), eow(30)), nil},
		{"plain earliest does not ask it either", Spec{Window: tens, Accumulating: true, Output: AtEarliest}, threeWindows(1*second, 10*second, 25*second), nil},
		{"earliest of the window's own times", Spec{Window: tens, Accumulating: true, Output: AtEarliest, Transform: later}, threeWindows(101*second, 110*second, 125*second), nil},
		{"sessions with early and late panes", Spec{
			Window:  Window{Kind: Session, Gap: 10 * second},
			Trigger: of(Watermark, count(2), count(3)), Accumulating: true, Lateness: 100 * second,
		}, []step{
			in(1, 2), expect(pane(1, 12, vals(1, 2), eow(12), Early, 0, -1, false)),
			in(3),
			in(4), expect(pane(1, 14, vals(1, 2, 3, 4), eow(14), Early, 0, -1, false)),
			in(5), mark(100), expect(pane(1, 15, vals(1, 2, 3, 4, 5), eow(15), OnTime, 0, 0, false)),
			in(1),
			in(3, 4), expect(pane(1, 15, vals(1, 2, 3, 4, 5, 1, 3, 4), eow(15), Late, 1, 1, false)),
		}, nil},
		{"discarding early panes, an on-time pane even if empty", Spec{Window: tens, Trigger: of(Watermark, count(2), none)}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)),
			in(4), in(14),
			in(5), expect(pane(0, 10, vals(4, 5), eow(10), Early, 1, -1, false)),
			in(18), expect(pane(10, 20, vals(14, 18), eow(20), Early, 0, -1, false)),
			in(6), mark(100), expect(
				pane(0, 10, vals(6), eow(10), OnTime, 2, 0, true),
				pane(10, 20, nil, eow(20), OnTime, 1, 0, true)),
		}, nil},
		{"a count finishes a window", Spec{Window: tens, Trigger: count(2), Lateness: 10 * second}, []step{
			in(1, 2, 3, 10, 11, 25), expect(
				pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, true),
				pane(10, 20, vals(10, 11), eow(20), Early, 0, -1, true)),
		}, nil},
		{"what is behind W sets no output time", Spec{Window: tens, Accumulating: true, Output: AtEarliest}, []step{
			mark(5), in(2, 3, 7, 8), mark(11), expect(pane(0, 10, vals(2, 3, 7, 8), 7*second, OnTime, 0, 0, true)),
		}, nil},
		{"if all is behind W the end does", Spec{Window: tens, Accumulating: true, Output: AtEarliest}, []step{
			mark(8), in(2, 3, 7), mark(11), expect(pane(0, 10, vals(2, 3, 7), eow(10), OnTime, 0, 0, true)),
		}, nil},
		{"no pane before the watermark", Spec{Accumulating: true}, []step{
			in(1, 2, 3), expect(pane(0, 10, vals(1, 2, 3), eow(10), OnTime, 0, 0, true)), mark(100),
		}, errUnmatched},
		{"no pane with fewer values", Spec{Window: tens, Accumulating: true}, []step{
			in(1, 2, 3), mark(100), expect(pane(0, 10, vals(1, 2), eow(10), OnTime, 0, 0, true)),
		}, errUnmatched},
		{"no pane of another window", Spec{Window: tens, Accumulating: true}, []step{
			in(1, 2, 3), mark(100), expect(pane(0, 20, vals(1, 2, 3), eow(20), OnTime, 0, 0, true)),
		}, errUnmatched},
		{"a pane that nobody asked for in the middle", Spec{Window: tens, Accumulating: true}, []step{
			in(1, 2, 3), mark(100), mark(200),
		}, errUnexpected},
		{"a pane that nobody asked for at the end", Spec{Window: tens, Accumulating: true}, []step{
			in(1, 2, 3), mark(100),
		}, errUnexpected},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := play(c.spec, c.steps...); !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
		})
	}
}

// Beam's transcript of garbage collection speaks of state as well: a third element finds the
// window finished, the lonely 25 is still in its window.
func TestAFinishedWindowIsClosedAndAnUnfinishedOneOpen(t *testing.T) {
	var events []Event
	for _, at := range vals(1, 2, 3, 10, 11, 25) {
		events = append(events, Event{At: at * second, Value: at, W: Before})
	}
	got := Evaluate(Spec{Window: tens, Trigger: count(2), Lateness: 10 * second}, events).Ledger
	if want := (Ledger{Assigned: 6, InWindow: 5, Closed: 1, Emitted: 4, Open: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
