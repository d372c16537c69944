package yaml

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
)

// Recording is what the sources of a pipeline gave when they were read once, in memory, so that
// the pipeline can be run over it any number of times: see [Recording.Try].
type Recording struct {
	// Sources are in the order of the text.
	Sources []*Recorded
	p       *Pipeline
	once    sync.Once
	turns   []Turn
}

// Recorded is what one source gave.
type Recorded struct {
	// Step is the id of the source, and Names are the fields of its rows: those that are of use.
	Step  string
	Names []string
	// Records are those that could be read, in the order in which they would have come: where
	// there are several splits, the one goes on whose records are the earliest.
	Records []Record
	// Malformed are those that could not be read.
	Malformed []connector.Malformed
	// Timed says that the records have event times.
	Timed bool
	// Splits are the names of the source's splits.
	Splits []string
	// Strategy is the watermark that the pipeline gives the source.
	Strategy watermark.Strategy

	p        *Pipeline
	step     *step
	replaced bool // by the lines of a file
	from     connector.Source[record.Row]

	once  sync.Once // see bySplit
	rows  [][]record.Row
	times [][]int64
}

// Record is a row that was read.
type Record struct {
	Row record.Row
	// Time is the event time in microseconds since 1970, as the settings of the source read it;
	// etime.Min if there is none.
	Time int64
	// Arrival is when the record came, where a field tells; otherwise etime.Min.
	Arrival int64
	// Split is an index into Splits, and Number counts the records of that split from 0 that
	// could be read: with it [Recorded.Find] finds the record again.
	Split  int32
	Number int64
}

// Lag is how far behind another a record is at the most, in event time, if they come in this
// order: the bound that a watermark needs so that none is late.
func (r *Recorded) Lag() time.Duration {
	high, most := etime.Min, int64(0)
	for i := range r.Records {
		high = max(high, r.Records[i].Time)
		most = max(most, etime.Sub(high, r.Records[i].Time))
	}
	return etime.Duration(most)
}

// Record reads every source once. It needs a pipeline that was checked, and whose sources end.
func (p *Pipeline) Record(ctx context.Context) (*Recording, error) {
	r, err := p.unread(ctx)
	if err != nil {
		return nil, err
	}
	return r, r.read(ctx)
}

// unread is a recording of which no source has been read yet.
func (p *Pipeline) unread(ctx context.Context) (*Recording, error) {
	for _, s := range p.steps {
		if s.settings.bool("follow") || s.kind == "Generate" && !s.settings.has("rows") {
			hint := "leave follow out, to read the file as it is"
			if s.kind == "Generate" {
				hint = "say with rows how many"
			}
			return nil, fmt.Errorf("%s (line %d) does not end, so it cannot be recorded and run again: %s", s.id, s.kindNode.Line, hint)
		}
	}
	r := &Recording{p: p}
	alone := *p
	alone.tried = &trying{reading: func(s *step, from connector.Source[record.Row], w watermark.Strategy) {
		timed, _ := from.(interface{ Timed() bool })
		r.Sources = append(r.Sources, &Recorded{Step: s.id, Names: s.outs[""].schema.Names(), Timed: timed != nil && timed.Timed(), Strategy: w, p: p, step: s, from: from})
	}}
	if _, err := alone.Build(); err != nil {
		return nil, err
	}
	slices.SortFunc(r.Sources, func(a, b *Recorded) int { return slices.Index(p.inOrder, a.step) - slices.Index(p.inOrder, b.step) })
	if err := r.replace(ctx, p.options.Inputs); err != nil {
		return nil, err
	}
	return r, nil
}

// read reads every source.
func (r *Recording) read(ctx context.Context) error {
	for _, s := range r.Sources {
		if err := s.read(ctx, s.step.arrivalOf()); err != nil {
			return r.p.secrets.within(err)
		}
	}
	return nil
}

// again says whether the source can be read any number of times, and is the same each time.
func (r *Recorded) again() bool {
	t := r.p.tables[r.step]
	if r.replaced || t == nil {
		return !r.replaced && !r.step.def.reads
	}
	_, size := t.BytesRead()
	return size > 0
}

