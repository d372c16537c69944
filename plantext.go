package strandline

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/prose"
)

// String describes the plan: a paragraph for each stage, and in it each step with the place where
// it was made, what it reads and what is known of it, a line each.
func (pl Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline %q, fingerprint %s\n%s, %s", pl.Pipeline, pl.Fingerprint, prose.Several(pl.Workers, "worker"), prose.Several(pl.Stages, "stage"))
	if pl.Batch {
		b.WriteString(", batch")
	}
	b.WriteString("\n")
	for stage := range pl.Stages {
		fused := 0
		for _, s := range pl.Steps {
			if s.Stage == stage {
				fused++
			}
		}
		fmt.Fprintf(&b, "\nstage %d, one task on each worker, %s fused\n", stage, prose.Several(fused, "step"))
		for i := range pl.Steps {
			if s := &pl.Steps[i]; s.Stage == stage {
				pl.describe(&b, s)
			}
		}
	}
	return b.String()
}

// describe writes one step.
func (pl Plan) describe(b *strings.Builder, s *PlanStep) {
	fmt.Fprintf(b, "  %s (%s)\n", s.name(), s.Site)
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(b, "    %s: %s\n", what, text)
		}
	}
	var from []string
	for _, e := range pl.Edges {
		if e.To == s.ID {
			from = append(from, e.String())
		}
	}
	line("reads", strings.Join(from, "; "))
	if s.Watermark == "" && s.Windows == "" {
		line("parameters", s.Params)
	}
	line("watermark", s.Watermark)
	line("event time", s.EventTime)
	line("key", s.Key)
	line("windows", s.Windows)
	line("trigger", s.Trigger)
	line("allowed lateness", s.Lateness)
	line("panes", s.Panes)
	line("output time", s.OutputTime)
	line("partial results before the exchange", s.Partial)
	line("state", s.State)
	line("not a faster kind of state, since", s.Fallback)
	line("depends on arrival", s.Arrival)
	line("values", s.Values)
}

// name is the id of a step and, if that does not say it, its kind.
func (s *PlanStep) name() string {
	if s.ID == s.Kind {
		return s.ID
	}
	return s.ID + ": " + s.Kind
}

// String gives text such as "read events, malformed (by key, through a queue)".
func (e PlanEdge) String() string {
	text := e.From
	if e.Output != "" {
		text += ", " + e.Output
	}
	var how []string
	if e.Exchange != "local" {
		how = append(how, e.Exchange)
	}
	if e.Queued {
		how = append(how, "through a queue")
	}
	if len(how) > 0 {
		text += " (" + strings.Join(how, ", ") + ")"
	}
	return text
}
