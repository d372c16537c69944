// Package csv reads and writes comma-separated values (RFC 4180): records of named columns,
// typed by a Go struct.
//
// Each file begins with a header, unless [Source.Columns] declares the columns. A struct field
// is the column of its name, or of its csv tag:
//
//	type Trip struct {
//		Vehicle string   `csv:"vehicle"`
//		Speed   *float64 `csv:"speed_kmh"`          // nil where the file has nothing
//		Note    string   `csv:"note,optional"`      // zero in files without that column
//		Driver  Person                              // columns Driver.Name, Driver.Age
//		Cache   []byte   `csv:"-"`
//	}
//
// Fields may be numbers, text, booleans (true, false, t, f, 1, 0, in any of the ways that
// package strconv reads), [time.Time] (RFC 3339), [time.Duration] (as Go writes it), bytes,
// whatever is an encoding.TextUnmarshaler, structs of those, and pointers and nullable structs
// (a field Valid and one other, as [database/sql.Null] and Null of package combine) to them.
// Columns that the struct does not have are passed over; one that it has and the file has not
// ends the run at the file's header, with what is there.
//
// An empty field is null, and "" in quotes is empty text (S13.2). Null is nil in a pointer, not
// valid in a nullable struct, and leaves other fields zero, unless [Source.Require] asks for
// it.
//
// Each record becomes a value or a malformed record (S13.2). Malformed are: a wrong number of
// fields, text around a quoted field or a quote within an unquoted one, a number that does not
// fit its Go type, text that is not UTF-8, a record beyond the limit, and an event time that is
// missing or cannot be read (S1.4). A number fits an integer if it is whole, however it is
// written (12.0, 1e3), and a float if it is in its range, NaN, or an infinity; a whole number
// written out must be exact in a float too. Lines without any bytes are passed over and are no
// records.
//
// A quoted field may go on over several lines, within [Source.MaxRecord]. If what began so is
// no record, because the quote is never closed, or something follows where it is closed, or the
// number of fields is wrong, then what is malformed is its first line, and of the lines up to
// the closing quote those before the first that is a record by itself, or that begins one of
// several lines: so a quote too many costs one record, and not the rest of the file.
//
// A line ends with LF, CR LF or the end of its file; a byte order mark at the start of a file
// is passed over. What is gzip or zstd is decompressed. Within quotes all bytes are kept as
// they are, also CR LF.
//
// Layer: a connector. It knows the contract and nothing of pipelines or the engine.
package csv
