// Package beam holds Strandline to Apache Beam's own words: its trigger transcripts, which
// Beam's runners are tested by, run against the engine through the public API.
//
// The transcripts are read where they lie, in Beam's Go module, which the go command finds or
// downloads; nothing of Beam is linked or copied. This is a module of its own so that what it
// needs to read them never reaches the library.
//
// Layer: on top of the public API. It knows nothing of the engine.
package beam
