// Package sim compares the engine with the oracle on random pipelines, each made from one seed:
// windows, triggers, accumulation, lateness, disorder, workers, batch sizes, and the way from
// reader to window. Half of the cases run on real goroutines, half on one goroutine in an order
// that the seed draws, with arbitrary delays between stages.
//
// Layer: tests only, above the typed API.
package sim
