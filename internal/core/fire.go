package core

// Kind says why a window is looked at. The order of the constants is the order of events at
// one instant: a window fires on time before it expires.
type Kind uint8

const (
	// Due: the watermark has reached the window's end (S4.1).
	Due Kind = iota
	// Timer: a timer that the user's function set.
	Timer
	// Expire: allowed lateness is over (S4.2).
	Expire
)

// Event is something that happens when the watermark reaches At. Ref is the caller's name for
// what it happens to, Gen guards against a Ref that was used again.
type Event struct {
	At   int64
	Kind Kind
	Ref  uint32
	Gen  uint32
	seq  uint64
}

// Schedule is what is due, in order: by instant, then kind, then as it was added. One advance
// of the watermark that makes several windows ready takes them in order of their ends (S5.7).
// The zero value is empty.
type Schedule struct {
	heap []Event
	seq  uint64
}

// Add plans an event.
func (s *Schedule) Add(e Event) {
	e.seq = s.seq
	s.seq++
	s.heap = append(s.heap, e)
	h := s.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !before(&h[i], &h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// Len is the number of events planned.
func (s *Schedule) Len() int { return len(s.heap) }

// Next is the instant of the first event; ok is false if there is none.
func (s *Schedule) Next() (at int64, ok bool) {
	if len(s.heap) == 0 {
		return 0, false
	}
	return s.heap[0].At, true
}

// Pop takes the first event if the watermark w has reached it.
func (s *Schedule) Pop(w int64) (e Event, ok bool) {
	if len(s.heap) == 0 || s.heap[0].At > w {
		return Event{}, false
	}
	h := s.heap
	e = h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	s.heap = h
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && before(&h[c+1], &h[c]) {
			c++
		}
		if !before(&h[c], &h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	return e, true
}

func before(a, b *Event) bool {
	if a.At != b.At {
		return a.At < b.At
	}
	if a.Kind != b.Kind {
		return a.Kind < b.Kind
	}
	return a.seq < b.seq
}

// Peek is the first event; there must be one.
func (s *Schedule) Peek() Event { return s.heap[0] }
