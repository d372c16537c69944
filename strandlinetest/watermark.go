package strandlinetest

import (
	"fmt"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// scripted is the strategy by which the watermark stands where the script says (S3.1).
type scripted struct{ f *feed }

func (s scripted) String() string         { return fmt.Sprintf("scripted(%q)", s.f.name) }
func (s scripted) Validate() error        { return nil }
func (s scripted) Needs() watermark.Needs { return watermark.Needs{} }

func (s scripted) Start() watermark.Generator {
	s.f.scripted = true
	return &follower{f: s.f, w: etime.Min}
}

// follower repeats what the script says. It looks at the script only when a batch comes, when
// the reader is at rest: between batches a reader on another goroutine may be moving it.
type follower struct {
	f *feed
	w int64
}

// Observe gives every element of a batch the watermark of the action before: an action either
// adds elements or moves the watermark.
func (g *follower) Observe(c watermark.Columns, w []int64) (int64, error) {
	g.w = g.f.at
	for i := range c.At {
		w[i] = g.w
	}
	return g.w, nil
}

func (g *follower) W() int64                        { return g.w }
func (g *follower) Tick(int64) int64                { return g.w }
func (g *follower) Future() int64                   { return 0 }
func (g *follower) AppendState(dst []int64) []int64 { return append(dst, g.w) }

func (g *follower) RestoreState(s []int64) error {
	if len(s) != 1 {
		return fmt.Errorf("strandlinetest: the state of %v has one number, not %d", scripted{g.f}, len(s))
	}
	g.w = s[0]
	return nil
}
