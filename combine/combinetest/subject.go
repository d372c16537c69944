package combinetest

import (
	"errors"
	"fmt"

	"github.com/strandline-stream/strandline/combine"
)

// subject is the combiner under test, with its optional methods, nil where it lacks them.
type subject[V, A, O any] struct {
	c     combine.Combiner[V, A, O]
	timed combine.Timed[V, A]
	batch combine.Batcher[V, A]
	copy  combine.Cloner[A]
	sub   combine.Subtractor[V, A]
	equal func(a, b O) bool
}

func newSubject[V, A, O any](c combine.Combiner[V, A, O], equal func(a, b O) bool) *subject[V, A, O] {
	s := &subject[V, A, O]{c: c, equal: equal}
	s.timed, _ = combine.AsTimed(c)
	s.sub, _ = combine.AsSubtractor(c)
	s.batch, _ = c.(combine.Batcher[V, A])
	s.copy, _ = c.(combine.Cloner[A])
	return s
}

// describe gives the case as a report shows it.
func (s *subject[V, A, O]) describe(tr trial[V]) string {
	text := fmt.Sprintf("  values:  %+v\n", tr.values)
	if s.timed != nil {
		text += fmt.Sprintf("  times:   %v µs\n", tr.at)
	}
	return text
}

// outcome is what Extract gave.
type outcome[O any] struct {
	value O
	err   error
}

func (o outcome[O]) String() string {
	if o.err != nil {
		return "error: " + o.err.Error()
	}
	return fmt.Sprintf("%+v", o.value)
}

func (s *subject[V, A, O]) extract(acc *A) outcome[O] {
	o, err := s.c.Extract(acc)
	return outcome[O]{o, err}
}

// compare gives a breach if got is not want. Errors are equal if one is the other or if they
// say the same.
func (s *subject[V, A, O]) compare(done string, got, want outcome[O]) *breach {
	same := false
	switch {
	case got.err == nil && want.err == nil:
		same = s.equal(got.value, want.value)
	case got.err != nil && want.err != nil:
		same = errors.Is(got.err, want.err) || errors.Is(want.err, got.err) || got.err.Error() == want.err.Error()
	}
	if same {
		return nil
	}
	return &breach{done: done, got: got.String(), want: want.String()}
}

// add adds tr's elements from..to-1 to acc, each a variable of its own.
func (s *subject[V, A, O]) add(acc *A, tr trial[V], from, to int) {
	for i := from; i < to; i++ {
		v := tr.values[i]
		s.addOne(acc, &v, tr.at[i])
	}
}

func (s *subject[V, A, O]) addOne(acc *A, v *V, at int64) {
	if s.timed != nil {
		s.timed.AddAt(acc, v, at)
	} else {
		s.c.Add(acc, v)
	}
}

// build gives a fresh accumulator of tr's first n elements.
func (s *subject[V, A, O]) build(tr trial[V], n int) A {
	acc := s.c.Create()
	s.add(&acc, tr, 0, n)
	return acc
}

// result gives what the first n elements give one after another, by an accumulator of its own.
func (s *subject[V, A, O]) result(tr trial[V], n int) outcome[O] {
	acc := s.build(tr, n)
	return s.extract(&acc)
}

func (s *subject[V, A, O]) clone(acc *A) (A, string) {
	if s.copy != nil {
		return s.copy.Clone(acc), "Clone"
	}
	return *acc, "assignment (there is no Clone)"
}
