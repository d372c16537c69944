// Package combine is how many values become one: aggregations as create, add, merge and
// extract (S7.1), the built-in ones and the means to write others.
//
// Layer: the model. It is made of values and pure functions and imports the standard library
// and internal/etime. It knows no window, key, pane, worker or codec: the engine decides which
// accumulator an element goes to, when two are merged and when a result is taken.
//
// Constructors return concrete types, so that the accumulator and the result are inferred where
// a combiner is used:
//
//	events.CombinePerKey("count", combine.Count[Reading]())
//
// Accumulators of the built-in combiners are plain values with exported fields, which is what a
// checkpoint writes. Where the types they are made of hold no pointers, neither do they, and the
// collector never scans a table of them.
//
// Whoever writes a combiner should give it to combinetest.Exercise, which checks the laws that
// the engine relies on.
package combine
