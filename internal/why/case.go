package why

import "github.com/strandline-stream/strandline/internal/etime"

// State is what an answer comes to.
type State string

const (
	Waiting State = "waiting" // it has elements and has not fired on time
	Empty   State = "empty"   // it has no element
	Late    State = "late"    // all elements that came for it were too late
	Fired   State = "fired"
	Closed  State = "closed"  // its trigger has finished
	Expired State = "expired" // it is forgotten, and with it whether it fired
)

// Case is what is known of one window of one key of a step. Instants are in µs; etime.Min stands for
// none, or for before everything.
type Case struct {
	Key    string // "" if the step has no keys
	Lo, Hi int64
	// Due is the watermark at which the window fires on time, Expiry the one at which it is
	// forgotten.
	Due, Expiry int64
	Lateness    int64 // allowed, in µs
	FinalOnly   bool
	W           int64 // the step's watermark; etime.Max: its input has ended

	// Now is the clock, and etime.Min if the input is a recorded one: then no clock has a say.
	Now   int64
	Batch bool // the watermark is held until the end of the input

	There   bool  // elements of the key are in it
	Panes   int64 // how many it has given
	Closed  bool
	Waits   string // what its trigger waits for; "" if that is nothing
	FiredW  int64  // the watermark of the last pane
	FiredAt int64  // and when it was, by the clock

	// Followed says that the run was watched from its start, so that what is forgotten is known.
	Followed bool
	History  []Pane
	Came     int64 // records of the key that came for it
	Missed   int64 // those of them that were too late for it
	MissedAt int64 // the event time of the last that was
	MissedW  int64 // and the watermark by which it was judged

	// Splits are those that the step's watermark comes from, Holder is the one that holds it, nil
	// if that is none. HeldBy is a step that holds it, since it still has results to give with the
	// time HeldAt.
	Splits []Split
	Holder *Split
	HeldBy string
	HeldAt int64
}

// Pane is a pane that the window gave.
type Pane struct {
	Index  int64
	Timing string
	W      int64 // the watermark that fired it
	Clock  int64
	Record int64 // the record that had been read last
}

// Split is a split of a source.
type Split struct {
	Source              string
	Number, Of          int // from 0
	Read                int64
	Watermark           int64
	Last, Seen          int64 // the event time of the last record, and when the clock saw it
	Withheld            int64 // a record that the poison guard does not let drive
	Idle, Ended, Paused bool
	Follows             bool  // idle, its watermark follows the clock
	IdleAfter           int64 // µs; 0: only the source can say that it is idle
	WasW, WasAt         int64 // where its watermark stood some time ago
}

// waitsIn gives how long, in µs of the clock, it takes at the present rate until the watermark of s
// is at due; ok is false if there is no rate.
func (s *Split) waitsIn(due, now int64) (in int64, ok bool) {
	if s.Idle || s.Ended || s.Watermark >= due {
		return 0, true
	}
	if now == etime.Min || s.WasAt == etime.Min || s.WasW == etime.Min || s.Watermark == etime.Min {
		return 0, false
	}
	moved, took := etime.Sub(s.Watermark, s.WasW), etime.Sub(now, s.WasAt)
	if moved <= 0 || took <= 0 {
		return 0, false
	}
	left := float64(etime.Sub(due, s.Watermark)) / (float64(moved) / float64(took))
	if left > float64(longest) {
		return 0, false
	}
	return int64(left), true
}

// longest is how far ahead a rate says anything: a day.
const longest = 24 * 3600 * 1_000_000

// FiresIn is how long it takes at the present rate until the watermark reaches the window's end.
func (c *Case) FiresIn() (in int64, ok bool) {
	if c.Holder == nil || c.HeldBy != "" || c.Now == etime.Min {
		return 0, false
	}
	for i := range c.Splits {
		left, ok := c.Splits[i].waitsIn(c.Due, c.Now)
		if !ok {
			return 0, false
		}
		in = max(in, left)
	}
	return in, in > 0
}
