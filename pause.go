package strandline

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/run"
)

// PauseWhen stops the reading of a run as soon as reached says so, and keeps the run there, with its
// state, so that it can be asked with [Running.Why] and [Running.Inspect] how it stands at that
// moment. It goes on to its end if it is drained ([Running.Drain]), and ends with its context. The
// input must be bounded, and the run have one worker: then the same moment is reached each time.
// reached is asked after each record that could be read, of how many those are by then and the
// least watermark of the splits that are live, the zero time if there is none.
//
// Records are handed to the steps one by one, which is slower than a run without it. No clock has a
// say: nothing falls idle, and triggers in processing time do not fire.
func PauseWhen(reached func(read int64, watermark time.Time) bool) Option {
	return func(o *run.Options) {
		o.Pause = &run.Pause{At: make(chan struct{}), When: func(read, w int64) bool {
			if w == etime.Min || w == etime.Max {
				return reached(read, time.Time{})
			}
			return reached(read, etime.Time(w))
		}}
	}
}

// Paused is closed once the run stands at the moment that [PauseWhen] was given. It is nil without
// that. A run whose input ends before never closes it.
func (r *Running) Paused() <-chan struct{} {
	if r.opts.Pause == nil {
		return nil
	}
	return r.opts.Pause.At
}

// Follow remembers what happens to what a question is about, from the start of the run on: what came
// for the windows, what was late, and the panes that were given. [Running.Why] then also knows what
// the engine forgets when a window expires, and what became of a single record, which a question
// with Time or Record is about. It slows the run down, and remembers 100,000 events at most.
func Follow(q Question) Option {
	return func(o *run.Options) {
		o.Watch = &run.Watch{Step: q.Step, Text: q.Key, Record: q.Record}
		if !q.Time.IsZero() {
			o.Watch.At, o.Watch.HasAt = etime.Micros(q.Time), true
		}
		if q.Record > 0 && o.Pause == nil {
			PauseWhen(func(int64, time.Time) bool { return false })(o) // so that it goes record by record
		}
	}
}

// KeyNames says how people write the keys of steps, for questions about a key. It is needed for keys
// that are neither texts nor numbers: those are otherwise written as package fmt prints them.
type KeyNames struct {
	// Parse makes the key of a step of its text: of the parts that [Question] has.
	Parse func(step string, text []string) (key any, err error)
	// Show is the text of a key.
	Show func(step string, key any) string
}

// NameKeys says how people write the keys of the pipeline's steps.
func (p *Pipeline) NameKeys(n KeyNames) { p.keys = n }

func (n KeyNames) show(step string, key any) string {
	if n.Show != nil {
		return n.Show(step, key)
	}
	if key == (struct{}{}) {
		return ""
	}
	return fmt.Sprint(key)
}

// watch tells a watch which keys are meant.
func (n KeyNames) watch(w *run.Watch) {
	if w == nil {
		return
	}
	w.Show = n.show
	if len(w.Text) == 0 {
		return
	}
	text := strings.Join(w.Text, ", ")
	parsed := map[string]any{} // by step; nil if it has no such key
	w.Wants = func(step string, key any) bool {
		if n.Parse == nil {
			return n.show(step, key) == text
		}
		want, known := parsed[step]
		if !known {
			want, _ = n.Parse(step, w.Text)
			parsed[step] = want
		}
		return want != nil && want == key
	}
}
