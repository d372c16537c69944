package run

import (
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/size"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// TimeJoin is what joins by event time have in common: the function that makes a result of two
// elements, and what decides which elements come too late.
type TimeJoin[K comparable, L, R, O any] struct {
	Key      *codec.Codec[K]
	Null     func(K) bool // says whether a key matches nothing (S7.4); nil: none does
	Lateness int64
	Give     func(K, *L, *R) O
}

// timeJoinOp is the operator of a join by event time: output 0 is what it gives, in no window, 1
// the late records.
type timeJoinOp[K comparable, L, R, O any] struct {
	front[K, Side[L, R]]
	join *TimeJoin[K, L, R, O]
	main emitter[O]
	gone [1]window.Interval // what a late element has missed
}

// operator makes a join's operators. Both sides come in by one edge.
func (j *TimeJoin[K, L, R, O]) operator(state func(o *timeJoinOp[K, L, R, O]) windows[K, Side[L, R]]) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := newTimeJoin(j)
		o.op, o.in = newOp(p), newInlet(p.Origins[0])
		o.values, o.sizes.fixed, o.sizes.least = true, 8, size.Flat[Side[L, R]]()
		origins := o.open(p, &o.main)
		o.windows = state(o)
		p.build.ops = append(p.build.ops, &o.front)
		return Ports{In: []any{Input[KBatch[K, Side[L, R]]](o)}, Out: []any{&o.main.out, &o.late.out}, Origins: origins}
	})
}

func newTimeJoin[K comparable, L, R, O any](j *TimeJoin[K, L, R, O]) *timeJoinOp[K, L, R, O] {
	o := &timeJoinOp[K, L, R, O]{join: j}
	o.main.plain, o.late.plain = true, true
	return o
}

// admit books an element that arrives when the watermark is w, and says whether it is in time. If
// it is not it goes to the late output, and what it has missed is those event times of the other
// side, from and to included, that it could have matched.
func (o *timeJoinOp[K, L, R, O]) admit(k K, v *Side[L, R], t, w, from, to int64) bool {
	n := o.n
	n.Assigned++
	if t < etime.Sub(w, o.join.Lateness) {
		n.DroppedLate++
		o.gone[0] = window.FromMicros(from, etime.Add(to, 1))
		o.miss(k, *v, t, w, o.gone[:])
		return false
	}
	n.InWindow++
	if t < w {
		n.LateKept++
	}
	return true
}

func (o *timeJoinOp[K, L, R, O]) null(k K) bool { return o.join.Null != nil && o.join.Null(k) }

// give gives the result of two elements, at time t. One that is behind the watermark w, by which
// the later of the two was judged, carries it on.
func (o *timeJoinOp[K, L, R, O]) give(k K, l *L, r *R, t, w int64) {
	carried := etime.Min
	if t < w {
		carried = w
	}
	o.main.give(o.call(k, l, r), t, window.Interval{}, trigger.NoFiring, carried)
}

// call calls the user's function. If it panics, the element is the pair.
func (o *timeJoinOp[K, L, R, O]) call(k K, l *L, r *R) O {
	defer o.caught(func(int) any {
		type pair struct {
			Key         K
			Left, Right any
		}
		if r == nil {
			return pair{k, *l, nil}
		}
		return pair{k, *l, *r}
	})
	return o.join.Give(k, l, r)
}
