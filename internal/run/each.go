package run

// mapper applies a function to every value.
type mapper[T, U any] struct {
	op
	f   func(*T) U
	out Out[Batch[U]]
	b   Batch[U]
}

// MapOp makes operators that apply f to every value, which keeps time, window and pane.
func MapOp[T, U any](f func(*T) U) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &mapper[T, U]{op: newOp(p), f: f}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *mapper[T, U]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	o.n.In += int64(len(b.V))
	o.n.Kept += int64(len(b.V))
	if cap(o.b.V) < len(b.V) {
		o.b.V = make([]U, len(b.V))
	}
	vs := o.b.V[:len(b.V)]
	for i := range b.V {
		o.at = i
		vs[i] = o.f(&b.V[i])
	}
	o.b.V, o.b.Cols = vs, b.Cols
	o.out.Give(&o.b)
}

// filter keeps some values.
type filter[T any] struct {
	op
	keep func(*T) bool
	out  Out[Batch[T]]
	b    Batch[T]
}

// FilterOp makes operators that keep the values for which keep says so.
func FilterOp[T any](keep func(*T) bool) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &filter[T]{op: newOp(p), keep: keep}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *filter[T]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	o.n.In += int64(len(b.V))
	o.b.V = o.b.V[:0]
	o.b.Cols.reset(&b.Cols)
	for i := range b.V {
		o.at = i
		if o.keep(&b.V[i]) {
			o.b.V = append(o.b.V, b.V[i])
			o.b.Cols.take(&b.Cols, i)
		}
	}
	o.n.Kept += int64(len(o.b.V))
	o.n.Filtered += int64(len(b.V) - len(o.b.V))
	o.out.Give(&o.b)
}

// parDo calls a function that may give any number of values, on two outputs.
type parDo[T, U, S any] struct {
	op
	f    func(x *Context, v *T, main func(U), side func(S))
	out  Out[Batch[U]]
	side Out[Batch[S]]
	b    Batch[U]
	s    Batch[S]
	x    Context
	in   *Batch[T]
	main func(U)
	aux  func(S)
	gave bool
}

// ParDoOp makes operators that call f for every value. Output 1 is the side output.
func ParDoOp[T, U, S any](f func(x *Context, v *T, main func(U), side func(S))) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &parDo[T, U, S]{op: newOp(p), f: f}
		o.main = func(u U) {
			o.gave = true
			o.b.V = append(o.b.V, u)
			o.b.Cols.take(&o.in.Cols, o.at)
		}
		o.aux = func(s S) {
			o.gave = true
			o.s.V = append(o.s.V, s)
			o.s.Cols.take(&o.in.Cols, o.at)
		}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out, &o.side}, Origins: [][]int{p.Origins[0], p.Origins[0]}}
	})
}

func (o *parDo[T, U, S]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	o.n.In += int64(len(b.V))
	o.in = b
	o.b.V, o.s.V = o.b.V[:0], o.s.V[:0]
	o.b.Cols.reset(&b.Cols)
	o.s.Cols.reset(&b.Cols)
	for i := range b.V {
		o.at, o.gave = i, false
		b.Cols.context(i, &o.x)
		o.f(&o.x, &b.V[i], o.main, o.aux)
		if o.gave {
			o.n.Kept++
		} else {
			o.n.Filtered++
		}
	}
	o.out.Give(&o.b)
	o.side.Give(&o.s)
}

// PassOp makes operators that hand everything on (Reshuffle: the exchange before it is the
// point).
func PassOp[T any]() Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &pass[T]{op: newOp(p)}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

type pass[T any] struct {
	op
	out Out[Batch[T]]
}

func (o *pass[T]) Take(b *Batch[T]) {
	o.n.In += int64(len(b.V))
	o.n.Kept += int64(len(b.V))
	o.out.Give(b)
}
