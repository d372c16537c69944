package sim

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/internal/oracle"
	"github.com/strandline-stream/strandline/watermark"
)

// Each record knows the line that it was written to: a late one must be said to have been read there,
// whatever lies between the reader and the step that it is late for.
func TestLateRecordsSayWhereTheyWereRead(t *testing.T) {
	late, behind := 0, 0
	for seed := uint64(1); seed <= 60; seed++ {
		c := New(seed)
		r := rand.New(rand.NewPCG(seed, 17))
		c.Batch, c.Bound = false, time.Duration(r.IntN(3))*time.Second
		where := written(t, c, r, t.TempDir())
		p := strandline.New("positions")
		said := map[int64]string{}
		strandline.Each(lates(c, p, seed%3), "late", func(x strandline.Pane[strandline.Late[Event]]) { said[x.Value.Value.N] = x.Value.Position })
		if _, err := p.Run(t.Context(), c.options()...); err != nil && !errors.Is(err, strandline.ErrMalformed) {
			t.Fatal(err)
		}
		for n, position := range said {
			if position != where[n] {
				t.Errorf("%v:\nthe late record of %s is said to be of %q", c, where[n], position)
				break
			}
		}
		late += len(said)
		if len(said) > 0 {
			behind++
		}
	}
	if late < 1000 || behind < 20 {
		t.Errorf("%d records were late in %d cases: this shows little", late, behind)
	}
}

// lates gives what is late for one of several kinds of steps.
func lates(c *Case, p *strandline.Pipeline, kind uint64) strandline.PCollection[strandline.Late[Event]] {
	same := func(l strandline.Late[Event]) strandline.Late[Event] { return l }
	switch {
	case kind == 1 && c.Spec.Window.Kind != oracle.Session && c.Spec.Trigger.Kind == oracle.Default:
		return c.keyed(p).Stateful("last", strandline.PerWindow, func(x *strandline.Turn[string, int64], s *int64, e *Event) { *s = e.N }, nil).OnLate(same)
	case kind == 2:
		in := c.way(strandline.ReadMicros(p, c.source, watermark.Bounded(c.Bound), func(e *Event) int64 { return e.At })).KeyBy("keys", func(e *Event) string { return e.Key })
		return in.IntervalJoin("near", in, -time.Second, time.Second, func(string, *Event, *Event) int { return 0 }).OnLate(same, same)
	}
	return c.keyed(p).CombinePerKey("count", combine.Count[Event]()).OnLate(same)
}

// written writes many events to two files, with lines between them that are none, makes the case read
// those, and gives the line of each event.
func written(t *testing.T, c *Case, r *rand.Rand, dir string) (where map[int64]string) {
	t.Helper()
	where = map[int64]string{}
	unit := second
	if c.Spec.Window.Days+c.Spec.Window.Months > 0 {
		unit = 5 * 3600 * second
	}
	now, n := int64(0), int64(0)
	for _, name := range []string{"a.jsonl", "b.jsonl"} {
		var text bytes.Buffer
		path := filepath.Join(dir, name)
		for line := 1; line <= 1500; line++ {
			switch r.IntN(20) {
			case 0:
				text.WriteString("\n")
				continue
			case 1:
				text.WriteString("this is no event\n")
				continue
			}
			now += r.Int64N(3)
			at := now - r.Int64N(6)
			if r.IntN(10) == 0 {
				at -= 200
			}
			fmt.Fprintf(&text, `{"Key":"k%d","At":%d,"N":%d,"Drop":%t,"Gap":%d,"Pad":%q}`+"\n", r.IntN(4), at*unit, n, c.Way == Filtered && r.IntN(4) == 0, unit, strings.Repeat("x", r.IntN(400)))
			where[n] = fmt.Sprintf("%s:%d", path, line)
			n++
		}
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c.source = jsonl.File[Event](filepath.Join(dir, "*.jsonl")).Project().Parallel(1 + r.IntN(3))
	if r.IntN(3) == 0 {
		c.source = jsonl.File[Event](filepath.Join(dir, "*.jsonl")).Project().SplitPerFile()
	}
	return where
}
