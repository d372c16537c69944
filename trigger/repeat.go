package trigger

import "errors"

// Repeat fires whenever t does, starts t afresh each time that t finishes, and itself never
// finishes.
func Repeat(t Trigger) Trigger {
	t = given(t)
	if r, ok := t.(repeatTrigger); ok {
		return r
	}
	return repeatTrigger{t}
}

// repeatTrigger owns one word, flags, and t's.
type repeatTrigger struct{ t Trigger }

// String gives the short names of the two repetitions that have one.
func (r repeatTrigger) String() string {
	switch t := r.t.(type) {
	case WatermarkTrigger:
		if t.plain() {
			return "default"
		}
	case countTrigger:
		if t.n == 1 {
			return "always"
		}
	}
	return call("repeat", r.t.String())
}

func (r repeatTrigger) words() int      { return 1 + r.t.words() }
func (r repeatTrigger) subs() []Trigger { return []Trigger{r.t} }

func (r repeatTrigger) fault() error {
	if r.t == (missing{}) {
		return errors.New("trigger.Repeat: no trigger was given")
	}
	return nil
}

func (r repeatTrigger) element(s State, m Moment)    { r.t.element(s[1:], m) }
func (r repeatTrigger) when(s State, m Moment) int64 { return r.t.when(s[1:], m) }
func (r repeatTrigger) fire(s State, m Moment)       { again(r.t, s[1:], m) }
func (r repeatTrigger) clear(s State)                { r.t.clear(s[1:]) }
func (r repeatTrigger) merge(g merging, at int)      { r.t.merge(g, at+1) }

func (r repeatTrigger) reset(s State, m Moment) {
	s[0] = 0
	r.t.reset(s[1:], m)
}

// again fires t and starts it afresh if it has finished.
func again(t Trigger, s State, m Moment) {
	t.fire(s, m)
	if s[0]&finished != 0 {
		t.reset(s, m)
	}
}

// unrepeated gives what t repeats, if it is a Repeat, else t: for a place where t repeats
// anyway.
func unrepeated(t Trigger) Trigger {
	t = given(t)
	if r, ok := t.(repeatTrigger); ok {
		return r.t
	}
	return t
}
