package lateness

import (
	"fmt"
	"slices"
	"strings"
)

// Objective is what a setting has to reach.
type Objective struct {
	// MaxDropped is the share of records that may be dropped, from 0 to 1. If it is negative,
	// MaxRecords is how many may be.
	MaxDropped float64
	MaxRecords int64
	// MaxPolluted is how many cells may be polluted.
	MaxPolluted int
	// MaxDelay is how long after the end of its window a cell may be final, for 99 % of them: in
	// processing time if that is known, else in event time. 0 is no limit.
	MaxDelay Span
}

// DefaultObjective is 99.9 % of the records, and no polluted cell.
func DefaultObjective() Objective { return Objective{MaxDropped: 0.001} }

// String gives text such as "at most 0.1 % of records dropped and no cell polluted".
func (o Objective) String() string {
	text := fmt.Sprintf("at most %s of records dropped and ", Percent(o.MaxDropped))
	if o.MaxDropped < 0 {
		text = fmt.Sprintf("at most %s dropped and ", recordCount(o.MaxRecords))
	}
	if o.MaxDropped == 0 || o.MaxDropped < 0 && o.MaxRecords == 0 {
		text = "no record dropped and "
	}
	switch o.MaxPolluted {
	case 0:
		text += "no cell polluted"
	case 1:
		text += "at most 1 cell polluted"
	default:
		text += fmt.Sprintf("at most %d cells polluted", o.MaxPolluted)
	}
	if o.MaxDelay > 0 {
		text += fmt.Sprintf(", final within %s of the window's end", o.MaxDelay)
	}
	return text
}

// Advice is which setting to take.
type Advice struct {
	Objective string `json:"objective"`
	// Limits are the objective as numbers.
	Limits Objective `json:"-"`
	// Setting is the smallest that reaches the objective; nil if none does.
	Setting *Setting `json:"setting,omitempty"`
	// Text is one sentence: which setting, what it reaches and what it costs. Sureness is how sure
	// that is.
	Text     string `json:"text"`
	Sureness string `json:"sureness,omitempty"`
	Sure     *Sure  `json:"sure,omitempty"`
}

// Delay is the one that an objective limits, and how it was measured; nil if nothing was.
func (f *Freshness) Delay() (s *Spread, of string) {
	if f.Processing != nil {
		return f.Processing, "by the clock"
	}
	return f.Event, "in event time"
}

// reaches says whether an outcome reaches the objective.
func (o Objective) reaches(x *Outcome, records int64) bool {
	most := o.MaxDropped * float64(records)
	if o.MaxDropped < 0 {
		most = float64(o.MaxRecords)
	}
	if float64(x.Dropped) > most || x.Polluted > o.MaxPolluted {
		return false
	}
	if o.MaxDelay > 0 {
		if s, _ := x.Freshness.Delay(); s == nil || s.P99 > o.MaxDelay { // what is not known reaches no limit
			return false
		}
	}
	return true
}

// Advise says which of the settings of a result to take. first and last are the delays of the first
// and last tenth of the records, in any order.
func Advise(r *Result, o Objective, first, last []int64) Advice {
	a := Advice{Objective: o.String(), Limits: o}
	order := make([]*Outcome, len(r.Settings))
	for i := range r.Settings {
		order[i] = &r.Settings[i]
	}
	slices.SortStableFunc(order, func(a, b *Outcome) int { return less(a.Setting, b.Setting) })
	if r.Records == 0 {
		a.Text = "There are no records, so there is nothing to choose by."
		return a
	}
	var take *Outcome
	for _, x := range order {
		if o.reaches(x, r.Records) {
			take = x
			break
		}
	}
	if take == nil {
		a.Text = fmt.Sprintf("No setting of these reaches the objective (%s); %s", o, nearest(order, o, r.Records))
		return a
	}
	a.Setting = &take.Setting
	a.Text = fmt.Sprintf("Take %s, the smallest that reaches the objective (%s): it drops %s and pollutes %s, at the cost of %s, and its results are %s.",
		take.Setting, o, dropped(take.Dropped, r.Records), polluted(take.Polluted, r.Complete), stateCost(take, order[0]), fresh(take))
	if !take.Compared() {
		a.Text = fmt.Sprintf("Take %s, the smallest that reaches the objective (%s) as far as that is known: it drops %s, at the cost of %s. No output could be compared, so nothing is known of polluted cells and of the delay of results.",
			take.Setting, o, dropped(take.Dropped, r.Records), stateCost(take, order[0]))
	}
	a.Sure = sureness(r, take, first, last)
	a.Sureness = a.Sure.text(take)
	return a
}

