// Package lines reads text as records, one a line, in bounded memory: from files, globs,
// standard input or any [io.Reader]. It is what the line-based connectors share; a
// connector adds a [Decoder].
//
// Layer: below the connectors, above package files. It knows no format. The one goroutine
// of an input that may have to wait (a pipe, a terminal) lives from Open to Close.
package lines
