package main

import (
	"context"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
)

// digest adds results up. Their order does not show in it; a value in the wrong window, or with
// the wrong key, does.
type digest struct{ Panes, Count, Squares, Sum, Mix int64 }

func (d *digest) add(start int64, a agg) {
	d.Panes++
	d.Count += a.Count
	d.Squares += a.Count * a.Count
	d.Sum += a.Sum
	d.Mix += (start/million + 1) * (a.Count*31 + a.Sum)
}

// sink makes a digest of panes, without keeping them.
type sink[K comparable] struct{ d *digest }

func (s sink[K]) Name() string                                   { return "digest" }
func (s sink[K]) Open(context.Context) (connector.Writer, error) { return s, nil }
func (s sink[K]) Flush(context.Context) error                    { return nil }
func (s sink[K]) Close() error                                   { return nil }

func (s sink[K]) Write(_ context.Context, rows connector.Rows) error {
	for i, v := range rows.Values().([]strandline.KV[K, agg]) {
		w, _ := rows.Window(i)
		s.d.add(w.Lo(), v.Value)
	}
	return nil
}
