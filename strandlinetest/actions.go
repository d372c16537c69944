package strandlinetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// Add adds elements, all at one event time, in one batch.
func (s *Stream[T]) Add(at time.Time, values ...T) *Stream[T] {
	es := make([]Element[T], len(values))
	for i, v := range values {
		es[i] = Element[T]{at, v}
	}
	return s.add(place(), "Add", es)
}

// AddBatch adds elements with event times of their own, in one batch, in this order. No result
// depends on what is in one batch (S1.6): each element is judged by those before it, and what
// it brings comes out in its turn.
func (s *Stream[T]) AddBatch(elements ...Element[T]) *Stream[T] {
	return s.add(place(), "AddBatch", elements)
}

func (s *Stream[T]) add(place, name string, es []Element[T]) *Stream[T] {
	values, times := make([]T, len(es)), make([]int64, len(es))
	for i, e := range es {
		if e.Time.IsZero() {
			s.script.fault(place, "%s: element %d (%s) has the zero time: %w", name, i, valueText(e.Value), strandline.ErrNoEventTime)
		}
		values[i], times[i] = e.Value, etime.Micros(e.Time)
	}
	n := len(s.batches)
	s.batches, s.times = append(s.batches, values), append(s.times, times)
	text := name + " of nothing"
	if len(es) > 0 {
		text = fmt.Sprintf("%s from %s at %s", name, valueText(values[0]), etime.Format(times[0]))
	}
	s.script.record(line{place: place, text: text, by: s.feed, act: func(*play) error {
		s.batch = n
		return nil
	}})
	return s
}

// AdvanceWatermark moves the stream's watermark to an instant: no further element before it is
// expected (S3.1). Moving it backwards is a mistake that [Stream.Play] reports, an
// [strandline.ErrWatermarkBackwards] with both values. It needs the script's watermark, which
// [Stream.Read] takes.
func (s *Stream[T]) AdvanceWatermark(to time.Time) *Stream[T] {
	w, at := etime.Micros(to), place()
	if w < s.w {
		s.script.fault(at, "AdvanceWatermark: %w", &watermark.BackwardsError{Record: -1, From: s.w, To: w})
	}
	s.w = max(s.w, w)
	s.script.record(line{place: at, text: "AdvanceWatermark to " + etime.Format(w), by: s.feed, act: func(p *play) error {
		if !s.scripted && !p.batch {
			return fmt.Errorf("the pipeline takes the watermark of %s from elsewhere: read the stream by its method Read, or by strandline.Read with its Watermark", s.name)
		}
		s.at = w
		return nil
	}})
	return s
}

// AdvanceProcessingTime moves the run's clock on by d. Triggers that wait for a processing time
// up to where it then stands fire; event time does not move. A negative d is a mistake that
// [Stream.Play] reports.
func (s *Stream[T]) AdvanceProcessingTime(d time.Duration) *Stream[T] {
	at := place()
	if d < 0 {
		s.script.fault(at, "AdvanceProcessingTime by %v: a clock moves forwards", d)
	}
	s.script.record(line{place: at, text: fmt.Sprintf("AdvanceProcessingTime by %v", d), by: s.feed, act: func(p *play) error {
		if p.clock == nil {
			return errors.New("the run was given a clock of another kind: give it a strandlinetest.Clock, or none")
		}
		p.clock.Advance(d)
		return nil
	}})
	return s
}
