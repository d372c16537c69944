package memory

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strandline-stream/strandline/connector"
)

// SliceSource is a [connector.Source] of a slice's elements. Its methods give changed copies.
type SliceSource[T any] struct {
	name   string
	values []T
	batch  int
	parts  int
}

// Slice reads the elements of values, without copying them: the slice must not change while
// a run reads it. It is bounded and can be read any number of times.
func Slice[T any](name string, values []T) SliceSource[T] {
	return SliceSource[T]{name: name, values: values, batch: connector.BatchSize, parts: 1}
}

// Batch makes each read give n elements. No result depends on it (S1.6). Defaults to
// [connector.BatchSize].
func (s SliceSource[T]) Batch(n int) SliceSource[T] {
	s.batch = n
	return s
}

// Parts divides the slice into n splits of equal length, give or take one, each of elements
// that follow each other. Defaults to 1.
func (s SliceSource[T]) Parts(n int) SliceSource[T] {
	s.parts = n
	return s
}

// Name is the name that was given.
func (s SliceSource[T]) Name() string { return s.name }

// Bounded is true.
func (s SliceSource[T]) Bounded() bool { return true }

// Splits gives the parts.
func (s SliceSource[T]) Splits(context.Context) ([]connector.Split[T], error) {
	var problems []error
	if s.batch < 1 {
		problems = append(problems, fmt.Errorf("memory: %s: Batch(%d): a batch has one element at least", s.name, s.batch))
	}
	if s.parts < 1 {
		problems = append(problems, fmt.Errorf("memory: %s: Parts(%d): there is one part at least", s.name, s.parts))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	splits := make([]connector.Split[T], s.parts)
	from := 0
	for i := range splits {
		n := len(s.values) / s.parts
		if i < len(s.values)%s.parts {
			n++
		}
		splits[i] = part[T]{fmt.Sprintf("%s/%d", s.name, i), s.values[from : from+n : from+n], s.batch}
		from += n
	}
	return splits, nil
}

type part[T any] struct {
	name   string
	values []T
	batch  int
}

func (p part[T]) Name() string { return p.name }

func (p part[T]) Open(context.Context) (connector.Reader[T], error) {
	return &sliceReader[T]{p.name, p.values, p.batch, 0}, nil
}

type sliceReader[T any] struct {
	name  string
	rest  []T
	batch int
	given int
}

func (r *sliceReader[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	*b = connector.Batch[T]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(r.rest) == 0 {
		return io.EOF
	}
	n := min(r.batch, len(r.rest))
	b.Values, r.rest = r.rest[:n:n], r.rest[n:]
	r.given += n
	return nil
}

// Position is the place of the last value in its split, from 1.
func (r *sliceReader[T]) Position() string {
	if r.given == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", r.name, r.given)
}

func (r *sliceReader[T]) Close() error {
	r.rest = nil
	return nil
}
