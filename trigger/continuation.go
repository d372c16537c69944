package trigger

// Continuation gives the trigger for an aggregation of t's panes (S5.9): one that passes each
// pane on without waiting for as much again.
//
//   - AfterCount(n) becomes AfterCount(1);
//   - AfterProcessingTime(d) becomes AfterProcessingTime(0): what Beam synchronises over its
//     workers fires here when the pane comes;
//   - AfterWatermark stays, its early and late firings become their continuations;
//   - Repeat, AfterAny and AfterAll are those of the continuations;
//   - InOrder(a, b) becomes Repeat(AfterAny(a', b')), and OrFinally(a, b) becomes
//     Repeat(OrFinally(a', b')): how far the first aggregation has come the second cannot
//     know, so it must not finish;
//   - Default, Never and Always stay.
//
// A continuation's continuation is itself. A t that does not pass Validate gives one that does
// not, unless what is wrong is a count or a delay.
func Continuation(t Trigger) Trigger {
	switch t := given(t).(type) {
	case countTrigger:
		return AfterCount(1)
	case clockTrigger:
		return AfterProcessingTime(0)
	case WatermarkTrigger:
		if t.early != nil {
			t = t.Early(Continuation(t.early))
		}
		if t.late != nil {
			t = t.Late(Continuation(t.late))
		}
		return t
	case repeatTrigger:
		return Repeat(Continuation(t.t))
	case anyTrigger:
		return AfterAny(continuations(t.kids)...)
	case allTrigger:
		return AfterAll(continuations(t.kids)...)
	case orderTrigger:
		return Repeat(AfterAny(continuations(t.kids)...))
	case finallyTrigger:
		return Repeat(OrFinally(Continuation(t.kids[0]), Continuation(t.kids[1])))
	default: // never, missing
		return t
	}
}

func continuations(ts []Trigger) []Trigger {
	cs := make([]Trigger, len(ts))
	for i, t := range ts {
		cs[i] = Continuation(t)
	}
	return cs
}
