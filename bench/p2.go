package main

import (
	"context"
	"errors"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

const p2Size = time.Second

// p2Prism is the job on Prism. Beam's SDK takes minutes to build, so that only the tag prism
// brings it.
var p2Prism func(from numbered) digest

// p2: events grouped by key to lists in windows of 1 s, against Prism, Beam's runner in process.
// Either makes its events itself; Strandline with one worker, Prism with what processors it finds.
func p2(b *board) {
	if p2Prism == nil {
		b.skip("P2", errors.New("it is built without Beam's SDK: make bench builds it with -tags prism"))
		return
	}
	b.p2("lists, 1k keys", 1000)
	b.p2("lists, 100k keys", 100_000)
}

func (b *board) p2(name string, keys int64) {
	const n = million / 2
	b.compare("P2", name, n, "engine", "Prism", 20, p2Duel(b.turns, n, keys))
}

func p2Duel(turns int, n, keys int64) [2]time.Duration {
	var ours, theirs digest
	from := numbered{n, keys, 1}
	return duel(turns, clocked(func() { ours = p2Engine(from) }), clocked(func() {
		theirs = p2Prism(from)
		same("P2", ours, theirs)
	}))
}

func p2Engine(from numbered) (d digest) {
	p := strandline.New("p2")
	in := strandline.ReadMicros(p, from, watermark.Bounded(bound*time.Microsecond), func(e *event[int64]) int64 { return e.At })
	keyed := in.KeyByWith("key", func(e *event[int64]) (int64, int64) { return e.Key, e.Value })
	strandline.GroupByKey("group", keyed.WindowInto(window.Fixed(p2Size))).WriteTo(lists{&d})
	if _, err := p.Run(context.Background()); err != nil {
		panic(err)
	}
	return d
}

// addList adds the values of a key in a window, in whatever order: nobody promises one.
func (d *digest) addList(start, key int64, values []int64) {
	a := agg{Count: int64(len(values))}
	for _, v := range values {
		a.Sum += int64(mix(uint64(v)))
	}
	d.addKeyed(start, key, a)
}

// lists is a sink of what GroupByKey gives.
type lists struct{ d *digest }

func (s lists) Name() string                                   { return "digest" }
func (s lists) Open(context.Context) (connector.Writer, error) { return s, nil }
func (s lists) Flush(context.Context) error                    { return nil }
func (s lists) Close() error                                   { return nil }

func (s lists) Write(_ context.Context, rows connector.Rows) error {
	for i, v := range rows.Values().([]strandline.KV[int64, []int64]) {
		w, _ := rows.Window(i)
		s.d.addList(w.Lo(), v.Key, v.Value)
	}
	return nil
}
