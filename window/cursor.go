package window

// calendarCursor assigns like its CalendarWindows and remembers the windows that it found
// last, since looking up a zone's rules costs far more than a comparison. Not safe for
// concurrent use.
type calendarCursor struct {
	CalendarWindows
	recent [4]Interval // disordered events go back and forth over a midnight or two
	oldest int
}

// Cursor gives an assigner with the same windows that remembers the last ones it found, for
// the use of one goroutine. Runners call it through [ForWorker].
func (c CalendarWindows) Cursor() Assigner { return &calendarCursor{CalendarWindows: c} }

// Assign appends the one window that t is in.
func (c *calendarCursor) Assign(dst []Interval, t int64) []Interval {
	for _, w := range &c.recent {
		if w.lo <= t && t < w.hi {
			return append(dst, w)
		}
	}
	w := c.at(finite(t))
	c.recent[c.oldest] = w
	c.oldest = (c.oldest + 1) % len(c.recent)
	return append(dst, w)
}
