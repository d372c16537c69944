package run

import (
	"sync/atomic"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Progress is how far a run has come, as of some moments ago.
type Progress struct {
	// Records that were read, those of them that could not be, records that missed a window,
	// panes that were given.
	Read, Malformed, Late, Panes int64
	// Watermark is the least over the splits that are read and neither idle nor ended, in µs.
	// It is etime.Max if there is none, and etime.Min before the first batch.
	Watermark int64
}

// sight is what a task last made known of itself. Its counters are its own while it runs.
type sight struct {
	read, malformed, late, panes, watermark atomic.Int64
}

// publish makes known how far the task has come. It is called once a batch.
func (t *task) publish() {
	var read, malformed, late, panes int64
	for _, c := range t.reads {
		read += c.In
		malformed += c.Malformed
	}
	for _, c := range t.counted {
		late += c.LateRecords
		panes += c.Panes
	}
	t.sight.read.Store(read)
	t.sight.malformed.Store(malformed)
	t.sight.late.Store(late)
	t.sight.panes.Store(panes)
	w := int64(etime.Max)
	for _, s := range t.sources {
		if s.active() {
			w = min(w, s.watermark())
		}
	}
	t.sight.watermark.Store(w)
}

// Progress gives how far the run has come. It may be called at any time.
func (r *Running) Progress() Progress {
	p := Progress{Watermark: etime.Max}
	tasks := r.tasks.Load()
	if tasks == nil {
		p.Watermark = etime.Min
		return p
	}
	for _, row := range *tasks {
		for _, t := range row {
			p.Read += t.sight.read.Load()
			p.Malformed += t.sight.malformed.Load()
			p.Late += t.sight.late.Load()
			p.Panes += t.sight.panes.Load()
			p.Watermark = min(p.Watermark, t.sight.watermark.Load())
		}
	}
	return p
}
