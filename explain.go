package strandline

import (
	"strings"

	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// Plan is how a pipeline will be run: its steps, what moves between them, and the ways that the
// engine has chosen. It is made without running anything. All of it is text or a number, for
// programs that show it; its String is for people.
type Plan struct {
	Pipeline string `json:"pipeline"`
	// Fingerprint is that of [Pipeline.Fingerprint].
	Fingerprint string `json:"fingerprint"`
	Workers     int    `json:"workers"`
	// Batch says that every watermark is held back until the end of the input.
	Batch bool `json:"batch"`
	// Stages is how many stages there are. The steps of one stage are fused: on each worker they
	// are one task, and hand elements on by calls. Between stages elements go through queues.
	Stages int        `json:"stages"`
	Steps  []PlanStep `json:"steps"`
	Edges  []PlanEdge `json:"edges"`
}

// PlanStep is one step of a [Plan]. Text that does not apply is empty.
type PlanStep struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	// Site is the line of the program that made the step.
	Site  string `json:"site"`
	Stage int    `json:"stage"`
	// Params is canonical text of what decides the step's meaning.
	Params string `json:"params,omitempty"`
	// Values is the encoding of what the step gives; of keys and values, if it has keys.
	Values string `json:"values,omitempty"`

	// Watermark is where the watermark of a source comes from, and EventTime where the event
	// times of its records do.
	Watermark string `json:"watermark,omitempty"`
	EventTime string `json:"event_time,omitempty"`

	// Key is the encoding of the keys by which elements come together.
	Key     string `json:"key,omitempty"`
	Windows string `json:"windows,omitempty"`
	Trigger string `json:"trigger,omitempty"`
	// Lateness is the allowed lateness; empty for none.
	Lateness   string `json:"allowed_lateness,omitempty"`
	Panes      string `json:"panes,omitempty"`
	OutputTime string `json:"output_time,omitempty"`

	// State is what the step keeps and how long.
	State string `json:"state,omitempty"`
	// Fallback says why the state is the general kind, a cell for each key and window, and not a
	// faster one.
	Fallback string `json:"fallback,omitempty"`
	// Partial says what is accumulated before the exchange, or why nothing is (S7.2).
	Partial string `json:"partial,omitempty"`
	// Arrival says why the answer may depend on the order of arrival or on the clock, so that
	// batch and streaming may differ (S9.1).
	Arrival string `json:"arrival,omitempty"`
}

// PlanEdge is what one step reads of another.
type PlanEdge struct {
	From string `json:"from"`
	// Output says which of From's outputs is read: empty for the main one, else "late", "failed",
	// "changes", "malformed", "quarantined", "side" or "partial
	// results".
	Output string `json:"output,omitempty"`
	To     string `json:"to"`
	// Input is the place of the edge among the inputs of To, from 0.
	Input int `json:"input"`
	// Exchange says how elements find their worker: "local", "by key", "spread", "gather" or
	// "broadcast".
	Exchange string `json:"exchange"`
	// Queued says that elements go through a queue to another task, and not by a call.
	Queued bool `json:"queued"`
}

// Plan gives the plan for a run with the same options, of which [Workers] and [Batch] matter to it.
// Of a pipeline with mistakes ([Pipeline.Err]) it gives the steps and edges alone.
func (p *Pipeline) Plan(opts ...Option) Plan {
	var o run.Options
	for _, opt := range opts {
		opt(&o)
	}
	o.Workers = max(o.Workers, 1)
	pl := Plan{Pipeline: p.Name(), Fingerprint: p.Fingerprint(), Workers: o.Workers, Batch: o.Batch, Stages: 1}
	stage := func(s *plan.Step) int { return 0 }
	if o.Workers > 1 {
		stage = (*plan.Step).Level
		pl.Stages = max(p.graph.Levels(), 1)
	}
	sound := p.Err() == nil
	for _, s := range p.graph.Steps() {
		step := PlanStep{ID: s.ID, Kind: s.Kind, Site: s.Site, Stage: stage(s), Params: s.Detail, Values: s.Codec}
		if s.Facts != nil && sound {
			step.tell(s.Facts(), o)
		}
		pl.Steps = append(pl.Steps, step)
		for i, e := range s.Inputs {
			pl.Edges = append(pl.Edges, PlanEdge{From: e.From.ID, Output: output(e), To: s.ID, Input: i, Exchange: e.Exchange.String(),
				Queued: o.Workers > 1 && (e.Exchange != plan.Local || stage(e.From) != stage(s))})
		}
	}
	return pl
}

// tell takes over facts.
func (s *PlanStep) tell(f plan.Facts, o run.Options) {
	s.Watermark, s.EventTime, s.Key = f.Watermark, f.Times, f.Key
	if o.Batch && s.Watermark != "" {
		s.Watermark = "held back until the end of the input (batch), instead of " + s.Watermark
	}
	s.Windows, s.Trigger, s.Lateness, s.Panes, s.OutputTime = f.Windows, f.Trigger, f.Lateness, f.Panes, f.OutputTime
	s.State, s.Fallback, s.Partial, s.Arrival = f.State, f.Fallback, f.Partial, f.Arrival
	if s.Partial != "" && o.Workers == 1 {
		s.Partial = "none: with one worker there is no exchange"
	}
}

// output names the output of a step that an edge reads.
func output(e plan.Edge) string {
	switch kind := e.From.Kind; {
	case e.Port == 0:
		return ""
	case strings.HasPrefix(kind, "read "):
		return [...]string{1: "malformed", 2: "quarantined"}[e.Port]
	case kind == "par do":
		return "side"
	case kind == "combine locally":
		return "partial results"
	}
	return [...]string{1: "late", 2: "failed", 3: "changes"}[e.Port]
}

// Explain describes the plan for a run with the same options: [Pipeline.Plan] as text.
func (p *Pipeline) Explain(opts ...Option) string { return p.Plan(opts...).String() }
