package strandlinetest

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline"
)

// What [errors.Is] finds in the error of a script, or of an assertion, that does not hold.
// Their text is what the message begins with.
const (
	// ErrUnmatched: an expected pane did not come, or came with another value, window, time,
	// timing or number, or panes of one key came in another order.
	ErrUnmatched = mismatch("Unmatched output")
	// ErrUnexpected: a pane came that nobody expected.
	ErrUnexpected = mismatch("Unexpected output")
)

type mismatch string

func (m mismatch) Error() string { return string(m) }

// compare reports how the panes that came differ from those that are wanted; nil if they do
// not. Each pane must be wanted once. Panes of one key must come in the order of the wants;
// values without a key, in any.
func compare[T any](when string, want []Want[T], got []strandline.Pane[T]) error {
	d := pair(want, got)
	kind := ErrUnmatched
	switch {
	case d.missing():
	case len(got) > len(want):
		kind = ErrUnexpected
	case !d.ordered():
		return fmt.Errorf("%w: %s\n%s", ErrUnmatched, when, d.orders())
	default:
		return nil
	}
	return fmt.Errorf("%w: %s\n%s", kind, when, d.text())
}

// pairing says which pane is which want.
type pairing[T any] struct {
	want []Want[T]
	got  []strandline.Pane[T]
	wish []int // of each pane its want, -1: none
	came []int // of each want its pane, -1: none
	show func(*strandline.Pane[T]) string
}

// pair finds a pane for as many wants as can have one. A want that leaves much open takes the
// first pane that fits, and gives it up to one that fits no other.
func pair[T any](want []Want[T], got []strandline.Pane[T]) *pairing[T] {
	d := &pairing[T]{want, got, make([]int, len(got)), make([]int, len(want)), paneText[T]}
	for j := range d.wish {
		d.wish[j] = -1
	}
	for i := range d.came {
		d.came[i] = -1
	}
	for i := range want {
		d.find(i, make([]bool, len(got)))
	}
	return d
}

// find gives want i a pane: a free one, or one whose want can have another.
func (d *pairing[T]) find(i int, asked []bool) bool {
	for free := range 2 {
		for j := range d.got {
			if asked[j] || free == 0 && d.wish[j] >= 0 || !d.want[i].fits(&d.got[j]) {
				continue
			}
			asked[j] = true
			if d.wish[j] < 0 || d.find(d.wish[j], asked) {
				d.wish[j], d.came[i] = i, j
				return true
			}
		}
	}
	return false
}

func (d *pairing[T]) missing() bool {
	for _, j := range d.came {
		if j < 0 {
			return true
		}
	}
	return false
}

// ordered says whether the panes of every key came in the order of their wants.
func (d *pairing[T]) ordered() bool {
	last := map[any]int{}
	for j, i := range d.wish {
		key, _, ok := entry(d.got[j].Value)
		if !ok {
			continue
		}
		if before, seen := last[key]; seen && i < before {
			return false
		}
		last[key] = i
	}
	return true
}

// text shows the difference, a line a pane: wanted and came, "-" wanted only, "+" came only.
func (d *pairing[T]) text() string {
	var b strings.Builder
	for i, j := range d.came {
		if j >= 0 {
			fmt.Fprintf(&b, "\t  %s\n", d.show(&d.got[j]))
		} else {
			fmt.Fprintf(&b, "\t- %v\n", d.want[i])
		}
	}
	for j, i := range d.wish {
		if i < 0 {
			fmt.Fprintf(&b, "\t+ %s\n", d.show(&d.got[j]))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// orders shows in which order the panes came and were wanted.
func (d *pairing[T]) orders() string {
	var b strings.Builder
	b.WriteString("\tpanes of one key came in another order:")
	for j, i := range d.wish {
		fmt.Fprintf(&b, "\n\t%d. wanted as %d. %s", j+1, i+1, d.show(&d.got[j]))
	}
	return b.String()
}
