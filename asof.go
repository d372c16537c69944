package strandline

import (
	"fmt"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// AsOfJoin joins each left value with the version that was valid at its event time: of the values
// of versions with its key the one with the greatest event time not after its own (S10.4). An
// equal time matches. Of several versions with that time it is the one whose encoding is the
// greatest, byte by byte, in whatever order they arrive. The version is nil if there is none, or
// if the key is null (S7.4).
//
// A left value comes out once, at its own time and in no window, when the watermark has passed it:
// then the versions up to its time are in. The watermark behind the join is held back to the values
// that wait. Windows that the inputs have do not matter.
//
// Allowed lateness, of the receiver, holds for both sides. A left value that is behind the
// watermark, but not farther than that, is joined with the versions known when the watermark next
// moves; a version that is so late counts for the left values that have not come out yet. What is
// later still goes to [Joined.OnLate].
//
// State: the versions of the last stretch of event time as long as allowed lateness, and the newest
// one before it. That one stays for each key, for ever: the bound is one version a key. The plan
// says so ([Pipeline.Explain]).
func (k Keyed[K, V]) AsOfJoin[W, R any](name string, versions Keyed[K, W], f func(key K, left *V, version *W) R) Joined[K, V, W, R] {
	version, err := codec.For[W]()
	if err != nil {
		k.p.failf("as-of join %s: the version: %w: it must be encodable, so that versions of one time have an order", quoted(name), err)
	}
	note := "state: the newest version of each key, for ever, and those ahead of the watermark"
	if k.w.lateness > 0 {
		note = fmt.Sprintf("state: the newest version of each key that is %v behind the watermark, for ever, and all later ones", k.w.lateness)
	}
	step := &plan.Step{Kind: "as-of join", Note: note + "; left elements until the watermark has passed them"}
	return timeJoin(k, versions, name, step, f, func(j run.TimeJoin[K, V, W, R]) run.Maker { return run.AsOfOp(j, version) })
}
