package strandlinetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/window"
)

// patience is how long a smaller input is looked for.
const patience = 20 * time.Second

// shownRecords is how many records of the smallest input a message shows.
const shownRecords = 20

// explain makes the error of two runs that differ: over as few records as show it, and by the first
// step that differs.
func (v Verification[T, U]) explain(ctx context.Context, all []trial.Setting, d *difference[U]) error {
	some := func(keep []int) []T {
		data := make([]T, len(keep))
		for i, k := range keep {
			data[i] = v.Data[k]
		}
		return data
	}
	search := trial.Search[*answer[U]]{
		Settings: all,
		Run:      func(s trial.Setting, keep []int) (*answer[U], error) { return v.try(ctx, s, some(keep)) },
		Differ:   func(a, b *answer[U]) bool { return differ(a, b, v.same) != nil },
		Patience: patience,
	}
	found := search.Smallest(len(v.Data), d.b.of)
	if err := ctx.Err(); err != nil {
		return err
	}
	if !found.Again {
		return fmt.Errorf("%w: %s\n\tThey agree when they are repeated, so no smaller input was found", ErrDiffer, d.text(v.Seed))
	}
	data := some(found.Keep)
	text := ""
	for range 5 { // a difference by chance may not be there at once
		if text = v.inside(ctx, d.a.of, found.With, data); text != "" {
			break
		}
	}
	if text == "" {
		text = d.text(v.Seed)
	}
	var records strings.Builder
	for i, x := range data {
		if i == shownRecords {
			fmt.Fprintf(&records, "\n\t\t... and %d more", len(data)-i)
			break
		}
		fmt.Fprintf(&records, "\n\t\t%s", valueText(x))
	}
	smallest := "The smallest input that shows it"
	if !found.Least {
		smallest = "The smallest input that was found in time"
	}
	return fmt.Errorf("%w: %s\n\t%s, %d of %s:%s", ErrDiffer, text, smallest, len(data), prose.Several(len(v.Data), "record"), records.String())
}

// inside repeats two runs, and says where the first step is that differs, or else the answer. It is
// empty if they agree.
func (v Verification[T, U]) inside(ctx context.Context, a, b trial.Setting, data []T) string {
	x, given, err := v.watched(ctx, a, data)
	if err != nil {
		return ""
	}
	y, others, err := v.watched(ctx, b, data)
	if err != nil {
		return ""
	}
	plain := Verification[T, any]{}
	for _, s := range x.report.Steps {
		if s.Kind == "combine locally" {
			continue
		}
		mine := &answer[any]{of: a, step: s.ID, report: x.report}
		theirs := &answer[any]{of: b, step: s.ID, report: y.report}
		if mine.take(given[s.ID], nil, plain.alike()) != nil || theirs.take(others[s.ID], nil, plain.alike()) != nil {
			continue // which of its panes are final cannot be told
		}
		if d := differ(mine, theirs, plain.same); d != nil {
			return d.text(v.Seed)
		}
	}
	if d := differ(x, y, v.same); d != nil {
		return d.text(v.Seed)
	}
	return ""
}

// watched is a run with all that its steps give.
func (v Verification[T, U]) watched(ctx context.Context, s trial.Setting, data []T) (*answer[U], map[string][]strandline.Pane[any], error) {
	var mu sync.Mutex
	all := map[string][]strandline.Pane[any]{}
	a, err := v.try(ctx, s, data, trial.Tapped(func(step string, rows connector.Rows) {
		mu.Lock()
		defer mu.Unlock()
		for i := range rows.Len() {
			w, in := rows.Window(i)
			if !in {
				w = window.Interval{}
			}
			all[step] = append(all[step], strandline.Pane[any]{Value: rows.Value(i), Time: etime.Time(rows.Time(i)), Window: w, Pane: rows.Pane(i)})
		}
	}))
	return a, all, err
}
