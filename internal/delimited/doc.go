// Package delimited is what reading and writing fields between delimiters has to know of
// quotes (RFC 4180): cutting fields off a record, records that go on over several lines, and
// how much of a file a misplaced quote costs.
//
// Layer: below the connectors, above package lines. It knows no types, and starts no
// goroutine.
package delimited
