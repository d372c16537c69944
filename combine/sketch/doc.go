// Package sketch has combiners that give an answer close to the right one from an accumulator
// of bounded size: [Distinct] counts different values, [Quantiles] finds the values at given
// ranks. Package combine has the exact ones, whose accumulators grow with what they have seen.
//
//	readings.CombinePerKey("sensors", sketch.Distinct(func(r *Reading) string { return r.Sensor }))
//
// How far off an answer may be is stated with each combiner, and tested. The result of Distinct
// depends on nothing but the different values. That of Quantiles depends, within the error, also
// on the order of the values and on how partial results were merged: compare it with a tolerance
// (S9.1). Neither draws at random, so that the same values in the same order give the same answer
// in every process, and after a restart too.
//
// Layer: the model, above internal/codec, which tells it how to hash values. The sketches are those
// of other modules, HyperLogLog of axiomhq and t-digest of Apache DataSketches, which nothing else
// links. It knows no window, key, pane or worker.
package sketch
