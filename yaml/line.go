package yaml

import (
	"slices"

	"github.com/strandline-stream/strandline/window"
	"go.yaml.in/yaml/v4"
)

// line is a pipeline in which one source goes through steps that look at one row at a time into one
// Combine, and its rows through such steps to the outputs: each makes one row of a row. Over its
// records one pass does for all settings, see [sweep].
type line struct {
	source  *step
	combine *step
	before  map[*step]bool // the combine, and the steps before it
	windows window.Assigner
	slices  slicing // of sliding windows
}

// line gives the pipeline as one, nil if it is none.
func (p *Pipeline) line() *line {
	l := &line{before: map[*step]bool{}}
	next := map[*step][]*step{}
	for _, s := range p.steps {
		if s.settings.has("error_handling") || len(s.inputs) > 1 || len(s.inputs) == 1 && (len(s.inputs[0].from) != 1 || s.inputs[0].from[0].output != "") {
			return nil
		}
		switch {
		case s.def.inputs == noInput && l.source == nil && s.windows == nil:
			l.source = s
		case s.def.inputs == noInput || s.def.marked:
			return nil
		}
		for _, in := range s.inputs {
			next[in.from[0].step] = append(next[in.from[0].step], s)
		}
	}
	for s := l.source; l.combine == nil; s = next[s][0] {
		if s == nil {
			return nil
		}
		l.before[s] = true
		if s.kind == "Combine" {
			l.combine = s
			break
		}
		if s != l.source && (s.windows != nil || !slices.Contains([]string{"Filter", "MapToFields", "Explode"}, s.kind)) || len(next[s]) != 1 {
			return nil
		}
	}
	if l.combine.windows == nil {
		return nil
	}
	for _, s := range p.steps {
		if l.before[s] {
			continue
		}
		one := s.def.sink || s.kind == "MapToFields" || s.kind == "LogForTesting" || s.kind == "ExtractWindowingInfo" && windowsOnly(s)
		if s.windows != nil || !one {
			return nil
		}
	}
	w := l.combine.windows
	if w.trigger != nil || w.finalOnly || w.accumulation != "" && w.accumulation != "accumulating" || !slices.Contains([]string{"fixed", "calendar", "sliding"}, w.kind) {
		return nil
	}
	l.windows = w.assigner
	if a, sliding := w.assigner.(window.SlidingWindows); sliding {
		s := &l.slices
		s.size, s.period, s.offset = a.Micros()
		s.width = s.size
		for r := s.period; r != 0; {
			s.width, r = r, s.width%r
		}
		if s.period > s.size || s.size/s.period > mostWindows {
			return nil
		}
		s.whole = s.width < (s.period+15)/16 // as the engine decides it
	}
	return l
}

// slicing is how sliding windows are cut into slices, which are what the state of such an aggregation
// is made of. Times are microseconds.
type slicing struct {
	size, period, offset int64
	width                int64 // of a slice; 0 if the windows do not slide
	whole                bool  // there would be too many: a cell of a window is an entry of state
}

// mostWindows is how many sliding windows an element may be in.
const mostWindows = 64

// windowsOnly says whether a step shows nothing of the panes of its rows.
func windowsOnly(s *step) bool {
	ok := true
	for _, n := range scalars(s.settings.at("fields")) {
		ok = ok && n.Value != "pane_info"
	}
	entries(s.settings.at("fields"), func(_, v *yaml.Node) { ok = ok && v.Value != "pane_info" })
	return ok
}
