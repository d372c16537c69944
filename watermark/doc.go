// Package watermark says how far event time has come (S3). A watermark W is the claim that no
// further element with an event time before W is expected. A [Strategy] derives it, one source
// split at a time, from what that split reads:
//
//   - [Bounded] and [Ascending]: the greatest event time read, less a bound;
//   - [Adaptive]: the same, with a bound that follows the delays observed;
//   - [Punctuated]: what a function of the user reads from the records;
//   - [Arrival]: the time at which records arrive, less a delay;
//   - [Periods]: whole calendar periods behind the period of arrival;
//   - [EndOfInput]: nothing until the input ends, as batch mode has it.
//
// Layer: the model, values and pure functions over the standard library, internal/etime and,
// for the calendar of [Periods], package window. It reads no clock: processing time is an
// argument. It does not know keys, windows that are open, lateness, or the other splits of a
// source. The minimum over splits and edges, what counts as idle, and the advance to "after
// everything" at the end of the input (S8.1) are the engine's.
//
// Pipelines name a strategy; only runners use [Generator] and [Columns]. Constructors accept
// anything; Validate reports all that is wrong.
package watermark
