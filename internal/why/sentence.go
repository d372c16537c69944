package why

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/prose"
)

// Answer gives what the facts come to, in a word and in a sentence.
func Answer(c *Case) (State, string) {
	w := &writer{day: day(c.Now)}
	w.name = w.interval(c.Lo, c.Hi)
	if c.Key != "" {
		w.name += " of " + c.Key
	}
	w.day = day(c.Lo) // the window's day has been said
	if c.Lo == etime.Min {
		w.day = day(c.Now)
	}
	onTime := c.Panes > 0 && c.W >= c.Due
	for _, p := range c.History {
		onTime = onTime || p.Timing != "early"
	}
	switch {
	case onTime:
		return Fired, w.fired(c)
	case c.Closed:
		return Closed, fmt.Sprintf("%s is closed: its trigger has finished after %s, and takes no more elements", w.name, many(c.Panes, "pane"))
	case c.There && c.W < c.Due:
		return Waiting, w.early(c) + w.waiting(c)
	case c.There:
		return Waiting, w.early(c) + w.overdue(c)
	case len(c.History) > 0 || c.Panes > 0:
		return Fired, w.fired(c)
	case c.Followed && c.Missed > 0 && c.Missed >= c.Came:
		return Late, w.allLate(c)
	case c.W < c.Due:
		return Empty, fmt.Sprintf("%s has no element: none has come that belongs in it, and one may still come, since %s", w.name, w.stands(c.W))
	case c.Followed || c.W < c.Expiry:
		return Empty, fmt.Sprintf("%s has given nothing because no element has come for it, and %s: a window without elements gives no pane", w.name, w.stands(c.W))
	}
	return Expired, fmt.Sprintf("%s has expired: the watermark stands at %s, and %s. What it held is forgotten, and with it whether it gave anything; over recorded input, strandline why FILE --at tells",
		w.name, w.at(c.W), w.over(c)) + w.missed(c)
}

// writer writes instants; those of its day without the date.
type writer struct {
	day  int64
	name string // of the window
	// seconds are written even if they are 0.
	seconds bool
}

const dayLong = 24 * 3600 * 1_000_000

func day(us int64) int64 {
	if us == etime.Min || us == etime.Max {
		return etime.Min
	}
	return etime.FloorDiv(us, dayLong)
}

// at writes an instant: "10:08:12", with the date if it is of another day.
func (w *writer) at(us int64) string {
	switch {
	case us == etime.Min:
		return "before everything"
	case us == etime.Max:
		return "the end of the input"
	}
	t := etime.Time(us)
	text := t.Format("15:04:05.999999")
	if !w.seconds {
		text = strings.TrimSuffix(text, ":00")
	}
	if day(us) != w.day {
		if y := t.Year(); y < 0 || y > 9999 {
			return etime.Format(us)
		}
		text = t.Format("2006-01-02 ") + text
	}
	return text
}

// stands says where the watermark is.
func (w *writer) stands(us int64) string {
	switch us {
	case etime.Min:
		return "there is no watermark yet"
	case etime.Max:
		return "the input has ended"
	}
	return "the watermark stands at " + w.at(us)
}

// reached says what made a pane come.
func (w *writer) reached(us int64) string {
	switch us {
	case etime.Min:
		return "when there was no watermark yet"
	case etime.Max:
		return "at the end of the input"
	}
	return "when the watermark reached " + w.at(us)
}

func (w *writer) interval(lo, hi int64) string {
	if lo == etime.Min && hi == etime.Max {
		return "the global window"
	}
	const minute = 60 * 1_000_000
	was := w.seconds
	w.seconds = lo%minute != 0 || hi != etime.Max && hi%minute != 0
	defer func() { w.seconds = was }()
	start := w.at(lo)
	w.day = day(lo)
	return fmt.Sprintf("[%s, %s)", start, w.at(hi))
}

