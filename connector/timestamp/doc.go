// Package timestamp reads event times from the fields that carry them. A [Layout] declares
// how a field is written: RFC 3339, a number of seconds, milliseconds, microseconds or
// nanoseconds since 1970, or a layout of package time with a zone (S1.5). What a layout
// cannot read is an error, never "now" and never zero (S1.4).
//
// Layer: beside the connectors, below every file format; pure, and without knowledge of
// records, files or clocks: [Probe.Judge] is told what time it is.
package timestamp
