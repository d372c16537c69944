// Package datagen makes up events: at a rate or as fast as possible, in order or not, the
// same ones for the same seed. It is for demonstrations, measurements and tests.
//
// Layer: a connector. It knows the contract and nothing of pipelines or the engine.
package datagen
