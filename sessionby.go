package strandline

import (
	"time"

	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/window"
)

// SessionBy windows into sessions with a gap for each element: one at t opens [t, t+gap), and
// windows of one key that overlap merge (S2.4). With the same gap for all it is WindowInto of
// [window.Session]. Like that it replaces the windows that elements have, and sets trigger,
// allowed lateness, accumulation and output time back to their defaults.
//
// gap must give the same for the same element each time. One of less than a microsecond ends the
// run, with an error that names step and element.
func (k Keyed[K, V]) SessionBy(name string, gap func(K, *V) time.Duration) Keyed[K, V] {
	k.p.given(gap != nil, "session by", name, "the function")
	w := k.w.into(k.p, window.SessionGaps())
	w.opened = true
	s := k.p.add(name, &plan.Step{Kind: "session by", Codec: keyName[K, V](), Inputs: []plan.Edge{k.edge(plan.Local)}, Op: run.GapsOp(gap)})
	return newKeyed[K, V](k.p, s, w)
}
