// Package run is the engine: it makes the operators of a plan for every worker, joins them to
// stages, and drives the stages. An operator takes a typed batch at a time; the operators
// between two exchanges are fused by plain calls. All decisions are those of internal/core;
// here is where they cost time.
//
// The files, in the order of an element's way: splits.go drives the splits of a source
// (source.go), reading.go stamps their records with the watermark, each.go and keyed.go hold the
// element-wise steps, pre.go accumulates before an exchange, hop.go crosses it, paths.go and
// windowed.go take watermarks together, and flat.go, sliced.go and cells.go are the three kinds
// of windowed state. build.go makes and joins it all, task.go drives a stage.
//
// Layer: the shell, above core, plan and the model, below the API. It owns the engine's
// goroutines. It knows no file format and no front end.
package run
