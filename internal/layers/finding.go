package layers

import "fmt"

// Finding is one place that breaks a rule.
type Finding struct {
	// Place is the file, with a line where it has one, or the directory of the package.
	Place string
	// What is there.
	What string
	// Rule is the short name of the rule that forbids it.
	Rule string
	// Do says how to put it right.
	Do string
}

// String reads "place: what is there (rule): what to do".
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s (rule: %s): %s", f.Place, f.What, f.Rule, f.Do)
}
