package run

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// gaps gives every element the session that it would be if it were alone, by a gap of its own
// (S2.4). The windows are not final: the next grouping merges them.
type gaps[K comparable, V any] struct {
	op
	gap func(K, *V) time.Duration
	out Out[KBatch[K, V]]
	win []window.Interval
}

// GapsOp makes operators that open a session for every element by the gap that gap computes. One
// that is not at least a microsecond ends the run.
func GapsOp[K comparable, V any](gap func(K, *V) time.Duration) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &gaps[K, V]{op: newOp(p), gap: gap}
		return Ports{In: []any{Input[KBatch[K, V]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *gaps[K, V]) Take(b *KBatch[K, V]) {
	defer o.caught(func(i int) any { return KV[K, V]{b.K[i], b.V[i]} })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.win) < n || o.win == nil {
		o.win = make([]window.Interval, max(n, 64))
	}
	win := o.win[:n]
	for i := range b.V {
		o.at = i
		d := o.gap(b.K[i], &b.V[i])
		us := etime.Span(d)
		if us <= 0 {
			panic(stopped{fmt.Errorf("step %q: the gap of %+v is %v: a session lasts a microsecond at least", o.step, KV[K, V]{b.K[i], b.V[i]}, d)})
		}
		win[i] = window.SessionGaps().Open(b.At[i], us)
	}
	out := KBatch[K, V]{b.K, b.V, b.Cols}
	out.Win = win
	o.out.Give(&out)
}
