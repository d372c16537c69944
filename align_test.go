package strandline_test

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// uneven is a source of two splits with as many records; those of the second are as many seconds
// apart as the step says, so that it runs ahead when both are read alike.
type uneven struct {
	n     int
	step  int64
	track *lead
}

// lead keeps the greatest distance between the splits, in records' seconds, at the moment at
// which one was read.
type lead struct {
	mu   sync.Mutex
	at   [2]int64
	most int64
}

func (l *lead) read(split int, at int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at[split] = at
	if at < 1<<40 {
		l.most = max(l.most, l.at[1]-l.at[0])
	}
}

func (s uneven) Name() string  { return "uneven" }
func (s uneven) Bounded() bool { return true }

func (s uneven) Splits(context.Context) ([]connector.Split[event], error) {
	return []connector.Split[event]{unevenSplit{s, 0}, unevenSplit{s, 1}}, nil
}

type unevenSplit struct {
	uneven
	i int
}

func (s unevenSplit) Name() string { return fmt.Sprint("split ", s.i) }

func (s unevenSplit) Open(context.Context) (connector.Reader[event], error) {
	var es []event
	for k := range s.n {
		at := int64(k)
		if s.i == 1 {
			at *= s.step
		}
		es = append(es, event{At: at, Key: "k", N: int64(s.i)})
	}
	return &watchedReader{es: es, split: s.i, track: s.track}, nil
}

type watchedReader struct {
	es    []event
	split int
	track *lead
}

func (r *watchedReader) Close() error { return nil }

func (r *watchedReader) Read(_ context.Context, b *connector.Batch[event]) error {
	*b = connector.Batch[event]{}
	if len(r.es) == 0 {
		r.track.read(r.split, 1<<40) // from here on it holds nobody back
		return io.EOF
	}
	b.Values, r.es = r.es[:1:1], r.es[1:]
	r.track.read(r.split, b.Values[0].At)
	return nil
}

// A split that runs ahead of the slowest by more than the bound is paused, not buffered (S3.5).
func TestASplitThatRunsAheadIsPaused(t *testing.T) {
	run := func(align time.Duration, workers int) (most int64, got lines) {
		track := &lead{}
		p := strandline.New("aligned")
		in := strandline.Read(p, uneven{n: 200, step: 50, track: track}, watermark.Ascending().NoGuard(), at)
		if align >= 0 {
			in = in.AlignSplits(align)
		}
		r := in.WindowInto(window.Fixed(1000*time.Second)).Combine("count", combine.Count[event]())
		strandline.Each(r.PCollection, "", func(x strandline.Pane[int64]) { got.add("%s %d", span(x), x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		return track.most, got
	}
	for _, workers := range []int{1, 2, 3} {
		free, want := run(-1, 1)
		if free < 1000 {
			t.Fatalf("without a limit the second split is %d s ahead at most: the test shows nothing", free)
		}
		// A batch is read as long as the bound is kept: it may go beyond by its own 50 s.
		most, got := run(100*time.Second, workers)
		if most > 151 {
			t.Errorf("%d workers: the second split was %d s ahead, want at most 151", workers, most)
		}
		if got.sorted() != want.sorted() {
			t.Errorf("%d workers: %s, want %s", workers, got.sorted(), want.sorted())
		}
	}
}
