package window

// GlobalWindow is the windowing with a single window, which holds all of event time and also
// elements that have none (S2.5). See [Global].
type GlobalWindow struct{}

var _ Assigner = GlobalWindow{}

// Global puts every element in one window that ends when the input does. Under a trigger that
// waits for the watermark it fires once, at the end of bounded input (S8.1).
func Global() GlobalWindow { return GlobalWindow{} }

// Assign appends the global window.
func (GlobalWindow) Assign(dst []Interval, _ int64) []Interval { return append(dst, everything) }

// Validate gives nil: there are no parameters.
func (GlobalWindow) Validate() error { return nil }

// String gives "global".
func (GlobalWindow) String() string { return "global" }
