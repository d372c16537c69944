// Package combinetest checks that a combiner keeps the laws that the engine relies on (S7.1):
//
//	func TestMyCombiner(t *testing.T) {
//		combinetest.Exercise(t, MyCombiner{}, []Reading{{N: 1}, {N: -7}, {N: math.MaxInt64}})
//	}
//
// Layer: the model's test kit. It imports package combine and the standard library, and knows no
// engine: it calls the combiner as an engine might.
package combinetest
