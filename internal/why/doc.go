// Package why makes sentences of facts: why a window has not fired, or when it did. It is a pure
// function of what a run was found to be at one moment, so that each sentence can be tested by
// itself.
//
// Layer: part of the pure core. It knows no engine, no pipeline and no clock: the moment is one of
// the facts.
package why
