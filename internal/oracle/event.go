package oracle

import "math"

// Before and After are the instants before and after everything (S1.1).
const (
	Before int64 = math.MinInt64
	After  int64 = math.MaxInt64
)

// Event is one element in processing order, or a mere move of the watermark.
type Event struct {
	Key   string
	Value int64
	At    int64 // event time in µs
	W     int64 // the split's watermark as the event was read, the event itself not counted (S3.7)
	Gap   int64 // of its session, with Window.Each
	Mark  bool  // there is no element: only W moves
}

// Bounded gives the events with the watermark that bounded out-of-orderness gives them: the
// driver of all earlier events less bound, Before for the first (S3.2, S3.7). A mark is
// appended that carries the watermark after the last event.
//
// The driver is the greatest event time. With guard > 0 it is the greatest that another record
// supports, one at or beyond that time - guard: a single record drives nothing (S3.4).
func Bounded(events []Event, bound, guard int64) []Event {
	out := make([]Event, 0, len(events)+1)
	first, second := Before, Before // the two greatest event times so far
	for _, e := range append(events[:len(events):len(events)], Event{Mark: true}) {
		driver := first
		if guard > 0 && second < add(first, -guard) {
			driver = second
		}
		e.W = add(driver, -bound)
		out = append(out, e)
		switch {
		case e.At >= first:
			first, second = e.At, first
		case e.At > second:
			second = e.At
		}
	}
	return out
}

// add gives a+b, saturating; nothing is added to Before and After.
func add(a, b int64) int64 {
	switch {
	case a == Before || a == After:
		return a
	case b > 0 && a > After-b:
		return After
	case b < 0 && a < Before-b:
		return Before
	}
	return a + b
}
