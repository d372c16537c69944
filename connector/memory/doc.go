// Package memory reads from slices and channels of the program itself, and gives results
// back to it: for tests, small tools, and pipelines inside other programs.
//
// Layer: a connector. It knows the contract and nothing of pipelines or the engine.
package memory
