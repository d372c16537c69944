package trigger

import "time"

// MayFinish says whether t can finish and so close a window to later elements (S4.2). Which
// elements are too late then depends on when it fires, so results can differ between batch and
// streaming (S9.1). AfterWatermark without late firings may finish; where no lateness is allowed
// that closes nothing, as the window expires at the same moment.
func MayFinish(t Trigger) bool {
	switch t := given(t).(type) {
	case countTrigger, clockTrigger:
		return true
	case WatermarkTrigger:
		return t.late == nil
	case anyTrigger, allTrigger:
		return mayFire(t)
	case orderTrigger:
		for _, k := range t.kids {
			if !MayFinish(k) {
				return false
			}
		}
		return true
	case finallyTrigger:
		return MayFinish(t.kids[0]) || mayFire(t.kids[1])
	default: // repeat, never, missing
		return false
	}
}

// mayFire says whether there is anything that makes t fire.
func mayFire(t Trigger) bool {
	switch t := t.(type) {
	case countTrigger, clockTrigger, WatermarkTrigger:
		return true
	case repeatTrigger:
		return mayFire(t.t)
	case anyTrigger:
		return some(t.kids, mayFire)
	case allTrigger:
		return !some(t.kids, func(k Trigger) bool { return !mayFire(k) })
	case orderTrigger:
		return len(t.kids) > 0 && mayFire(t.kids[0])
	case finallyTrigger:
		return some(t.kids, mayFire)
	default: // never, missing
		return false
	}
}

// early says whether t can fire before the window's end, and whether it can do so because of an
// element, without the clock having moved.
func early(t Trigger) (fires, perElement bool) {
	switch t := t.(type) {
	case countTrigger:
		return true, true
	case clockTrigger:
		return true, t.d < time.Microsecond
	case WatermarkTrigger:
		if t.early == nil {
			return false, false
		}
		return early(t.early)
	case repeatTrigger:
		return early(t.t)
	case anyTrigger:
		return earlyAny(t.kids)
	case finallyTrigger:
		return earlyAny(t.kids)
	case allTrigger:
		fires = true
		for _, k := range t.kids {
			f, e := early(k)
			fires, perElement = fires && f, perElement || e
		}
		return fires, fires && perElement
	case orderTrigger:
		for i, k := range t.kids {
			f, e := early(k)
			if i == 0 {
				fires = f
			}
			if !f {
				break
			}
			perElement = perElement || e
			if !MayFinish(k) {
				break
			}
		}
		return fires, perElement
	default: // never, missing
		return false, false
	}
}

func earlyAny(ts []Trigger) (fires, perElement bool) {
	for _, t := range ts {
		f, e := early(t)
		fires, perElement = fires || f, perElement || e
	}
	return fires, perElement
}

// usesClock says whether t depends on processing time.
func usesClock(t Trigger) bool {
	_, ok := t.(clockTrigger)
	return ok || some(t.subs(), usesClock)
}

func some(ts []Trigger, is func(Trigger) bool) bool {
	for _, t := range ts {
		if is(t) {
			return true
		}
	}
	return false
}
