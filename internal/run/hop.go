package run

import (
	"sync"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
)

// Wire is how the batches of an edge move: the engine's part of a plan's edge.
type Wire interface {
	// join connects an output to an input on the same worker.
	join(out, in any)
	// hop makes the ends of an exchange: for each worker a sender (an Input) and the Out of a
	// receiver.
	hop(h *hopSpec) (ins []any, outs []any)
}

// hopSpec is what an exchange has to know of its surroundings.
type hopSpec struct {
	exchange plan.Exchange
	from, to []*task
	origins  [][]int // by sending worker
	carryAll bool
	net      network
}

// edges lists the origins that receiver j hears of from each sender.
func (h *hopSpec) edges(j int) [][]int {
	e := make([][]int, len(h.from))
	for i := range h.from {
		if h.exchange != plan.Local || i == j {
			e[i] = h.origins[i]
		}
	}
	return e
}

// hopSize is the number of values at which a sender does not wait for more.
const hopSize = 512

// hop is one exchange, for any type of batch.
type hop[B any] struct {
	spec  *hopSpec
	pool  sync.Pool
	cols  func(*B) *Cols
	clear func(*B)                                // drop the values
	take  func(to, b *B, rows []int32)            // append those rows, without the columns
	route func(worker int) func(b *B, to []int32) // makes a router for a sending worker
}

type hopSender[B any] struct {
	h       *hop[B]
	worker  int
	out     []*hopReceiver[B]
	pending []*B
	told    [][]word // by receiver and origin: what it was told last
	routes  func(b *B, to []int32)
	to      []int32
	rows    [][]int32 // of the batch at hand, by receiver
	last    Cols      // of the batch that came last: of its columns no more than whether they are there
	any     bool
}

// word is what a sender says of an origin.
type word struct {
	w    int64
	idle bool
}

type hopReceiver[B any] struct {
	h      *hop[B]
	paths  *paths
	out    Out[B]
	task   *task
	worker int
}

func (h *hop[B]) ends() (ins []any, outs []any) {
	n := len(h.spec.from)
	h.pool.New = func() any { return new(B) }
	receivers := make([]*hopReceiver[B], n)
	for j := range n {
		receivers[j] = &hopReceiver[B]{h: h, paths: newPaths(h.spec.edges(j), h.spec.carryAll), task: h.spec.to[j], worker: j}
		outs = append(outs, &receivers[j].out)
		if h.spec.exchange == plan.Local {
			h.spec.to[j].ends++
		} else {
			h.spec.to[j].ends += n
		}
	}
	for i := range n {
		s := &hopSender[B]{h: h, worker: i, out: receivers, routes: h.route(i)}
		if h.spec.exchange == plan.Local {
			s.out = receivers[i : i+1]
		}
		s.pending, s.told, s.rows = make([]*B, len(s.out)), make([][]word, len(s.out)), make([][]int32, len(s.out))
		h.spec.from[i].senders = append(h.spec.from[i].senders, s)
		ins = append(ins, Input[B](s))
	}
	return ins, outs
}

// Take copies the values of b into the batches that are being gathered for their receivers: one
// each, or every one if they are broadcast.
func (s *hopSender[B]) Take(b *B) {
	c := s.h.cols(b)
	// The end of the input is told apart from the watermark before it: what is due by that one
	// is on time and perhaps not last, what the end brings is last.
	if s.any && (c.Close == etime.Max && s.last.Close != etime.Max || !s.last.like(c)) {
		s.flush()
	}
	s.any = true
	n := c.len()
	if cap(s.to) < n {
		s.to = make([]int32, n)
	}
	to := s.to[:n]
	switch {
	case len(s.out) == 1:
		clear(to)
		s.gather(b, c, to)
	case s.h.spec.exchange == plan.Broadcast:
		for j := range s.out {
			for i := range to {
				to[i] = int32(j)
			}
			s.gather(b, c, to)
		}
	default:
		s.routes(b, to)
		s.gather(b, c, to)
	}
	s.last = *c
}

