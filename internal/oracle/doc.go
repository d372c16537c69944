// Package oracle evaluates windowed aggregations a second time, slowly and plainly, so that
// tests can compare the engine with it: one goroutine, no state beyond slices, every decision
// written where it is taken.
//
// Layer: tests only. It shares no code with the engine and imports nothing but the standard
// library; its windows, triggers and panes are types of its own. It knows no worker, batch,
// split, exchange or clock: the watermark comes with every event, and there are no triggers in
// processing time.
//
// # How the rules are read
//
// Where the rules leave a choice, this is the one taken here.
//
//   - An advance of W is handled instant by instant in ascending order, whatever its stride, so
//     that no result depends on how often W moves. A window has two instants: due, its end (for
//     touching sessions 1 µs after it, S2.4), and expiry, due + lateness. At one instant, dues
//     come before expiries, then earlier window ends before later ones (S5.7).
//   - A pane is early while W < due. It is on time if W reaching due fired it. Whatever comes
//     out at expiry is on time if expiry is due, if the pane is FinalOnly (S5.5), or if the
//     input ends before due; else it is late. All other panes from due on were caused by a
//     late element, and are late, also when no pane was on time.
//   - At the end of the input nothing can be late any more, so windows that are not due yet
//     expire when due: what the trigger fires there is last, and what it holds back comes out
//     there, on time. Windows already due give up what was never emitted. In order of end.
//   - Only triggers with a watermark in them are asked at due; an Always is not (Beam's
//     driver sets no timer for it). An Each is asked at due even if no element has reached its
//     watermark: S5.6 promises the on-time pane to whoever has had an element.
//   - A pane is written if it brings something new, or W reaching due fired it and
//     OnlyIfNonEmpty is off, or it is the last and EmptyLast is on. New means never emitted,
//     in the accumulating mode too.
//   - Merging merges trigger state node by node: counts add up, a node that has finished in
//     one of the windows has finished, and a watermark that has fired stays so only if W has
//     reached the merged due; otherwise it is pending again, its early and late parts start
//     anew, and an Each steps back to it (S5.3). If the root has finished all the same, the
//     merged window is a tombstone: the element is closed, and contents that another window
//     brought in come out at expiry. If a merge wakes what has finished, it starts anew: the
//     contents it had are not there any more (S4.2), its counts do not go on. A closed element
//     extends the tombstone that it touches.
//   - Composite triggers are those of Beam's Python driver: a kid that is not ready when another
//     fires keeps its count; All waits for kids that are ready at the same time, where a count
//     once reached stays reached, and goes on firing while one of its kids never finishes.
//   - Earliest and latest output times are of the elements since the last pane, in both modes, as
//     in Beam's Java SDK: a hold gathers event times not behind W on arrival, a pane clears it,
//     and a merge combines the holds. (Its Python driver lets the hold outlive early panes; the
//     transcripts say nothing of it.) A late element is always behind W: late panes come out at
//     end - 1 µs.
//   - The end of the global window absorbs arithmetic: its panes come out at the greatest
//     instant.
package oracle
