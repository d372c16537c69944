// Package lines reads text as records in bounded memory: from files, globs, standard input, a
// file that grows, or any [io.Reader]. A record is a line, or for formats with a [Shape] of
// their own several. It is what the line-based connectors share; a connector adds a [Decoder].
//
// Bytes come from a feed; a cutter cuts them into pieces that end where a record does; pieces
// are decoded one after another, or several at a time ([Split.Parallel]), and given out in
// order. Both ways give the same records, positions and errors.
//
// Layer: below the connectors, above package files. It knows no format. The one goroutine
// of an input that may have to wait (a pipe, a terminal) lives from its first Read to Close,
// and so do those that decode in parallel.
package lines