// gather puts each value of b, whose columns are c, into the batch that is being gathered for
// receiver to[i], and sends those that are full.
func (s *hopSender[B]) gather(b *B, c *Cols, to []int32) {
	for i, j := range to {
		s.rows[j] = append(s.rows[j], int32(i))
	}
	for j, rows := range s.rows {
		s.rows[j] = rows[:0]
		for len(rows) > 0 {
			p := s.pending[j]
			if p == nil {
				p = s.h.pool.Get().(*B)
				s.h.clear(p)
				s.h.cols(p).reset(c)
				s.h.cols(p).Lent = false // of what is lent it has copies
				s.pending[j] = p
			}
			n := min(len(rows), hopSize-s.h.cols(p).len())
			s.h.take(p, b, rows[:n])
			s.h.cols(p).takeRows(c, rows[:n])
			if s.h.cols(p).len() == hopSize {
				// The receiver may be told the watermark before the next value, no later one.
				next := c.Close
				if i := int(rows[n-1]) + 1; i < len(to) {
					next = c.W[i]
				}
				s.send(j, &Cols{Origin: c.Origin, Close: next, Ended: c.Ended, Clock: c.Clock})
			}
			rows = rows[n:]
		}
	}
}

// send sends what has gathered for receiver j, and what end says of the watermark behind it.
func (s *hopSender[B]) send(j int, end *Cols) {
	origin, w, idle := end.Origin, end.Close, end.Idle
	for len(s.told[j]) <= origin {
		s.told[j] = append(s.told[j], word{w: etime.Min})
	}
	p := s.pending[j]
	if p == nil {
		if s.told[j][origin] == (word{w, idle}) {
			return
		}
		p = s.h.pool.Get().(*B)
		s.h.clear(p)
		s.h.cols(p).reset(&Cols{})
	}
	s.told[j][origin] = word{w, idle}
	c := s.h.cols(p)
	c.Origin, c.Close, c.Idle, c.Drained, c.Ended, c.Clock = origin, w, idle, end.Drained, end.Ended, end.Clock
	s.pending[j] = nil
	s.h.spec.net.send(s.out[j].task, message{s.out[j], s.worker, p})
}

func (s *hopSender[B]) flush() {
	if !s.any {
		return
	}
	s.any = false
	for j := range s.out {
		s.send(j, &s.last)
	}
	s.last = Cols{}
}

func (s *hopSender[B]) end() {
	for _, r := range s.out {
		s.h.spec.net.send(r.task, message{r, s.worker, nil})
	}
}

func (r *hopReceiver[B]) receive(from int, payload any) {
	b := payload.(*B)
	c := r.h.cols(b)
	own := *c
	*c = r.paths.merge(from, &own)
	r.out.Give(b)
	*c = own
	r.h.pool.Put(b)
}

// values is the wire of edges with plain values.
type values[T any] struct{}

// Values gives it.
func Values[T any]() Wire { return values[T]{} }

func (values[T]) join(out, in any) {
	o := out.(*Out[Batch[T]])
	o.to = append(o.to, in.(Input[Batch[T]]))
}

func (values[T]) hop(spec *hopSpec) (ins, outs []any) {
	h := &hop[Batch[T]]{
		spec: spec,
		cols: func(b *Batch[T]) *Cols { return &b.Cols },
		clear: func(b *Batch[T]) {
			clear(b.V)
			b.V = b.V[:0]
		},
		take: func(to, b *Batch[T], rows []int32) { to.V = appendRows(to.V, b.V, rows) },
		route: func(worker int) func(*Batch[T], []int32) {
			next := worker
			return func(b *Batch[T], to []int32) {
				for i := range to {
					if spec.exchange == plan.Spread {
						next = (next + 1) % len(spec.to)
						to[i] = int32(next)
					} else {
						to[i] = 0
					}
				}
			}
		},
	}
	return h.ends()
}

// keyed is the wire of edges with keys.
type keyed[K comparable, V any] struct{ key *codec.Codec[K] }

// KeyedValues gives it.
func KeyedValues[K comparable, V any](key *codec.Codec[K]) Wire { return keyed[K, V]{key} }

func (keyed[K, V]) join(out, in any) {
	o := out.(*Out[KBatch[K, V]])
	o.to = append(o.to, in.(Input[KBatch[K, V]]))
}

func (k keyed[K, V]) hop(spec *hopSpec) (ins, outs []any) {
	h := &hop[KBatch[K, V]]{
		spec: spec,
		cols: func(b *KBatch[K, V]) *Cols { return &b.Cols },
		clear: func(b *KBatch[K, V]) {
			clear(b.K)
			clear(b.V)
			b.K, b.V = b.K[:0], b.V[:0]
		},
		take: func(to, b *KBatch[K, V], rows []int32) {
			to.K, to.V = appendRows(to.K, b.K, rows), appendRows(to.V, b.V, rows)
			own(b.Lent, to.V[len(to.V)-len(rows):])
		},
		route: func(int) func(*KBatch[K, V], []int32) {
			r := newRouter(k.key, len(spec.to))
			return func(b *KBatch[K, V], to []int32) { r.route(b.K, to) }
		},
	}
	return h.ends()
}
