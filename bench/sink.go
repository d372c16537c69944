package main

import (
	"context"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
)

// digest adds results up. Their order does not show in it; a value in the wrong window, or with
// the wrong key, does.
type digest struct{ Panes, Count, Squares, Sum, Mix, Keys int64 }

func (d *digest) add(start int64, a agg) {
	d.Panes++
	d.Count += a.Count
	d.Squares += a.Count * a.Count
	d.Sum += a.Sum
	d.Mix += (start/million + 1) * (a.Count*31 + a.Sum)
}

// addKeyed is add for keys that are numbers: it shows any exchange of two results. flink/Windows.java
// has the same.
func (d *digest) addKeyed(start, key int64, a agg) {
	d.add(start, a)
	x := mix(uint64(key))
	for _, v := range []int64{start, a.Count, a.Sum} {
		x = mix(x ^ uint64(v))
	}
	d.Keys += int64(x)
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

// numberedSink is a sink for keys that are numbers.
type numberedSink struct{ d *digest }

func (s numberedSink) Name() string                                   { return "digest" }
func (s numberedSink) Open(context.Context) (connector.Writer, error) { return s, nil }
func (s numberedSink) Flush(context.Context) error                    { return nil }
func (s numberedSink) Close() error                                   { return nil }

func (s numberedSink) Write(_ context.Context, rows connector.Rows) error {
	for i, v := range rows.Values().([]strandline.KV[int64, agg]) {
		w, _ := rows.Window(i)
		s.d.addKeyed(w.Lo(), v.Key, v.Value)
	}
	return nil
}
