// Package files finds and opens the files of a source: a path or a glob, plain, gzip or zstd,
// with errors that say what to do about them, and bounds on what compressed bytes may become.
//
// Layer: below the connectors that read files. It knows nothing of lines, records or splits,
// and starts no goroutine.
package files
