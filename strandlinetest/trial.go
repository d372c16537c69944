package strandlinetest

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/watermark"
)

// order gives the records in the o-th order of arrival, 0 being their own: in others no record is
// more than the bound behind another.
func (v Verification[T, U]) order(data []T, o int) []T {
	if o == 0 {
		return data
	}
	all := make([]trial.Arriving, len(data))
	for i := range data {
		at := etime.Micros(v.Time(&data[i]))
		all[i] = trial.Arriving{At: at, Content: trial.Content(fmt.Appendf(nil, "%d %s", at, valueText(data[i])))}
	}
	ordered := make([]T, len(data))
	for i, j := range trial.Order(all, etime.Span(v.Bound), v.Seed, o) {
		ordered[i] = data[j]
	}
	return ordered
}

// try runs the pipeline once over some records.
func (v Verification[T, U]) try(ctx context.Context, s trial.Setting, data []T, more ...strandline.Option) (*answer[U], error) {
	data = v.order(data, s.Order)
	p := strandline.New("verification")
	bound := max(v.Bound, etime.Duration(needs(data, v.Time)))
	c := v.Build(strandline.Read(p, deal(data, s.Splits, s.Size), watermark.Bounded(bound).NoGuard(), v.Time))
	out := Collect(c)
	opts := append([]strandline.Option{strandline.Workers(s.Workers)}, more...)
	if s.Batch {
		opts = append(opts, strandline.Batch())
	}
	if s.Turns {
		opts = append(opts, trial.InTurns(v.Seed, s.Workers))
	}
	report, err := p.Run(ctx, opts...)
	if err != nil {
		return nil, err
	}
	a := &answer[U]{of: s, step: c.Step(), report: report}
	return a, a.take(out.Panes(), v.Merge, v.alike())
}

// dealt is a source of several splits that were dealt their records in turn.
type dealt[T any] struct{ hands []memory.SliceSource[T] }

// deal gives data as n splits, read size records at a time.
func deal[T any](data []T, n, size int) connector.Source[T] {
	hands := make([][]T, n)
	for i, x := range data {
		hands[i%n] = append(hands[i%n], x)
	}
	var d dealt[T]
	for i, h := range hands {
		d.hands = append(d.hands, memory.Slice(fmt.Sprint("data/", i), h).Batch(size))
	}
	return d
}

func (d dealt[T]) Name() string  { return "data" }
func (d dealt[T]) Bounded() bool { return true }

func (d dealt[T]) Splits(ctx context.Context) (all []connector.Split[T], err error) {
	for _, h := range d.hands {
		s, err := h.Splits(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, s...)
	}
	return all, nil
}
