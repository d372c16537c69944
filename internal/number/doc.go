// Package number reads decimal numbers that text holds into Go's numeric types exactly (S13.2):
// a whole number is an integer however it is written (12.0, 1e3), what does not fit is an
// error, and a whole number written out must be exact in a float too.
//
// Layer: below the connectors. It knows no format; it starts no goroutine.
package number
