// Package core holds the decisions of the engine as functions from facts to values: where the
// watermark stands (progress.go), which way an element goes (late.go), what is due next
// (fire.go), what a pane is called (pane.go) and what becomes of merged windows (merge.go).
//
// Layer: above the model, below everything that runs. It has no goroutine, clock, IO,
// context, logger or randomness, and knows neither element types nor keys.
package core
