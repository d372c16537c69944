// Package jsonrow makes rows of JSON objects: of each line just the fields that are in use,
// by types that are known when a pipeline is read.
//
// A decoder is compiled from a schema and the fields in use. It walks along a line once, eight
// bytes at a time. Each key is first compared with the one that stood at the same place in the
// line before, so that lines of one program's making are read without looking up a key. Values
// of no use are passed over; those in use are checked and read.
//
// What it takes of a line is what encoding/json/v2 takes: text is valid UTF-8 with valid
// escapes, numbers are as JSON writes them, a key in use that is given twice makes the line
// malformed (S13.2), however it is written, and so does nesting deeper than [MaxDepth]. Of
// what is not in use only the structure is checked: text ends, brackets close, values are
// separated. So a line may pass that encoding/json/v2 would refuse for a number such as 01, a
// bad escape, or a key given twice in a value of no use; and no line that it accepts is
// refused but for those two rules and the schema.
//
// A number is an integer if it is whole, however it is written (12.0, 1e3), and is held
// exactly or not at all: what does not fit 64 bits, a whole number that a float would round,
// and 1e400 are malformed. Where the type is any, a number written without point and exponent
// is an integer if it fits. What is missing, and null, are null.
//
// Layer: under the sources of rows. It opens nothing and knows nothing of lines' positions.
package jsonrow