// nearest says what the best setting comes to: the one that pollutes least, then drops least.
func nearest(order []*Outcome, o Objective, records int64) string {
	if len(order) == 0 {
		return "there are none."
	}
	best := slices.MinFunc(order, func(a, b *Outcome) int {
		if a.Polluted != b.Polluted {
			return a.Polluted - b.Polluted
		}
		return int(a.Dropped - b.Dropped)
	})
	text := fmt.Sprintf("the nearest is %s, which drops %s", best.Setting, dropped(best.Dropped, records))
	if best.Compared() {
		text += " and pollutes " + cells(best.Polluted)
	}
	if s, of := best.Freshness.Delay(); o.MaxDelay > 0 && s != nil {
		text += fmt.Sprintf(", final %s after the window's end %s for 99 %%", s.P99, of)
	}
	return text + "."
}

func dropped(n, records int64) string {
	if n == 0 {
		return fmt.Sprintf("none of %d records", records)
	}
	return fmt.Sprintf("%d of %d records (%s)", n, records, Percent(float64(n)/float64(records)))
}

func polluted(n, of int) string {
	if n == 0 {
		return "no cell"
	}
	return fmt.Sprintf("%s of %d", cells(n), of)
}

func cells(n int) string {
	switch n {
	case 0:
		return "no cell"
	case 1:
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

func stateCost(x, least *Outcome) string {
	text := fmt.Sprintf("at most %s of state (%s)", entries(x.State), Bytes(x.StateBytes))
	if more := x.State - least.State; x != least && more > 0 {
		text += fmt.Sprintf(", %d more than with %s", more, least.Setting)
	}
	return text
}

func entries(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

func fresh(x *Outcome) string {
	s, of := x.Freshness.Delay()
	if s == nil && x.Freshness.AtEnd == 0 {
		return "of no window that ends, so that they have no delay"
	}
	if s == nil {
		return "final at the end of the input only, so that nothing is known of their delay"
	}
	return fmt.Sprintf("final %s after the end of their window at the median, %s for 99 %% of them, %s", s.P50, s.P99, of)
}

func sureness(r *Result, x *Outcome, first, last []int64) *Sure {
	s := &Sure{Kept: 1 - float64(x.Dropped)/float64(r.Records)}
	s.Low, s.High = Interval(x.DroppedAt, r.Records)
	s.First, s.Last = tenths(x.DroppedAt, r.Records)
	s.FirstP99, s.LastP99 = Distribution("", r.Kind, first).P99, Distribution("", r.Kind, last).P99
	for _, d := range r.Delays {
		s.Longest = max(s.Longest, d.Max)
	}
	return s
}

func (s *Sure) text(x *Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "How sure: the share of records kept is between %s and %s (95 %%", Percent(s.Low), Percent(s.High))
	if x.Dropped == 0 {
		b.WriteString(", as none was dropped")
	}
	b.WriteString(")")
	unit := func(n Span) string {
		if x.Setting.Kind != Periods {
			return n.String()
		}
		if n == 1 {
			return "1 period"
		}
		return fmt.Sprintf("%d periods", int64(n))
	}
	total := Span(x.Setting.Behind)
	if x.Setting.Kind != Periods {
		total += x.Setting.Allowed
	}
	fmt.Fprintf(&b, "; the longest delay seen is %s", unit(s.Longest))
	switch {
	case s.Longest < total:
		fmt.Fprintf(&b, ", %s less than the setting covers", unit(total-s.Longest))
	case s.Longest > total:
		fmt.Fprintf(&b, ", %s more than the setting is sure to cover", unit(s.Longest-total))
	default:
		b.WriteString(", all that the setting is sure to cover")
	}
	fmt.Fprintf(&b, "; the last tenth of the input drops %s and has 99 %% of its delays up to %s, the first tenth %s and %s.",
		Percent(s.Last), unit(s.LastP99), Percent(s.First), unit(s.FirstP99))
	return b.String()
}

// Percent writes a share with as many digits as tell it from 0 % and from 100 %.
func Percent(share float64) string {
	if share == 0 || share == 1 {
		return fmt.Sprintf("%.0f %%", 100*share)
	}
	for digits := 2; digits < 7; digits++ {
		text := fmt.Sprintf("%.*f", digits, 100*share)
		if zero, full := fmt.Sprintf("%.*f", digits, 0.0), fmt.Sprintf("%.*f", digits, 100.0); text != zero && text != full {
			return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " %"
		}
	}
	return fmt.Sprintf("%g %%", 100*share)
}

// Bytes writes a number of bytes for people: 1.2 MB.
func Bytes(n int64) string {
	v, unit := float64(n), "bytes"
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if v < 1000 {
			break
		}
		v, unit = v/1000, u
	}
	if unit == "bytes" {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.3g %s", v, unit)
}

func recordCount(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
