package trigger

import "testing"

func TestPaneTextSaysAllThatHolds(t *testing.T) {
	for _, c := range []struct {
		pane Pane
		want string
	}{
		{Pane{}, "no pane"},
		{NoFiring, "unknown pane 0 (0), first, last"},
		{Pane{Timing: Early, NonEarly: -1, First: true}, "early pane 0, first"},
		{Pane{Timing: OnTime, Index: 2}, "on time pane 2 (0)"},
		{Pane{Timing: Late, Index: 3, NonEarly: 1, Last: true, Drained: true}, "late pane 3 (1), last, drained"},
		{Pane{Timing: 9, Last: true}, "Timing(9) pane 0 (0), last"},
	} {
		if got := c.pane.String(); got != c.want {
			t.Errorf("%#v: %s, want %s", c.pane, got, c.want)
		}
	}
}
