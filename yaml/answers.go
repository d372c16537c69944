package yaml

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// answers goes through the steps behind the Combine of a line: with the row of each cell as the complete
// answer has it, and right behind it with those of its forks. The outputs are compared as they come.
type answers struct {
	*sweep
	given   []answerRow
	outputs []*answerOutput
}

// answerRow says what a row is: that of a cell without a stretch and what came after, or with all if
// the stretch is -1.
type answerRow struct{ cell, stretch int32 }

// answerOutput is an output that is compared.
type answerOutput struct {
	of      *Result
	all     *answers
	key     []int // the fields that name a cell
	rest    []int
	names   []string // of the rest
	next    int      // of the rows given
	want    record.Row
	changed []int // by class: cells
	missing []int
	samples [][]lateness.Cell // in the order of windows and keys
	in      int32             // the window that was shown last, and its text
	inText  string
}

// paneError is that of a pane that could not be computed. Then each setting has a pass of its own,
// in which that is no error.
type paneError struct{ error }

// compare gives what the outputs have, class by class.
func (s *sweep) compare(ctx context.Context) ([]*answerOutput, error) {
	a := &answers{sweep: s}
	err := s.job.p.part(ctx, &once{line: s.line, sweep: s, answers: a}, func(called string, of ref, st *step, out rows) {
		o := &answerOutput{of: &Result{Step: called, Names: out.schema.Names(), Key: keyOf(of)}, all: a}
		o.of.at = slices.Index(s.job.p.inOrder, st)
		for i, name := range o.of.Names {
			if slices.Contains(o.of.Key, name) {
				o.key = append(o.key, i)
			} else {
				o.rest, o.names = append(o.rest, i), append(o.names, name)
			}
		}
		n := len(s.classes)
		o.changed, o.missing, o.samples = make([]int, n), make([]int, n), make([][]lateness.Cell, n)
		a.outputs = append(a.outputs, o)
		out.c.WriteTo(watching{st.id, o.of.Names, o.row, nil})
	})
	slices.SortStableFunc(a.outputs, func(x, y *answerOutput) int { return x.of.at - y.of.at })
	return a.outputs, err
}

// build makes rows that take the place of the Combine's, each in its window.
func (a *answers) build(b *builder) rows {
	s := a.line.combine
	c := strandline.Read[record.Row](b.p, answerSource{a}, watermark.EndOfInput(), nil).WindowInto(endingAt{a.line.windows})
	return rows{c, s.outs[""].schema}
}

// endingAt has the windows of an assigner that end right behind an instant.
type endingAt struct{ window.Assigner }

func (e endingAt) Assign(dst []window.Interval, t int64) []window.Interval {
	n := len(dst)
	dst = e.Assigner.Assign(dst, t)
	own := slices.DeleteFunc(dst[n:], func(w window.Interval) bool {
		_, end := w.Micros()
		return end != etime.Add(t, 1)
	})
	return dst[:n+len(own)]
}

// answerSource is the source of those rows: their event times are the last instants of their windows.
type answerSource struct{ *answers }

func (a answerSource) Name() string  { return a.line.combine.id }
func (a answerSource) Bounded() bool { return true }
func (a answerSource) Timed() bool   { return true }

func (a answerSource) Splits(context.Context) ([]connector.Split[record.Row], error) {
	return []connector.Split[record.Row]{a}, nil
}

func (a answerSource) Open(context.Context) (connector.Reader[record.Row], error) {
	return &answerReader{answers: a.answers}, nil
}

type answerReader struct {
	*answers
	cell  int32
	rows  []record.Row
	times []int64
}

func (r *answerReader) Close() error { return nil }

func (r *answerReader) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	*b = connector.Batch[record.Row]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.rows, r.times = r.rows[:0], r.times[:0]
	for ; int(r.cell) < len(r.cells) && len(r.rows) < connector.BatchSize; r.cell++ {
		if err := r.give(r.cell); err != nil {
			return err
		}
	}
	if len(r.rows) == 0 {
		return io.EOF
	}
	b.Values, b.Times = r.rows, r.times
	return nil
}

// give gives the rows of a cell.
func (r *answerReader) give(n int32) error {
	c := &r.cells[n]
	if err := r.one(n, -1); err != nil {
		return err
	}
	for i := c.first; i >= 0; i = r.late[i].next {
		if r.late[i].fork >= 0 {
			if err := r.one(n, i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *answerReader) one(cell, stretch int32) error {
	row, err := r.gathered.row(cell, stretch)
	if err != nil {
		return paneError{err}
	}
	r.given = append(r.given, answerRow{cell, stretch})
	r.rows = append(r.rows, row)
	r.times = append(r.times, r.end(r.cells[cell].window)-1)
	return nil
}

// row takes the next row of an output.
func (o *answerOutput) row(r Row) error {
	x := o.all.given[o.next]
	o.next++
	c := &o.all.cells[x.cell]
	if x.stretch >= 0 {
		if slices.ContainsFunc(o.rest, func(i int) bool { return !alikeValues(o.want[i], r.Values[i]) }) {
			o.differs(c, x.stretch, o.changed, r.Values)
		}
		return nil
	}
	if o.want = r.Values; !c.base {
		o.differs(c, c.first, o.missing, nil)
	}
	return nil
}

// text shows a row without its key.
func (o *answerOutput) text(r record.Row) string {
	return string(record.AppendObject(nil, o.names, pick(r, o.rest)))
}

// differs books that the cell at hand is not as in the complete answer under the settings that take
// what came before a stretch, and not all of it; got is nil if it is missing.
func (o *answerOutput) differs(c *sweptCell, stretch int32, count []int, got record.Row) {
	s := &o.all.late[stretch]
	for class := o.all.upto[s.before]; class < o.all.upto[s.band]; class++ {
		count[class]++
		o.show(class, c, got)
	}
}

// show takes a cell into the sample of a class if it is one of the first of windows and keys.
func (o *answerOutput) show(class int, at *sweptCell, got record.Row) {
	some, limit := o.samples[class], o.all.job.o.Sample
	if limit == 0 {
		return
	}
	if o.in != at.window || o.inText == "" {
		o.in, o.inText = at.window, o.all.windows[at.window].String()
	}
	c := lateness.Cell{Window: o.inText}
	if len(some) == limit && some[limit-1].Window < c.Window {
		return
	}
	if len(o.key) > 0 {
		c.Key = string(record.AppendObject(nil, pick(o.of.Names, o.key), pick(o.want, o.key)))
	}
	i, _ := slices.BinarySearchFunc(some, c, func(a, b lateness.Cell) int {
		return cmp.Or(cmp.Compare(a.Window, b.Window), cmp.Compare(a.Key, b.Key))
	})
	if i < limit {
		if c.Want = o.text(o.want); got != nil {
			c.Got = o.text(got)
		}
		o.samples[class] = slices.Insert(some, i, c)[:min(len(some)+1, limit)]
	}
}
