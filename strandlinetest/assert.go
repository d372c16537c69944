package strandlinetest

import (
	"fmt"
	"testing"

	"github.com/strandline-stream/strandline"
)

// AssertPanes fails the test unless exactly these panes came out of the last run: those of one
// key in this order, values without a key in any.
func AssertPanes[T any](t testing.TB, out *Collected[T], want ...Want[T]) {
	t.Helper()
	if err := compare("of the run", want, out.Panes()); err != nil {
		t.Error(err)
	}
}

// AssertValues fails the test unless exactly these values came out of the last run, each as
// often, in any order, whatever their windows and panes. Values are compared as [Value] says.
func AssertValues[T any](t testing.TB, out *Collected[T], want ...T) {
	t.Helper()
	if err := compareValues(want, out.Values()); err != nil {
		t.Error(err)
	}
}

func compareValues[T any](want, got []T) error {
	wants := make([]Want[T], len(want))
	for i, v := range want {
		wants[i] = Value(v)
	}
	panes := make([]strandline.Pane[T], len(got))
	for i, v := range got {
		panes[i].Value = v
	}
	d := pair(wants, panes)
	kind := ErrUnmatched
	switch {
	case d.missing():
	case len(got) > len(want):
		kind = ErrUnexpected
	default:
		return nil
	}
	d.show = valueOf[T]
	return fmt.Errorf("%w: of the run\n%s", kind, d.text())
}

func valueOf[T any](p *strandline.Pane[T]) string { return valueText(p.Value) }
