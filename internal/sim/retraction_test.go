package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/oracle"
	"github.com/strandline-stream/strandline/window"
)

// What is left of a changelog, and what a second aggregation makes of it, is the answer that is
// computed once from the panes' last values (S5.4).
func TestRelationAChangelogEndsAtTheAnswerComputedOnce(t *testing.T) {
	holds(t, "retractions", func(c *Case, r *rand.Rand) (string, bool, error) {
		if c.Spec.Trigger.Kind != oracle.Default && c.Spec.Trigger.Kind != oracle.Watermark && c.Spec.Trigger.Kind != oracle.Repeat {
			return "", false, nil // what has finished does not come back
		}
		c.Spec.Accumulating, c.Spec.FinalOnly, c.Spec.EmptyLast = true, false, false
		if c.Spec.Trigger.Kind == oracle.Watermark && c.Spec.Trigger.Kids[1].Kind == oracle.None {
			return "", false, nil
		}
		want := map[string]int64{}
		var total int64
		for key, panes := range c.Oracle().Panes {
			for _, n := range panes[len(panes)-1].Values {
				want[key] += n + 1
			}
		}
		if c.Spec.Window.Kind == oracle.Session {
			seen := map[int64]bool{}
			for _, panes := range c.Oracle().Panes {
				for _, n := range panes[len(panes)-1].Values {
					if !seen[n] {
						total += n + 1
					}
					seen[n] = true
				}
			}
		} else {
			for _, v := range want {
				total += v
			}
		}
		left, sum, second, diff, err := c.changelog()
		switch {
		case err != nil || diff != "":
			return diff, true, err
		case sum != total:
			return fmt.Sprintf("what is left of the changelog adds up to %d, want %d", sum, total), true, nil
		case second != total:
			return fmt.Sprintf("the second aggregation ends at %d, want %d", second, total), true, nil
		case c.Spec.Window.Kind == oracle.Session:
			return "", true, nil // which windows were absorbed the panes alone do not say
		}
		for k, v := range want {
			if left[k] != v {
				return fmt.Sprintf("%s is left at %d, want %d", k, left[k], v), true, nil
			}
		}
		return "", true, nil
	})
}

// changelog runs the case with retractions, follows them, and aggregates what comes a second time.
// diff says where a retraction takes back something else than what stands.
func (c *Case) changelog() (left map[string]int64, sum, second int64, diff string, err error) {
	p := strandline.New("changelog")
	sums := c.keyed(p).Retracting().CombinePerKey("sum", combine.Sum(func(e *Event) int64 { return e.N + 1 }))
	left = map[string]int64{}
	stands := map[string]bool{}
	strandline.Each(sums.PCollection, "changes", func(x strandline.Pane[strandline.KV[string, int64]]) {
		lo, hi := x.Window.Micros()
		key := fmt.Sprintf("%s %d %d", x.Value.Key, lo, hi)
		switch {
		case x.Retraction && (!stands[key] || left[key] != x.Value.Value):
			diff = fmt.Sprintf("%s: %d is retracted, but %d stands (%t)", key, x.Value.Value, left[key], stands[key])
		case !x.Retraction && stands[key]:
			diff = fmt.Sprintf("%s: %d comes while %d stands", key, x.Value.Value, left[key])
		}
		stands[key], left[key] = !x.Retraction, x.Value.Value
		if x.Retraction {
			delete(left, key)
		}
	})
	totals := sums.WindowInto(window.Global()).AllowedLateness(time.Hour).
		Combine("total", combine.Sum(func(v *strandline.KV[string, int64]) int64 { return v.Value }))
	strandline.Each(totals.PCollection, "totals", func(x strandline.Pane[int64]) { second = x.Value })
	_, err = p.Run(context.Background(), c.options()...)
	for _, v := range left {
		sum += v
	}
	return left, sum, second, diff, err
}
