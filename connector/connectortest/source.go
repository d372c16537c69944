package connectortest

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
)

// patience is how long anything may take before it counts as stuck.
const patience = 10 * time.Second

// ExerciseSource checks that a source keeps its contract. Open gives a fresh source at each
// call, over the same records; want is what its splits give, one split after another, without
// what is malformed. An unbounded source must have those records at hand, and then either end
// or wait.
func ExerciseSource[T any](t *testing.T, open func(t *testing.T) connector.Source[T], want []T) {
	for _, c := range sourceChecks[T]() {
		t.Run(c.name, func(t *testing.T) {
			before := goroutines()
			// Registered first it runs last, when what open started is gone too.
			t.Cleanup(func() { goroutinesGone(before, t.Errorf) })
			c.run(func() connector.Source[T] { return open(t) }, want, t.Errorf)
		})
	}
}

// report takes what is wrong.
type report func(format string, args ...any)

type sourceCheck[T any] struct {
	name string
	run  func(open func() connector.Source[T], want []T, report report)
}

func sourceChecks[T any]() []sourceCheck[T] {
	return []sourceCheck[T]{
		{"it has a short name", sourceName[T]},
		{"its splits have names, the same in every run", splitNames[T]},
		{"it gives its records in order, and then ends or waits", records[T]},
		{"a fresh one gives the same again", again[T]},
		{"values may be kept", kept[T]},
		{"it writes to nothing that the caller's batch held", foreign[T]},
		{"it obeys a context that is done", done[T]},
		{"it can be closed before it was read", unread[T]},
	}
}

func sourceName[T any](open func() connector.Source[T], _ []T, report report) {
	s := open()
	if name := s.Name(); name == "" || strings.Contains(name, "\n") {
		report("Name() = %q: step ids and messages need a short text", name)
	}
}

func splitNames[T any](open func() connector.Source[T], _ []T, report report) {
	names := func() (names []string) {
		splits, err := open().Splits(context.Background())
		if err != nil {
			report("Splits: %v", err)
		}
		for _, s := range splits {
			names = append(names, s.Name())
		}
		return names
	}
	first, second := names(), names()
	seen := map[string]bool{}
	for _, name := range first {
		if name == "" || seen[name] {
			report("split name %q is empty or given twice in %q", name, first)
		}
		seen[name] = true
	}
	if !reflect.DeepEqual(first, second) {
		report("split names differ from run to run: %q, then %q", first, second)
	}
}

func records[T any](open func() connector.Source[T], want []T, report report) {
	got := readAll(open(), len(want), report, func(r connector.Reader[T], bounded bool) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if !bounded {
			waits(r, report)
			return
		}
		for range 2 {
			var b connector.Batch[T]
			if err := r.Read(ctx, &b); err != io.EOF || len(b.Values)+len(b.Malformed) > 0 {
				report("Read after the end = %v with %d values: want io.EOF again, and an empty batch", err, len(b.Values))
			}
		}
	})
	same(got, want, report)
}

func again[T any](open func() connector.Source[T], want []T, report report) {
	for range 2 {
		same(readAll(open(), len(want), report, nil), want, report)
	}
}

// waits checks that a reader which has given its last record ends, or waits until its
// context is done and then says so.
func waits[T any](r connector.Reader[T], report report) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	type outcome struct {
		err   error
		batch connector.Batch[T]
	}
	results := make(chan outcome)
	read := func() {
		var b connector.Batch[T]
		err := r.Read(ctx, &b)
		results <- outcome{err, b}
	}
	stuck := time.NewTimer(patience)
	defer stuck.Stop()
	pause := time.NewTimer(50 * time.Millisecond)
	defer pause.Stop()
	go read()
	news := 0
	for {
		select {
		case got := <-results:
			switch {
			case got.err == io.EOF:
				return
			case got.err != nil && ctx.Err() == nil:
				report("Read after the last record: %v", got.err)
				return
			case errors.Is(got.err, context.Canceled):
				return
			case got.err != nil:
				report("Read, cancelled, = %v: want an error that is %v", got.err, context.Canceled)
				return
			case len(got.batch.Values)+len(got.batch.Malformed) > 0:
				report("there are more records than expected: %s", text(got.batch.Values))
				return
			}
			if news++; news > 1 || !got.batch.CaughtUp {
				report("Read gave an empty batch that is no news (CaughtUp is %v): it must wait for a record", got.batch.CaughtUp)
				return
			}
			go read() // an empty batch, by which the reader says that it is caught up
		case <-pause.C:
			cancel()
		case <-stuck.C:
			report("Read did not return after its context was cancelled")
			return
		}
	}
}

func kept[T any](open func() connector.Source[T], want []T, report report) {
	var values []T
	var then []string
	eachBatch(open(), len(want), report, func(b *connector.Batch[T]) {
		for _, v := range b.Values {
			values = append(values, v)
			then = append(then, text(v))
		}
	}, nil)
	for i, v := range values {
		if now := text(v); now != then[i] {
			report("value %d was %s when it was read and is %s now: it points into memory that is used again", i, then[i], now)
			return
		}
	}
}

func foreign[T any](open func() connector.Source[T], want []T, report report) {
	splits, err := open().Splits(context.Background())
	if err != nil || len(splits) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := splits[0].Open(ctx)
	if err != nil {
		report("Open: %v", err)
		return
	}
	defer r.Close()
	values, times := make([]T, connector.BatchSize), make([]int64, connector.BatchSize)
	malformed := make([]connector.Malformed, 8)
	b := connector.Batch[T]{Values: values[:1], Times: times[:1], Malformed: malformed[:1]}
	r.Read(ctx, &b)
	if !reflect.DeepEqual(values, make([]T, len(values))) || !reflect.DeepEqual(times, make([]int64, len(times))) ||
		!reflect.DeepEqual(malformed, make([]connector.Malformed, len(malformed))) {
		report("Read wrote into slices that the batch held before, which may be those of another reader")
	}
}

func done[T any](open func() connector.Source[T], _ []T, report report) {
	splits, err := open().Splits(context.Background())
	if err != nil {
		report("Splits: %v", err)
		return
	}
	for _, s := range splits {
		r, err := s.Open(context.Background())
		if err != nil {
			report("Open: %v", err)
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var b connector.Batch[T]
		if err := r.Read(ctx, &b); !errors.Is(err, context.Canceled) || len(b.Values) > 0 {
			report("%s: Read with a cancelled context = %v with %d values, want %v with none", s.Name(), err, len(b.Values), context.Canceled)
		}
		if err := r.Close(); err != nil {
			report("Close: %v", err)
		}
	}
}

func unread[T any](open func() connector.Source[T], _ []T, report report) {
	splits, err := open().Splits(context.Background())
	if err != nil {
		report("Splits: %v", err)
		return
	}
	for _, s := range splits {
		r, err := s.Open(context.Background())
		if err != nil {
			report("Open: %v", err)
			return
		}
		if err := r.Close(); err != nil {
			report("Close: %v", err)
		}
	}
}
