// Package cli is the command strandline as a library: arguments and streams in, an exit code
// out.
//
// A command is a file: run.go, look.go (validate, explain, tap, test), init.go and draft.go,
// list.go (functions, connectors, schema), version.go. What a command does to a pipeline is
// package yaml's.
//
// Layer: a front end, on package yaml and the public API. It knows nothing of how the engine
// works.
package cli
