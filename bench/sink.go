package main

import (
	"context"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
)

// sink adds panes up, without keeping them.
type sink[K comparable] struct{ d *digest }

func (s sink[K]) Name() string                                    { return "digest" }
func (s sink[K]) Open(context.Context) (connector.Writer, error) { return s, nil }
func (s sink[K]) Flush(context.Context) error                     { return nil }
func (s sink[K]) Close() error                                    { return nil }

func (s sink[K]) Write(_ context.Context, rows connector.Rows) error {
	for i, v := range rows.Values().([]strandline.KV[K, agg]) {
		w, _ := rows.Window(i)
		s.d.add(w.Lo(), v.Value)
	}
	return nil
}
