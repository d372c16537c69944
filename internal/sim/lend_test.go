package sim

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/watermark"
)

// What a reader lends is good until it reads on. Whatever a step keeps longer, of late elements, of
// those that wait for a watermark or cross to another worker, must be a copy: a run that is lent its
// input gives what one gives that may keep it.
func TestLentValuesAreNotKept(t *testing.T) {
	lent, late, crossed := 0, 0, 0
	for seed := uint64(1); seed <= 800; seed++ {
		c := New(seed)
		c.Way, c.Simulate = Direct, c.Workers > 1 // which of two splits is ahead must be the same both times
		kept, lending := &sheets{c: c}, &sheets{c: c, lends: true}
		want, got := kept.run(t), lending.run(t)
		if !slices.Equal(want, got) {
			t.Errorf("%v: lent values give\n%v\nand others\n%v", c, got, want)
		}
		if lending.lent() {
			lent++
			if late += lending.late; c.Workers > 1 {
				crossed++
			}
		}
	}
	if lent < 300 || late < 80 || crossed < 40 {
		t.Errorf("values were lent in %d cases, in %d to several workers, and %d were late: this shows little", lent, crossed, late)
	}
}

// A step that may keep what it is given is lent nothing.
func TestNothingIsLentToWhoMayKeepIt(t *testing.T) {
	c := New(1)
	c.Workers = 1
	for name, build := range map[string]func(*sheets, strandline.Keyed[string, sheet]){
		"a list": func(s *sheets, k strandline.Keyed[string, sheet]) {
			strandline.Each(strandline.GroupByKey("lists", k).PCollection, "panes", func(strandline.Pane[strandline.KV[string, []sheet]]) {})
		},
		"a combiner that does not say": func(s *sheets, k strandline.Keyed[string, sheet]) {
			k.CombinePerKey("count", combine.Count[sheet]())
		},
		"a function": func(s *sheets, k strandline.Keyed[string, sheet]) {
			k.MapEntries("same", func(_ string, v *sheet) sheet { return *v })
		},
		"one of two": func(s *sheets, k strandline.Keyed[string, sheet]) {
			k.CombinePerKey("numbers", numbers{})
			k.MapEntries("same", func(_ string, v *sheet) sheet { return *v })
		},
	} {
		s := &sheets{c: c, lends: true}
		p := strandline.New("kept")
		in := strandline.ReadMicros(p, s, watermark.Bounded(time.Hour), func(v *sheet) int64 { return (*v)[0] })
		build(s, in.KeyBy("key", func(v *sheet) string { return fmt.Sprint("k", (*v)[1]) }))
		if _, err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.lent() {
			t.Errorf("%s was lent values", name)
		}
	}
}

// sheet is an event whose numbers lie elsewhere: time, key, number, gap.
type sheet []int64

// OwnAll copies sheets.
func (sheet) OwnAll(all []sheet) {
	for i, s := range all {
		all[i] = slices.Clone(s)
	}
}

// sheets reads the events of a case. Those that are lent are overwritten at the next Read.
type sheets struct {
	c     *Case
	lends bool

	halves [2]half
	late   int
}

// half is a split: the second is ahead of the first, so that what is behind there has to wait.
type half struct {
	of   *sheets
	name string
	rest []Event
	lent bool
	used []sheet
}

func (s *sheets) Name() string  { return "sheets" }
func (s *sheets) Bounded() bool { return true }
func (s *sheets) Splits(context.Context) ([]connector.Split[sheet], error) {
	events := s.c.Events
	s.halves = [2]half{{of: s, name: "first", rest: events[:len(events)/2]}, {of: s, name: "second", rest: events[len(events)/2:]}}
	return []connector.Split[sheet]{&s.halves[0], &s.halves[1]}, nil
}

func (s *sheets) lent() bool { return s.halves[0].lent && s.halves[1].lent }

func (h *half) Name() string                                          { return h.name }
func (h *half) Open(context.Context) (connector.Reader[sheet], error) { return h, nil }
func (h *half) Close() error                                          { return nil }

// Lend says whether it lends.
func (h *half) Lend() bool {
	h.lent = h.of.lends
	return h.lent
}

func (h *half) Read(_ context.Context, b *connector.Batch[sheet]) error {
	if h.lent {
		for _, v := range h.used {
			for i := range v {
				v[i] = -1
			}
		}
	}
	h.used = nil
	n := min(len(h.rest), max(1, h.of.c.Rows))
	if n == 0 {
		return io.EOF
	}
	for _, e := range h.rest[:n] {
		h.used = append(h.used, sheet{e.At, int64(e.Key[len(e.Key)-1]), e.N, e.Gap})
	}
	h.rest = h.rest[n:]
	*b = connector.Batch[sheet]{Values: h.used}
	return nil
}

// run gives panes and late records, a line each.
func (s *sheets) run(t *testing.T) (lines []string) {
	t.Helper()
	c, p := s.c, strandline.New("lent")
	in := strandline.ReadMicros(p, s, watermark.Bounded(c.Bound).NoGuard(), func(v *sheet) int64 { return (*v)[0] })
	keyed := windowed(c, in.KeyBy("key", func(v *sheet) string { return fmt.Sprint("k", (*v)[1]) }), func(v *sheet) int64 { return (*v)[3] })
	r := keyed.CombinePerKey("numbers", numbers{})
	strandline.Each(r.PCollection, "panes", func(x strandline.Pane[strandline.KV[string, []int64]]) {
		lines = append(lines, fmt.Sprint(x.Value, x.Time, x.Window, x.Pane))
	})
	var late []sheet
	strandline.Each(r.OnLate(func(l strandline.Late[sheet]) sheet { return l.Value }), "late", func(x strandline.Pane[sheet]) {
		late = append(late, x.Value)
	})
	if _, err := p.Run(t.Context(), c.options()...); err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	for _, v := range late {
		lines = append(lines, fmt.Sprint("late ", v))
	}
	s.late = len(late)
	slices.Sort(lines)
	return lines
}

// numbers gathers the numbers of sheets, and keeps no sheet.
type numbers struct{}

func (numbers) Borrows() bool              { return true }
func (numbers) Create() []int64            { return nil }
func (numbers) Add(acc *[]int64, v *sheet) { *acc = append(*acc, (*v)[2]) }
func (numbers) Merge(acc, other *[]int64)  { *acc = append(*acc, *other...) }
func (numbers) Clone(acc *[]int64) []int64 { return slices.Clone(*acc) }
func (numbers) Extract(acc *[]int64) ([]int64, error) {
	return slices.Sorted(slices.Values(*acc)), nil
}
