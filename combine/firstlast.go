package combine

import (
	"bytes"
	"cmp"

	"github.com/strandline-stream/strandline/internal/etime"
)

// First is the field of the element with the earliest event time, and among several of that
// time the least value: it does not depend on the order of arrival (S7.4). Of nothing there is
// none: ErrEmpty.
func First[V any, T cmp.Ordered](field func(*V) T) Earliest[V, T] {
	return FirstFunc(field, cmp.Compare[T])
}

// FirstFunc is First for values with an order of their own, by which ties of event time are
// settled. The order must tell apart what differs, or which of two comes out depends on arrival;
// Encoded gives such an order for any type.
func FirstFunc[V, T any](field func(*V) T, order func(a, b T) int) Earliest[V, T] {
	return Earliest[V, T]{field, order}
}

// Last is the field of the element with the latest event time, and among several of that time
// the greatest value: it does not depend on the order of arrival (S7.4). Of nothing there is
// none: ErrEmpty.
func Last[V any, T cmp.Ordered](field func(*V) T) Latest[V, T] {
	return LastFunc(field, cmp.Compare[T])
}

// LastFunc is Last for values with an order of their own: see FirstFunc.
func LastFunc[V, T any](field func(*V) T, order func(a, b T) int) Latest[V, T] {
	return Latest[V, T]{field, order}
}

// Encoded gives the order of the encodings, byte by byte. The function appends the encoding of v
// to dst; it is called only where event times tie.
func Encoded[T any](encode func(dst []byte, v T) []byte) func(a, b T) int {
	return func(a, b T) int { return bytes.Compare(encode(nil, a), encode(nil, b)) }
}

// Stamped is the accumulator of First and Last: the value chosen so far, if any, and its event
// time in microseconds.
type Stamped[T any] struct {
	V     T
	At    int64
	Valid bool
}

// Earliest is the combiner that First and FirstFunc give.
type Earliest[V, T any] struct {
	field func(*V) T
	order func(a, b T) int
}

// Create implements Combiner.
func (Earliest[V, T]) Create() Stamped[T] { return Stamped[T]{} }

// Add implements Combiner. An element without event time is before everything.
func (c Earliest[V, T]) Add(acc *Stamped[T], v *V) { c.AddAt(acc, v, etime.Min) }

// AddAt implements Timed.
func (c Earliest[V, T]) AddAt(acc *Stamped[T], v *V, at int64) {
	if acc.Valid && at > acc.At {
		return
	}
	c.Merge(acc, &Stamped[T]{c.field(v), at, true})
}

// Merge implements Combiner.
func (c Earliest[V, T]) Merge(acc, other *Stamped[T]) {
	switch {
	case !other.Valid:
	case !acc.Valid, other.At < acc.At, other.At == acc.At && c.order(other.V, acc.V) < 0:
		*acc = *other
	}
}

// Extract implements Combiner. The error is ErrEmpty.
func (Earliest[V, T]) Extract(acc *Stamped[T]) (T, error) { return acc.orEmpty() }

// Validate implements Validator.
func (c Earliest[V, T]) Validate() error {
	return missing("First", part{"the field", c.field == nil}, part{"the order", c.order == nil})
}

// Latest is the combiner that Last and LastFunc give.
type Latest[V, T any] struct {
	field func(*V) T
	order func(a, b T) int
}

// Create implements Combiner.
func (Latest[V, T]) Create() Stamped[T] { return Stamped[T]{} }

// Add implements Combiner. An element without event time is before everything.
func (c Latest[V, T]) Add(acc *Stamped[T], v *V) { c.AddAt(acc, v, etime.Min) }

// AddAt implements Timed.
func (c Latest[V, T]) AddAt(acc *Stamped[T], v *V, at int64) {
	if acc.Valid && at < acc.At {
		return
	}
	c.Merge(acc, &Stamped[T]{c.field(v), at, true})
}

// Merge implements Combiner.
func (c Latest[V, T]) Merge(acc, other *Stamped[T]) {
	switch {
	case !other.Valid:
	case !acc.Valid, other.At > acc.At, other.At == acc.At && c.order(other.V, acc.V) > 0:
		*acc = *other
	}
}

// Extract implements Combiner. The error is ErrEmpty.
func (Latest[V, T]) Extract(acc *Stamped[T]) (T, error) { return acc.orEmpty() }

// Validate implements Validator.
func (c Latest[V, T]) Validate() error {
	return missing("Last", part{"the field", c.field == nil}, part{"the order", c.order == nil})
}

func (a *Stamped[T]) orEmpty() (T, error) {
	if !a.Valid {
		return a.V, ErrEmpty
	}
	return a.V, nil
}
