// Package connector is the contract between the engine and the world outside: sources that
// are read in splits, and sinks that results are written to. Whoever adds a file format or a
// broker implements these interfaces and nothing else; README.md beside this file is the
// check list.
//
// Layer: a contract, above the model and below the engine. It knows nothing of pipelines,
// windows' state or workers, and starts no goroutine. An implementation that needs
// goroutines owns them: they are gone when Close has returned.
package connector
