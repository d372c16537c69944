// Package connectortest shows whether a connector keeps the contract of package connector:
// [ExerciseSource] and [ExerciseSink] run it through everything that the engine relies on.
// Whoever writes a connector calls them in a test; the connectors of this module do.
//
// Layer: a test kit, above the contract. It knows nothing of the engine.
package connectortest
