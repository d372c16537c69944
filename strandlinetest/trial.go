package strandlinetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/watermark"
)

// orders gives the data in its own order, and in others in which no record is more than the
// bound behind another: each is held up by a part of it that chance decides.
func (v Verification[T, U]) orders() [][]T {
	type late struct {
		v  T
		at int64
	}
	all := [][]T{v.Data}
	bound := etime.Span(v.Bound)
	for o := range v.Orders {
		r := rand.New(rand.NewPCG(v.Seed, uint64(o)))
		held := make([]late, len(v.Data))
		for i, j := range r.Perm(len(v.Data)) {
			x := v.Data[j]
			held[i] = late{x, etime.Add(etime.Micros(v.Time(&x)), r.Int64N(bound+1))}
		}
		slices.SortStableFunc(held, func(a, b late) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
		order := make([]T, len(held))
		for i := range held {
			order[i] = held[i].v
		}
		all = append(all, order)
	}
	return all
}

// try runs the pipeline once.
func (v Verification[T, U]) try(ctx context.Context, s trial.Setting, data []T) (*answer[U], error) {
	p := strandline.New("verification")
	bound := max(v.Bound, etime.Duration(needs(data, v.Time)))
	c := v.Build(strandline.Read(p, deal(data, s.Splits, s.Size), watermark.Bounded(bound).NoGuard(), v.Time))
	out := Collect(c)
	opts := []strandline.Option{strandline.Workers(s.Workers)}
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
