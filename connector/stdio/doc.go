// Package stdio reads and writes plain text for people and other programs: the standard
// input and text files line by line, results as lines or as a table of panes.
//
// Layer: a connector. It knows the contract and nothing of pipelines or the engine.
package stdio
