// Package trial says what runs of one pipeline over the same records may be like without its
// showing in the answer (S9.1): mode, workers, batches, splits, orders of arrival. It also compares
// values as such runs may differ in them, and finds the fewest records that still show a difference.
//
// Layer: between the engine and what proves S9 for users: the test kit and the front end. It knows
// neither pipelines nor rows.
package trial

import (
	"fmt"
	"math/rand/v2"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/run"
)

// Setting is what a run is like, in everything that must not show in its answer.
type Setting struct {
	Batch   bool
	Workers int
	Size    int  // of a batch
	Splits  int  // that the records are dealt to in turn
	Order   int  // of arrival: 0 is that of the data
	Turns   bool // one goroutine plays all workers, in turns that the seed decides
}

func (s Setting) String() string {
	text := "replay"
	if s.Batch {
		text = "batch mode"
	}
	text += fmt.Sprintf(", %s, %s of at most %d", prose.Several(s.Workers, "worker"), prose.Several(s.Splits, "split"), s.Size)
	if s.Order == 0 {
		text += ", in the order given"
	} else {
		text += fmt.Sprintf(", in order %d", s.Order)
	}
	if s.Turns {
		text += ", in turns"
	}
	return text
}

// Settled says that a run is the same each time, as far as it is the engine's to say: no goroutines
// race in it.
func (s Setting) Settled() bool { return s.Workers == 1 || s.Turns }

// Settings lists runs to be compared, the plainest first and twice, with so many other orders of
// arrival, one at least. Those in which goroutines race come last, so that what they find is new.
func Settings(orders int) []Setting {
	plain := Setting{Batch: true, Workers: 1, Size: connector.BatchSize, Splits: 1}
	all := []Setting{plain, plain,
		{Workers: 1, Size: connector.BatchSize, Splits: 1},
		{Workers: 1, Size: 1, Splits: 1},
		{Workers: 1, Size: 7, Splits: 3},
	}
	for o := 1; o <= orders; o++ {
		all = append(all,
			Setting{Batch: true, Workers: 1, Size: 7, Splits: 1, Order: o},
			Setting{Workers: 1, Size: 7, Splits: 1, Order: o})
	}
	var racing []Setting
	for w := 2; w <= 4; w++ {
		o := w % (orders + 1)
		all = append(all, Setting{Workers: w, Size: 3, Splits: w, Order: o, Turns: true})
		racing = append(racing,
			Setting{Batch: true, Workers: w, Size: 7, Splits: w},
			Setting{Workers: w, Size: connector.BatchSize, Splits: 1, Order: o},
			Setting{Workers: w, Size: 3, Splits: w, Order: o})
	}
	return append(all, racing...)
}

// Tapped is the option by which f sees what leaves the first output of each step, before anything
// else does: it is called by all workers.
func Tapped(f func(step string, rows connector.Rows)) func(*run.Options) {
	return func(o *run.Options) { o.Tap = f }
}

// Unbooked is the option by which whatever takes time for elements or runs of them is left out of the
// books: a bench measures what they cost.
func Unbooked(o *run.Options) { o.Unbooked = true }

// Audited is the option by which the books must balance in the midst of a run, wherever the
// watermark may have moved (S13.1). It is for runs of one worker, and for those in turns.
func Audited(o *run.Options) {
	o.Audit = func(r *run.Report) error {
		for i := range r.Steps {
			if err := r.Steps[i].Balance(); err != nil {
				return fmt.Errorf("%w: in the midst of the run: %w", run.ErrUnbalanced, err)
			}
		}
		return nil
	}
}

// InTurns is the option by which one goroutine plays all workers, in turns that the seed decides.
func InTurns(seed uint64, workers int) func(*run.Options) {
	return func(o *run.Options) { o.Simulate = rand.New(rand.NewPCG(seed, uint64(workers))) }
}
