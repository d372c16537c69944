// Package lateness says what a choice of watermark costs: how many records come too late under
// it, which cells of the answer are wrong by that, how long results take, and how much state
// waits. It has the delays, the choice of settings to try, the comparison with the complete
// answer, the advice, and the table for people.
//
// Layer: a pure core. It knows no pipeline and no file: who runs the pipeline under each setting
// hands over what came of it, as numbers and as text. Times are microseconds, as everywhere inside.
package lateness
