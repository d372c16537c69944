// Package window says which windows an instant is in (S2): global, fixed, sliding, session,
// cumulative, calendar and user-defined. It answers one question, "which window?", by
// arithmetic on event time alone, and says which windows of a key merge.
//
// Layer: the model, values and pure functions over the standard library. It does not know
// elements, keys, watermarks or lateness, when a window fires, or what is computed in it.
//
// An [Assigner] is made by a constructor and refined by methods that give a changed copy:
//
//	window.Fixed(10 * time.Second)
//	window.Sliding(time.Hour, time.Minute).Offset(30 * time.Second)
//	window.Weeks().StartingOn(time.Sunday).InZone("America/New_York")
//
// Constructors accept anything; Validate reports all that is wrong, so that a pipeline can
// report it together with its other faults. Assigning with parameters that Validate refuses
// may panic.
package window
