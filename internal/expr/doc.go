// Package expr is the small typed language of expressions in declarative pipelines: filters and
// computed fields over rows of internal/record. [Compile] checks a text against the schema of the
// rows, all mistakes at once, and compiles it to functions that know their types.
//
// It is the part of Python that Beam YAML's examples use, with its precedence and its arithmetic:
//
//	amount * 1.19 if country == 'DE' else amount
//	name.lower().startswith('a') and 10 <= age < 20
//	word + ': ' + str(value)
//	beam.Row(id=order.id, tags=[kind, 'new'])
//
// and functions for what Python has modules for (regular expressions, times) or SQL has names
// for (coalesce, substr). [Functions] lists them. What would mean something else here than in
// Python, SQL or C is refused with a hint: = for ==, CASE, 'a' * 3, and and or of values that
// are no booleans.
//
// # Types
//
// The type of each part is known before anything runs: boolean, integer (64 bits), number (a
// float of 64 bits), string (of characters, that is, code points), bytes, timestamp, array,
// object. An integer and a number make a number. Strings, numbers and booleans do not turn into
// each other by themselves; int, float, str, bool and timestamp do it. A value of type any,
// which a schema gives to fields of several kinds, must be cast before anything computes with it;
// the cast checks each record. Only its parts (a.b, a[0]), is None, isNull and coalesce need no
// cast. The branches of a conditional and the elements of a list are of one type, where an integer
// beside a number becomes one.
//
// # Null
//
//   - Arithmetic, comparisons and functions of null are null.
//   - and, or, not are of three values, as in SQL: false and null is false, true or null is true,
//     else null makes null. Comparisons in a row, a < b < c, are joined by and.
//   - A condition that is null counts as false: in [Program.Bool], and in x if c else y, which is
//     y then.
//   - x in list is null if x is. Nulls of the list are no values: they are never found, and
//     x not in [1, null] is true for 2, as in Python and unlike SQL.
//   - A part of null is null. A list has null where its element is; an index outside of the list
//     is an error.
//   - x is None, x is not None and isNull(x) are never null. Comparing with the word null is
//     refused, since it would always be null.
//   - coalesce gives the first of its arguments that is not null.
//
// A type with a question mark, such as integer?, may be null. An operation of such values is of
// such a type.
//
// # Numbers
//
// As in Python: / is a number also for two integers, // and % round towards minus infinity, ** is
// right-associative, round goes to the even one in the middle, int cuts towards zero, str writes
// 1.0 and 1e+16. Unlike in Python integers have 64 bits: what does not fit is an error of the
// record. Division by zero is an error of the record, for numbers too. NaN is equal to nothing, and
// in no list.
//
// # Limits
//
// A text has at most 64 KiB, 10,000 parts and a depth of 100. Regular expressions are RE2 without
// backtracking, have at most 1000 bytes, and like layouts, units and time zones are written out,
// so that they are checked once. What a record makes has at most 1 MiB: a longer string, or a list
// of more values, is an error of the record. There is no loop, no clock and no randomness.
//
// Layer: above records and windows, whose time zones it uses. It knows nothing of pipelines or
// files.
package expr
