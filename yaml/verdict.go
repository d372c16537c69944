package yaml

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/prose"
)

// Bounds are the bounds by which the verification went that the pipeline does not say itself, as
// SOURCE=DURATION.
func (v *Verdict) Bounds() []string {
	var all []string
	for _, s := range v.Sources {
		if s.Timed && !s.given {
			all = append(all, s.Step+"="+s.Bound)
		}
	}
	return all
}

// skipped says of each result why it was not compared: "; NAME: its panes discard, ...".
func (v *Verdict) skipped() string {
	var b strings.Builder
	for _, r := range v.Results {
		if r.Skipped != "" {
			fmt.Fprintf(&b, "; %s: %s", r.Step, r.Skipped)
		}
	}
	return b.String()
}

// String is the verdict for people.
func (v *Verdict) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	n, cells := 0, 0
	for _, s := range v.Sources {
		n += s.Records
	}
	for _, r := range v.Results {
		cells += r.Cells
	}
	took := fmt.Sprintf("%s over %s in ", prose.Several(v.Runs, "run"), prose.Several(n, "record"))
	if v.Seconds < 1 {
		took += "less than 1 s"
	} else {
		took += fmt.Sprintf("%.0f s", v.Seconds)
	}
	if v.Difference == nil {
		line("holds: %s ended with the same %s", took, prose.Several(cells, "cell"))
	} else {
		v.Difference.print(line, took)
	}
	for _, r := range v.Results {
		switch {
		case r.Skipped != "" && r.Cells == 0:
			line("  %s: not compared, since %s", r.Step, r.Skipped)
		case r.Skipped != "":
			line("  %s: %s, compared in some of the runs only, since in others %s", r.Step, prose.Several(r.Cells, "cell"), r.Skipped)
		default:
			line("  %s: %s", r.Step, prose.Several(r.Cells, "cell"))
		}
	}
	for _, s := range v.Sources {
		read := prose.Several(s.Records, "record")
		if s.Malformed > 0 {
			read += fmt.Sprintf(" and %d malformed", s.Malformed)
		}
		switch {
		case !s.Timed:
			line("  %s: %s, without event times, in any order", s.Step, read)
		case s.Beyond > 0:
			line("  %s: %s, up to %s behind; %d of them more than the watermark allows: a run may drop them as late", s.Step, read, s.Bound, s.Beyond)
		default:
			line("  %s: %s, up to %s behind", s.Step, read, s.Bound)
		}
	}
	for _, s := range v.Arrival {
		line("  by design %s depends on arrival: %s", s.Step, s.Why)
	}
	if v.Difference != nil {
		v.Difference.printInput(line)
	}
	return b.String()
}

func (d *Difference) print(line func(string, ...any), took string) {
	line("does not hold: in %s, two differ in %s", took, prose.Several(d.Differ, "cell"))
	line("  A: %s", d.A)
	alike := ""
	if d.Alike {
		alike = ": alike in everything"
	}
	line("  B: %s%s", d.B, alike)
	line("first in the step %s (line %d)", d.Step, d.Line)
	for _, c := range d.Cells {
		if c.Where != "" {
			line("  %s", c.Where)
		}
		line("    A: %s", c.A)
		line("    B: %s", c.B)
	}
	for _, s := range d.Dropped {
		line("  %s", s)
	}
}

func (d *Difference) printInput(line func(string, ...any)) {
	if !d.Again {
		line("they agree when they are repeated, so no smaller input was found")
		return
	}
	ended := func() {
		if !d.Least {
			line("the search for a smaller input was ended: --patience gives it longer")
		}
	}
	if !d.Smaller() {
		if ended(); d.Least {
			line("no record can be left out without their agreeing")
		}
		return
	}
	defer ended()
	line("smallest input that shows it:")
	for _, s := range d.Smallest {
		where := ""
		if n := len(s.Positions); n > 0 && n <= shownRows {
			where = ", which stand at " + strings.Join(s.Positions, ", ")
		}
		line("  %s: %d of %s, in %s%s", s.Source, s.Records, prose.Several(s.Of, "record"), s.File, where)
	}
}
