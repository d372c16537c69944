// Package files finds and opens the files of a source: a path or a glob, plain or gzip, with
// errors that say what to do about them.
//
// Layer: below the connectors that read files. It knows nothing of lines, records or splits,
// and starts no goroutine.
package files
