package run

import "github.com/strandline-stream/strandline/watermark"

// sifting sets the records of a split aside that its poison guard has found to be from the future
// (S3.4). On a replay it is the next record that tells: the last one of a batch may have to be held
// until then. At the end of the input, and when the split falls idle, nothing has spoken against it,
// and it goes where all others do.
type sifting[T any] struct {
	sifter watermark.Sifter // nil if nothing is set aside
	held   struct {
		is    bool
		v     T
		at, w int64
	}
	vs          []T
	ats, ws, ps []int64
	asides      Batch[T]
	scratch     []int64
}

// sift gives the records of a batch that stay, with what was held before them; then it is not known
// where they were read, as that was elsewhere.
func (r *reading[T]) sift(c watermark.Columns, vs []T, at, w, places []int64) ([]T, []int64, []int64, []int64) {
	if watermark.Generator(r.sifter) != r.gen { // in batch mode the watermark itself has no guard
		if cap(r.scratch) < len(w) {
			r.scratch = make([]int64, len(w))
		}
		future := r.sifter.Future()
		_, _ = r.sifter.Observe(c, r.scratch[:len(w)]) // a guard never fails
		r.o.n.Future += r.sifter.Future() - future
	}
	odd, n := r.sifter.Odd(), len(vs)
	if n == 0 || len(odd) == 0 && !r.held.is && !r.sifter.Fresh() {
		return vs, at, w, places
	}
	r.vs, r.ats, r.ws, r.ps = r.vs[:0], r.ats[:0], r.ws[:0], r.ps[:0]
	placed := places != nil && !r.held.is
	if r.held.is {
		r.held.is = false
		r.o.n.In++
		if len(odd) > 0 && odd[0] < 0 {
			r.aside(r.held.v, r.held.at, r.held.w)
		} else {
			r.stay(r.held.v, r.held.at, r.held.w)
		}
	}
	if len(odd) > 0 && odd[0] < 0 {
		odd = odd[1:]
	}
	for i := range vs {
		switch {
		case len(odd) > 0 && odd[0] == i:
			odd = odd[1:]
			r.aside(vs[i], at[i], w[i])
		case i == n-1 && r.sifter.Fresh():
			r.held.is, r.held.v, r.held.at, r.held.w = true, vs[i], at[i], w[i]
			r.o.n.In-- // until it goes one way or the other
		default:
			r.stay(vs[i], at[i], w[i])
			if placed {
				r.ps = append(r.ps, places[i])
			}
		}
	}
	if !placed {
		return r.vs, r.ats, r.ws, nil
	}
	return r.vs, r.ats, r.ws, r.ps
}

func (r *reading[T]) stay(v T, at, w int64) {
	r.vs, r.ats, r.ws = append(r.vs, v), append(r.ats, at), append(r.ws, w)
}

func (r *reading[T]) aside(v T, at, w int64) {
	r.o.n.Quarantined++
	r.asides.V, r.asides.At, r.asides.W = append(r.asides.V, v), append(r.asides.At, at), append(r.asides.W, w)
}

// giveAside hands on what was set aside, with the watermark behind it.
func (r *reading[T]) giveAside(w int64, idle, drained bool) {
	if r.sifter == nil {
		return
	}
	b := &r.asides
	b.Origin, b.Close, b.Idle, b.Drained = r.origin, w, idle, drained
	r.o.aside.Give(b)
	clear(b.V)
	b.V, b.At, b.W = b.V[:0], b.At[:0], b.W[:0]
}

// release lets go of the record that is held.
func (r *reading[T]) release() {
	if !r.held.is {
		return
	}
	r.held.is = false
	r.o.n.In++
	r.o.n.Kept++
	r.b = Batch[T]{V: []T{r.held.v}, Cols: Cols{At: []int64{r.held.at}, W: []int64{r.held.w}, Origin: r.origin, Close: r.gen.W()}}
	r.o.out.Give(&r.b)
}
