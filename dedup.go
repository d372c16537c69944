package strandline

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// Deduplicate keeps the first element of each key to arrive, and drops its repeats: the elements of
// that key with an event time before its time + horizon (S10.5). One at or after that is kept, and
// the horizon counts from it then. The ledger counts repeats as filtered. Elements keep their
// event times and windows.
//
// Which of several elements is kept depends on the order in which they arrive; one with an earlier
// event time than the first is a repeat too, however much earlier. Nothing is late here: an element
// that comes so late that what it may repeat has been forgotten is taken for a first.
//
// State is one instant for each key, until the watermark is horizon + allowed lateness past the
// element that was kept. So an element that is no farther than allowed lateness behind the
// watermark is never taken for a first by mistake.
func (k Keyed[K, V]) Deduplicate(name string, horizon time.Duration) Keyed[K, V] {
	where := "deduplicate " + quoted(name)
	if horizon < time.Microsecond {
		k.p.failf("%s: the horizon is %v: it must be a microsecond or longer", where, horizon)
	}
	k.w.byTime(k.p, where)
	detail := fmt.Sprintf("within %v", horizon)
	if k.w.lateness > 0 {
		detail += fmt.Sprintf(", allowed lateness %v", k.w.lateness)
	}
	state := fmt.Sprintf("an instant for each key until the watermark is %v past it", horizon+k.w.lateness)
	first := k.p.add(name, &plan.Step{Kind: "deduplicate", Detail: detail, Codec: codecName[KV[K, V]](), Inputs: []plan.Edge{k.edge(plan.ByKey)},
		Note: "depends on the order of arrival; state: " + state,
		Op:   run.DeduplicateOp[K, V](etime.Span(horizon), etime.Span(k.w.lateness), k.w.inherited || k.w.opened, k.key)})
	first.Facts = func() plan.Facts {
		return plan.Facts{Key: k.key.ID(), State: state, Arrival: "the first element of a key to arrive is kept"}
	}
	s := k.p.add("", &plan.Step{Kind: "key by", Codec: keyName[K, V](), Inputs: []plan.Edge{{From: first, Wire: run.Values[KV[K, V]]()}},
		Op: run.UnpackOp(func(v *KV[K, V]) (K, V) { return v.Key, v.Value })})
	return Keyed[K, V]{p: k.p, step: s, w: k.w, key: k.key}
}
