package watermark

import (
	"errors"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// PunctuatedStrategy takes the watermark from the records. See [Punctuated].
type PunctuatedStrategy[T any] struct {
	read func(*T) (time.Time, bool)
	idle
}

var _ Marker[int] = PunctuatedStrategy[int]{}

// Punctuated takes the watermark from records that carry one (S3.2): read gives it, or false
// for a record that carries none. Read is called once per record, in the order of reading, must
// not keep the pointer, and is called for several splits at once.
//
// The record that carries a watermark is judged by the one before it. A watermark before the
// last one read is a [*BackwardsError], which ends the run; an equal one says nothing new. There
// is no poison guard: it is a claim, not a guess.
func Punctuated[T any](read func(*T) (time.Time, bool)) PunctuatedStrategy[T] {
	return PunctuatedStrategy[T]{read: read}
}

// Idle makes a split idle after timeout without data, as [BoundedStrategy.Idle] does. Defaults
// to 0: only the source can say so.
func (s PunctuatedStrategy[T]) Idle(timeout time.Duration) PunctuatedStrategy[T] {
	s.timeout = timeout
	return s
}

// IdleAdvance lets the watermark follow the clock, at no distance, while every split is idle,
// as [BoundedStrategy.IdleAdvance] does. A punctuation that the clock has overtaken is no error.
// Defaults to off.
func (s PunctuatedStrategy[T]) IdleAdvance() PunctuatedStrategy[T] {
	s.advance = true
	return s
}

// Mark gives the watermark that *v carries in microseconds, cut towards the past, or etime.Min
// if it carries none.
func (s PunctuatedStrategy[T]) Mark(v *T) int64 {
	t, ok := s.read(v)
	if !ok {
		return never
	}
	return etime.Micros(t)
}

// String gives "punctuated()" and the options. The function does not show.
func (s PunctuatedStrategy[T]) String() string { return "punctuated()" + s.idle.text() }

// Validate reports a function that is nil, and a negative timeout.
func (s PunctuatedStrategy[T]) Validate() error {
	const of = "watermark.Punctuated"
	var missing error
	if s.read == nil {
		missing = errors.New(of + ": the function that reads the watermark is nil")
	}
	return errors.Join(missing, s.idle.validate(of))
}

// Needs asks for the punctuations.
func (s PunctuatedStrategy[T]) Needs() Needs { return Needs{Mark: true} }

// Start gives the generator of one split.
func (s PunctuatedStrategy[T]) Start() Generator {
	return &punctuations{of: s, mark: never, w: never}
}

// punctuations is the generator of [Punctuated].
type punctuations struct {
	of   Strategy // for messages
	mark int64    // the last punctuation
	w    int64    // the same, unless the clock has overtaken it
}

func (p *punctuations) Observe(c Columns, w []int64) (int64, error) {
	w = w[:len(c.At)]
	marks := c.Mark[:len(w)]
	for i, mark := range marks {
		w[i] = p.w
		if mark == never {
			continue
		}
		if mark = min(mark, latest); mark < p.mark {
			return p.w, &BackwardsError{Record: i, From: p.mark, To: mark}
		}
		p.mark, p.w = mark, max(p.w, mark)
	}
	return p.w, nil
}

func (p *punctuations) W() int64 { return p.w }

func (p *punctuations) Tick(now int64) int64 {
	if IdleAdvances(p.of) {
		p.w = max(p.w, min(now, latest))
	}
	return p.w
}

func (p *punctuations) Future() int64 { return 0 }

func (p *punctuations) AppendState(dst []int64) []int64 { return append(dst, p.mark, p.w) }

func (p *punctuations) RestoreState(s []int64) error {
	if len(s) != 2 || s[1] < s[0] || s[1] > latest {
		return wrongState(p.of.String(), s)
	}
	p.mark, p.w = s[0], s[1]
	return nil
}
