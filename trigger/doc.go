// Package trigger says when a window emits what it holds (S5). A [Trigger] is a tree: leaves
// wait for the watermark, a number of elements or the processing time; others repeat, combine
// and chain them. A [Pane] describes the output that a firing makes.
//
//   - [Default]: on time, then once for every late element;
//   - [AfterWatermark], with early and late firings;
//   - [AfterCount], [AfterProcessingTime], [Never], [Always];
//   - [Repeat], [AfterAny], [AfterAll], [InOrder], [OrFinally].
//
// The triggers and their meaning are those of Apache Beam. Where Beam's SDKs differ the meaning
// is that of the Java SDK: [AfterAny] and [AfterAll] fire once and finish.
//
// A trigger that finishes closes its window to later elements (S4.2); [MayFinish] tells. Most
// pipelines want one that does not.
//
// Layer: the model, values and pure functions over the standard library and internal/etime. A
// [Program] evaluates a tree over a [State], one window's plain words, and is told the watermark
// and the time. It reads no clock, sets no timer and knows no key, window, element or lateness.
// Whether a pane is early, on time or late, when a window expires, and what is emitted at its
// expiry or at the end of input although the trigger did not fire, is the engine's.
//
// Pipelines build triggers; only runners use [Program], [State] and [Moment]. Constructors accept
// anything; [Validate] reports all that is wrong.
package trigger
