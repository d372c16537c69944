package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// summary is what a run of the gate says at its end.
type summary struct {
	title string
	start time.Time
	steps []step
	left  [][2]string // what was not run, and why

	interrupted bool
}

// step is one check that ran.
type step struct {
	kind, where string
	took        time.Duration
	reached     string // what it counted
	note        string
	err         error
}

func (s *summary) add(st step) { s.steps = append(s.steps, st) }

// notRun records what was left out, and why.
func (s *summary) notRun(what, why string) { s.left = append(s.left, [2]string{what, why}) }

// failed tells whether a step failed.
func (s *summary) failed() bool {
	for _, st := range s.steps {
		if st.err != nil {
			return true
		}
	}
	return false
}

// print writes the table and then what was skipped.
func (s *summary) print(out io.Writer) {
	verdict := "passed"
	switch {
	case s.interrupted:
		verdict = "interrupted"
	case s.failed():
		verdict = "FAILED"
	}
	fmt.Fprintf(out, "\n%s: %s in %s\n", s.title, verdict, round(time.Since(s.start)))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, st := range s.steps {
		result := "ok"
		if st.err != nil {
			result = "FAILED: " + st.err.Error()
		}
		if st.note != "" {
			result += ", " + st.note
		}
		took := ""
		if st.took > 0 {
			took = round(st.took).String()
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", st.kind, st.where, took, st.reached, result)
	}
	_ = w.Flush()
	if len(s.left) == 0 {
		fmt.Fprintln(out, "nothing was skipped")
		return
	}
	fmt.Fprintln(out, "skipped, and why:")
	for _, l := range s.left {
		fmt.Fprintf(out, "  %s: %s\n", l[0], l[1])
	}
}

// round makes a duration readable.
func round(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}
