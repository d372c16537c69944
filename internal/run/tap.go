package run

import (
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/plan"
)

// Tap is told every batch that leaves the first output of a step, before anything else sees it,
// by whichever worker has it. The rows are valid during the call; keyed values are KV.
type Tap func(step string, rows connector.Rows)

// tap lets the option see what leaves an operator.
func (b *builder) tap(s *plan.Step, p Ports) {
	if b.opts.Tap == nil || len(p.Out) == 0 {
		return
	}
	if out, ok := p.Out[0].(interface{ tapped(func(connector.Rows)) }); ok {
		out.tapped(func(r connector.Rows) { b.opts.Tap(s.ID, r) })
	}
}

func (o *Out[B]) tapped(f func(connector.Rows)) { o.to = append(o.to, tapped[B]{f}) }

// tapped is a consumer that only looks.
type tapped[B any] struct{ f func(connector.Rows) }

func (w tapped[B]) Take(b *B) {
	if r, ok := any(b).(interface{ rows() connector.Rows }); ok {
		w.f(r.rows())
	}
}

func (b *Batch[T]) rows() connector.Rows { return rows[T]{b} }

func (b *KBatch[K, V]) rows() connector.Rows {
	entries := make([]KV[K, V], len(b.V))
	for i, v := range b.V {
		entries[i] = KV[K, V]{b.K[i], v}
	}
	return rows[KV[K, V]]{&Batch[KV[K, V]]{entries, b.Cols}}
}
