package combine

import (
	"errors"
	"fmt"
)

// part is one of the functions that a combiner is built from.
type part struct {
	name string
	nil  bool
}

// missing gives an error for every part that is nil, or nil.
func missing(combiner string, parts ...part) error {
	var errs []error
	for _, p := range parts {
		if p.nil {
			errs = append(errs, fmt.Errorf("combine.%s: %s is nil; it needs a function", combiner, p.name))
		}
	}
	return errors.Join(errs...)
}

// validate asks c, if it can be asked.
func validate(c any) error {
	if v, ok := c.(Validator); ok {
		return v.Validate()
	}
	return nil
}
