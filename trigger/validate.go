package trigger

import "errors"

// Validate reports everything that is wrong in t, joined into one error, or nil: counts below 1,
// delays that are negative or not of whole microseconds, nil triggers, empty lists.
func Validate(t Trigger) error {
	t = given(t)
	if t == (missing{}) {
		return errors.New("trigger: none was given")
	}
	return faults(t)
}

func faults(t Trigger) error {
	errs := []error{t.fault()}
	for _, k := range t.subs() {
		errs = append(errs, faults(k))
	}
	return errors.Join(errs...)
}

// given gives t as the tree holds it: nil becomes missing, and a pointer, which could be nil and
// whose target could change, the value.
func given(t Trigger) Trigger {
	switch p := t.(type) {
	case nil:
		return missing{}
	case *WatermarkTrigger:
		if p == nil {
			return missing{}
		}
		return *p
	}
	return t
}

// missing stands where no trigger was given, for Validate to find through its parent. It is never
// evaluated.
type missing struct{ neverTrigger }

func (missing) String() string { return "nil" }