// read reads the source. arrival tells when a row came; nil if nothing does.
func (r *Recorded) read(ctx context.Context, arrival func(*record.Row) int64) error {
	splits, err := r.from.Splits(ctx)
	if err != nil {
		return err
	}
	all := make([][]Record, len(splits))
	for i, split := range splits {
		r.Splits = append(r.Splits, split.Name())
		err := batches(ctx, split, func(b *connector.Batch[record.Row]) error {
			if n := len(all[i]); cap(all[i]) < n+len(b.Values) { // by doubling: append would copy much more often
				all[i] = slices.Grow(all[i], n+len(b.Values))
			}
			for j, row := range b.Values {
				x := Record{Row: row, Time: etime.Min, Arrival: etime.Min, Split: int32(i), Number: int64(len(all[i]))}
				if b.Times != nil {
					x.Time = b.Times[j]
				}
				if arrival != nil {
					x.Arrival = arrival(&row)
				}
				all[i] = append(all[i], x)
			}
			r.Malformed = append(r.Malformed, b.Malformed...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	r.Records = merged(all)
	return nil
}

// batches reads a split to its end, and calls f for every batch. An error of f ends it.
func batches(ctx context.Context, split connector.Split[record.Row], f func(*connector.Batch[record.Row]) error) error {
	in, err := split.Open(ctx)
	if err != nil {
		return err
	}
	for err == nil {
		var b connector.Batch[record.Row]
		if err = in.Read(ctx, &b); err == nil {
			err = f(&b)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, in.Close())
}

// merged gives the records of all splits, each split's in its order: next comes that of which the
// split's greatest event time so far is the least, or its arrival if that is known.
func merged(splits [][]Record) []Record {
	if len(splits) == 1 {
		return splits[0]
	}
	n := 0
	high := make([]int64, len(splits))
	due := func(x *Record, high int64) int64 {
		if x.Arrival != etime.Min {
			return max(x.Arrival, high)
		}
		return max(x.Time, high)
	}
	for i, s := range splits {
		n += len(s)
		if high[i] = etime.Min; len(s) > 0 {
			high[i] = due(&s[0], etime.Min)
		}
	}
	all := make([]Record, 0, n)
	for len(all) < n {
		next := -1
		for i := range splits {
			if len(splits[i]) > 0 && (next < 0 || high[i] < high[next]) {
				next = i
			}
		}
		all = append(all, splits[next][0])
		if splits[next] = splits[next][1:]; len(splits[next]) > 0 {
			high[next] = due(&splits[next][0], high[next])
		}
	}
	return all
}

// trying is what is different in a build for a recording or a trial.
type trying struct {
	reading  func(s *step, from connector.Source[record.Row], w watermark.Strategy) // is told the sources
	source   func(s *step) connector.Source[record.Row]
	strategy func(s *step, w watermark.Strategy) watermark.Strategy
	lateness func(d time.Duration) time.Duration
	// What step s would write or print, which is of, and what steps give:
	result, inner func(called string, of ref, s *step, out rows)
	late          func(s *step, out rows) // is told the outputs of records that came too late
	trace         *trace
	once          *once
}

// read makes a source of the API.
func (b *builder) read(s *step, from connector.Source[record.Row], w watermark.Strategy) strandline.PCollection[record.Row] {
	if t := b.tried; t != nil {
		if t.reading != nil {
			t.reading(s, from, w)
		}
		if t.source != nil {
			from = t.source(s)
		}
	}
	return strandline.Read(b.p, from, b.strategy(s, w), nil)
}

// strategy is the watermark of a step, unless a trial has another.
func (b *builder) strategy(s *step, w watermark.Strategy) watermark.Strategy {
	if t := b.tried; t != nil && t.strategy != nil {
		return t.strategy(s, w)
	}
	return w
}

// windowed puts a collection into windows, unless those are found by what takes the Combine's place.
func (b *builder) windowed(w *windows, c strandline.PCollection[record.Row]) strandline.PCollection[record.Row] {
	if b.once() != nil {
		return c
	}
	if t := b.tried; t != nil && t.lateness != nil {
		changed := *w
		changed.lateness = t.lateness(w.lateness)
		w = &changed
	}
	return w.apply(c)
}

// made makes what a step does. In a trial the steps that write, print or judge only hand on.
func (b *builder) made(s *step, in []rows) map[string]rows {
	t := b.tried
	if t == nil || t.result == nil || !s.def.sink && s.kind != "LogForTesting" && s.kind != "AssertEqual" {
		return s.build(b, in)
	}
	of := ref{step: s}
	if from := s.inputs[0].from; len(from) == 1 {
		of = from[0]
	}
	t.result(s.id, of, s, in[0])
	if s.def.sink {
		return nil
	}
	return map[string]rows{"": in[0]}
}
