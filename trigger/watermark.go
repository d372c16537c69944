package trigger

import (
	"errors"

	"github.com/strandline-stream/strandline/internal/etime"
)

// WatermarkTrigger fires on time. See [AfterWatermark].
type WatermarkTrigger struct {
	early, late Trigger // nil: none; repeating without a Repeat around them
}

// AfterWatermark fires once the watermark reaches the window's end (S4.1), and finishes: later
// elements find the window closed. With [WatermarkTrigger.Early] it also fires before, with
// [WatermarkTrigger.Late] also after; then it never finishes. The on-time pane comes even if
// nothing is new in it.
//
// If a merge extends the window past the watermark, it is pending again, early firings
// included, and fires on time once more (S5.3).
func AfterWatermark() WatermarkTrigger { return WatermarkTrigger{} }

// Default fires on time, then once for every late element within the allowed lateness (S5.2).
// It never finishes. It is Repeat(AfterWatermark()).
func Default() Trigger { return repeatTrigger{WatermarkTrigger{}} }

// Early makes t fire panes until the on-time pane: again and again, as if under [Repeat]. It
// replaces an earlier t. Defaults to none.
func (w WatermarkTrigger) Early(t Trigger) WatermarkTrigger {
	w.early = unrepeated(t)
	return w
}

// Late makes t fire panes after the on-time pane, and the trigger never finish: again and
// again, as if under [Repeat]. It replaces an earlier t. Defaults to none.
func (w WatermarkTrigger) Late(t Trigger) WatermarkTrigger {
	w.late = unrepeated(t)
	return w
}

// String gives text such as "afterWatermark(early afterCount(2))".
func (w WatermarkTrigger) String() string {
	var args []string
	if w.early != nil {
		args = append(args, "early "+w.early.String())
	}
	if w.late != nil {
		args = append(args, "late "+w.late.String())
	}
	return call("afterWatermark", args...)
}

// words: flags, early's, late's.
func (w WatermarkTrigger) words() int {
	n := 1
	if w.early != nil {
		n += w.early.words()
	}
	if w.late != nil {
		n += w.late.words()
	}
	return n
}

func (w WatermarkTrigger) subs() []Trigger {
	var ts []Trigger
	if w.early != nil {
		ts = append(ts, w.early)
	}
	if w.late != nil {
		ts = append(ts, w.late)
	}
	return ts
}

func (w WatermarkTrigger) fault() error {
	var e, l error
	if w.early == (missing{}) {
		e = errors.New("trigger.AfterWatermark: Early was given no trigger")
	}
	if w.late == (missing{}) {
		l = errors.New("trigger.AfterWatermark: Late was given no trigger")
	}
	return errors.Join(e, l)
}

// plain says whether there are neither early nor late firings.
func (w WatermarkTrigger) plain() bool { return w.early == nil && w.late == nil }

// lateAt is the word at which late's begin.
func (w WatermarkTrigger) lateAt() int {
	if w.early == nil {
		return 1
	}
	return 1 + w.early.words()
}

// element tells early at all times: if a merge makes the window pending again, early must know
// what the pane holds.
func (w WatermarkTrigger) element(s State, m Moment) {
	s[0] &^= awaits
	if w.early != nil {
		w.early.element(s[1:], m)
	}
	if w.late != nil && s[0]&passed != 0 {
		w.late.element(s[w.lateAt():], m)
	}
}

func (w WatermarkTrigger) when(s State, m Moment) int64 {
	switch {
	case s[0]&finished != 0:
		return etime.Max
	case s[0]&passed != 0:
		return w.late.when(s[w.lateAt():], m)
	case m.past() && s[0]&awaits == 0:
		return etime.Min
	case w.early != nil:
		return w.early.when(s[1:], m)
	}
	return etime.Max
}

func (w WatermarkTrigger) fire(s State, m Moment) {
	switch {
	case s[0]&passed != 0:
		again(w.late, s[w.lateAt():], m)
	case m.past():
		s[0] |= passed
		if w.late == nil {
			s[0] |= finished
		} else {
			w.late.reset(s[w.lateAt():], m)
		}
	default:
		again(w.early, s[1:], m)
		return
	}
	if w.early != nil {
		w.early.reset(s[1:], m)
	}
}

func (w WatermarkTrigger) clear(s State) {
	if w.early != nil {
		w.early.clear(s[1:])
	}
	if w.late != nil {
		w.late.clear(s[w.lateAt():])
	}
}

// reset past the window's end makes the trigger wait for an element: that the end was reached
// is good for one firing only, however often it is asked.
func (w WatermarkTrigger) reset(s State, m Moment) {
	s[0] = 0
	if m.past() {
		s[0] = awaits
	}
	if w.early != nil {
		w.early.reset(s[1:], m)
	}
	if w.late != nil {
		w.late.reset(s[w.lateAt():], m)
	}
}

// merge leaves the on-time pane behind only if it has fired in all of the windows and the
// merged one's end is reached, too. Else it is pending (S5.3).
func (w WatermarkTrigger) merge(g merging, at int) {
	if w.early != nil {
		w.early.merge(g, at+1)
	}
	if !g.past() {
		return
	}
	switch {
	case !g.all(at, passed):
		if g.all(at, awaits) {
			g.into[at] = awaits
		}
	case w.late == nil:
		g.into[at] = passed | finished
	default:
		g.into[at] = passed
		w.late.merge(g, at+w.lateAt())
	}
}
