package run

// keyBy puts a key beside every value.
type keyBy[T any, K comparable] struct {
	op
	key func(*T) K
	out Out[KBatch[K, T]]
	b   KBatch[K, T]
}

// KeyByOp makes operators that give every value the key that key computes.
func KeyByOp[T any, K comparable](key func(*T) K) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &keyBy[T, K]{op: newOp(p), key: key}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *keyBy[T, K]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.b.K) < n {
		o.b.K = make([]K, n)
	}
	ks := o.b.K[:n]
	for i := range b.V {
		o.at = i
		ks[i] = o.key(&b.V[i])
	}
	o.b.K, o.b.V, o.b.Cols = ks, b.V, b.Cols
	o.out.Give(&o.b)
}

// borrows says so of the steps behind: a key has no part of its value's own memory.
func (o *keyBy[T, K]) borrows() bool { return o.out.borrows() }

// entries turns keys and values into one value.
type entries[K comparable, V, U any] struct {
	op
	f   func(K, *V) U
	out Out[Batch[U]]
	b   Batch[U]
}

// EntriesOp makes operators that apply f to every key with its value.
func EntriesOp[K comparable, V, U any](f func(K, *V) U) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &entries[K, V, U]{op: newOp(p), f: f}
		return Ports{In: []any{Input[KBatch[K, V]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *entries[K, V, U]) Take(b *KBatch[K, V]) {
	defer o.caught(func(i int) any { return KV[K, V]{b.K[i], b.V[i]} })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.b.V) < n {
		o.b.V = make([]U, n)
	}
	vs := o.b.V[:n]
	for i := range b.V {
		o.at = i
		vs[i] = o.f(b.K[i], &b.V[i])
	}
	o.b.V, o.b.Cols = vs, b.Cols
	o.out.Give(&o.b)
}

// unpack turns pairs into keys and values.
type unpack[T any, K comparable, V any] struct {
	op
	f   func(*T) (K, V)
	out Out[KBatch[K, V]]
	b   KBatch[K, V]
}

// UnpackOp makes operators that split every value into a key and a value.
func UnpackOp[T any, K comparable, V any](f func(*T) (K, V)) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &unpack[T, K, V]{op: newOp(p), f: f}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *unpack[T, K, V]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.b.K) < n {
		o.b.K, o.b.V = make([]K, n), make([]V, n)
	}
	ks, vs := o.b.K[:n], o.b.V[:n]
	for i := range b.V {
		o.at = i
		ks[i], vs[i] = o.f(&b.V[i])
	}
	o.b.K, o.b.V, o.b.Cols = ks, vs, b.Cols
	o.out.Give(&o.b)
}

// mapValues applies a function to every value and keeps the keys.
type mapValues[K comparable, V, U any] struct {
	op
	f   func(*V) U
	out Out[KBatch[K, U]]
	b   KBatch[K, U]
}

// MapValuesOp makes operators that apply f to every value and keep its key.
func MapValuesOp[K comparable, V, U any](f func(*V) U) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &mapValues[K, V, U]{op: newOp(p), f: f}
		return Ports{In: []any{Input[KBatch[K, V]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *mapValues[K, V, U]) Take(b *KBatch[K, V]) {
	defer o.caught(func(i int) any { return KV[K, V]{b.K[i], b.V[i]} })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.b.V) < n {
		o.b.V = make([]U, n)
	}
	vs := o.b.V[:n]
	for i := range b.V {
		o.at = i
		vs[i] = o.f(&b.V[i])
	}
	o.b.K, o.b.V, o.b.Cols = b.K, vs, b.Cols
	o.out.Give(&o.b)
}