// span writes a length of time: to the second, or in what is less.
func span(us int64) string {
	d := etime.Duration(us)
	switch {
	case d >= 10*time.Minute:
		d = d.Round(time.Minute)
	case d >= time.Second:
		d = d.Round(time.Second)
	default:
		d = d.Round(time.Millisecond)
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	if d < time.Minute && d >= time.Second {
		s = strings.TrimSuffix(s, "s") + " s"
	}
	return s
}

// ago says how long something is past.
func ago(us int64) string {
	if us < 1_000_000 {
		return "just now"
	}
	return span(us) + " ago"
}

func many(n int64, what string) string {
	return prose.Grouped(n) + " " + prose.Plural(what, n)
}

// fired says when the window gave its panes.
func (w *writer) fired(c *Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s has fired", w.name)
	switch {
	case len(c.History) > 0:
		const most = 5
		for i, p := range c.History {
			if i == most {
				fmt.Fprintf(&b, "; and %s more", many(int64(len(c.History)-most), "pane"))
				break
			}
			sep := ": "
			if i > 0 {
				sep = "; "
			}
			fmt.Fprintf(&b, "%s%s (pane %d) %s", sep, p.Timing, p.Index, w.reached(p.W))
			switch {
			case p.W == etime.Max:
			case p.Record > 0:
				fmt.Fprintf(&b, ", by record %s", prose.Grouped(p.Record))
			}
		}
	case c.FiredW != etime.Min:
		which := "pane 0"
		if c.Panes > 1 {
			which = fmt.Sprintf("%d panes, the last of them", c.Panes)
		}
		fmt.Fprintf(&b, ": %s %s", which, w.reached(c.FiredW))
		if c.FiredAt != etime.Min && c.Now != etime.Min {
			fmt.Fprintf(&b, ", %s", ago(c.Now-c.FiredAt))
		}
	default:
		fmt.Fprintf(&b, ": %s", many(c.Panes, "pane"))
	}
	switch {
	case c.W == etime.Max:
	case c.W >= c.Expiry:
		fmt.Fprintf(&b, ". It has expired since: the watermark stands at %s, and elements that come for it are late", w.at(c.W))
	case c.Expiry > c.Due:
		fmt.Fprintf(&b, ". It takes late elements until the watermark, now at %s, reaches %s", w.at(c.W), w.at(c.Expiry))
	}
	return b.String() + w.missed(c)
}

// missed says what came too late.
func (w *writer) missed(c *Case) string {
	if c.Missed == 0 {
		return ""
	}
	return fmt.Sprintf(". %s came too late for it, the last of %s, when the watermark stood at %s", many(c.Missed, "element"), w.at(c.MissedAt), w.at(c.MissedW))
}

// early says what a window has given that has not fired on time.
func (w *writer) early(c *Case) string {
	if c.Panes == 0 {
		return ""
	}
	return fmt.Sprintf("%s has given %s before its end. ", w.name, many(c.Panes, "early pane"))
}

// byWatermark says whether a trigger waits for the watermark, and whether for nothing else.
func byWatermark(waits string) (is, alone bool) {
	const words = "the watermark to reach its end"
	return waits == "" || strings.Contains(waits, words), waits == "" || waits == words
}

// waiting says why a window whose end the watermark has not reached has not fired.
func (w *writer) waiting(c *Case) string {
	is, alone := byWatermark(c.Waits)
	if !is {
		return fmt.Sprintf("%s has not fired because its trigger waits for %s; %s, and has no say in it until the window expires at %s",
			w.name, c.Waits, w.stands(c.W), w.at(c.Expiry))
	}
	because := "because " + w.stands(c.W)
	if !alone {
		because = fmt.Sprintf("because its trigger waits for %s; %s", c.Waits, w.stands(c.W))
	}
	text := fmt.Sprintf("%s has not fired %s", w.name, because)
	if c.FinalOnly && c.Lateness > 0 {
		text += fmt.Sprintf(", and it gives its one pane when allowed lateness is over, at %s", w.at(c.Due))
	}
	return text + w.held(c)
}

// held says what holds the watermark, and how long it may take.
func (w *writer) held(c *Case) string {
	s := c.Holder
	switch {
	case c.Batch:
		return "; the pipeline is run as a batch, in which the watermark waits for the end of the input"
	case c.HeldBy != "":
		return fmt.Sprintf("; it is held by the step %s, which still has results of %s to give", c.HeldBy, w.at(c.HeldAt))
	case s == nil && len(c.Splits) > 0 && allIdle(c.Splits):
		text := "; every split is idle, so it stays where it is until a record comes"
		if c.Now != etime.Min {
			if seen := lastSeen(c.Splits); seen != etime.Min {
				text += fmt.Sprintf(" (the last was seen %s)", ago(c.Now-seen))
			}
		}
		if !follows(c.Splits) {
			text += ": IdleAdvance would let it follow the clock"
		}
		return text
	case s == nil:
		return ""
	case s.Read == 0:
		return fmt.Sprintf("; it is held by %s, which has given no record yet", w.split(s))
	case s.Watermark >= c.Due:
		return fmt.Sprintf("; %s stands at %s, but what it has brought has not reached the step: a queue is full, or a sink is slow", w.split(s), w.at(s.Watermark))
	}
	text := fmt.Sprintf("; it is held by %s, last record %s", w.split(s), w.at(s.Last))
	if c.Now != etime.Min && s.Seen != etime.Min {
		text += " seen " + ago(c.Now-s.Seen)
	} else if s.Read > 0 && s.Of == 1 {
		text += fmt.Sprintf(", the %s", ordinal(s.Read))
	}
	if s.Withheld != etime.Min && s.Watermark == etime.Min {
		return text + "; the poison guard lets it drive the watermark when another supports it"
	}
	if s.Withheld != etime.Min && s.Withheld >= c.Due {
		return text + fmt.Sprintf("; the poison guard does not let the record of %s drive it, since no other supports it", w.at(s.Withheld))
	}
	if s.Paused {
		text += ", which waits for slower splits of its source"
	}
	if c.Now == etime.Min {
		return text
	}
	const silent = 60 * 1_000_000
	quiet := s.Seen != etime.Min && c.Now-s.Seen > silent
	if in, ok := c.FiresIn(); ok && !quiet {
		return text + fmt.Sprintf("; at the present rate it fires in about %s", span(in))
	}
	if quiet && s.IdleAfter == 0 && len(c.Splits) > 1 {
		return text + ", and nothing says that it is idle: an idle timeout would let the others go on"
	}
	if quiet {
		return text + "; it fires when records come that move the watermark on"
	}
	return text + "; there is no rate yet to say when it fires"
}

// overdue says why a window has not fired although the watermark is at its end.
func (w *writer) overdue(c *Case) string {
	waits := c.Waits
	if waits == "" {
		waits = "the next look at it"
	}
	return fmt.Sprintf("%s has not fired because its trigger waits for %s; the watermark, at %s, has reached its end, and what it holds comes out when it expires, at %s",
		w.name, waits, w.at(c.W), w.at(c.Expiry))
}

// allLate says that nothing came in time.
func (w *writer) allLate(c *Case) string {
	all := fmt.Sprintf("all %s that came for it were too late, the last", many(c.Missed, "element"))
	if c.Missed == 1 {
		all = "the one element that came for it was too late:"
	}
	return fmt.Sprintf("%s has given nothing because %s of %s, when the watermark stood at %s, and %s", w.name, all, w.at(c.MissedAt), w.at(c.MissedW), w.over(c))
}

// over says when the window was over.
func (w *writer) over(c *Case) string {
	if c.Lateness > 0 {
		return fmt.Sprintf("its end plus the allowed lateness of %s is %s", span(c.Lateness), w.at(c.Expiry))
	}
	return fmt.Sprintf("its end is %s, with no allowed lateness", w.at(c.Due))
}

// split names a split.
func (w *writer) split(s *Split) string {
	if s.Of == 1 {
		return "`" + s.Source + "`"
	}
	return fmt.Sprintf("split %d of `%s`", s.Number+1, s.Source)
}

func allIdle(all []Split) bool {
	idle := false
	for i := range all {
		if !all[i].Idle && !all[i].Ended {
			return false
		}
		idle = idle || all[i].Idle
	}
	return idle
}

func follows(all []Split) bool {
	for i := range all {
		if all[i].Follows {
			return true
		}
	}
	return false
}

func lastSeen(all []Split) int64 {
	seen := etime.Min
	for i := range all {
		seen = max(seen, all[i].Seen)
	}
	return seen
}

// ordinal writes which one it is: "1st record", "22nd record".
func ordinal(n int64) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return prose.Grouped(n) + end + " record"
}
