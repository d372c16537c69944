// Package jsonl reads and writes JSON lines: one JSON value a line, typed by a Go type as
// encoding/json/v2 does.
//
// Each line becomes a record or a malformed record (S13.2); nothing else stops reading.
// Malformed are: what is not JSON or not UTF-8, a value of the wrong type, a key given
// twice, a number that does not fit its Go type, nesting or a line beyond the limits, null
// in the place of a struct, and an event time that is missing or cannot be read (S1.4). A
// number fits an integer if it is whole, however it is written (12.0, 1e3), and a float if
// it is in its range; a whole number written out must be exact in a float too. A field that
// is absent is left zero, unless [Source.Require] asks for it. Lines of blanks are passed
// over and are no records.
//
// A line ends with LF, CR LF or the end of its file; a byte order mark at the start of a
// file is passed over. What is gzip or zstd is decompressed.
//
// Layer: a connector. It knows the contract and nothing of pipelines or the engine.
package jsonl
