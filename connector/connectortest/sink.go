package connectortest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
)

// ExerciseSink checks that a sink keeps its contract. Open gives a fresh and empty sink at
// each call, with a function that reads back what can be seen of it, in order. Values are
// written to it, in several batches; give it three or more.
func ExerciseSink[T any](t *testing.T, open func(t *testing.T) (sink connector.Sink, read func() []T), values []T) {
	for _, c := range sinkChecks[T]() {
		t.Run(c.name, func(t *testing.T) {
			before := goroutines()
			// Registered first it runs last, when what open started is gone too.
			t.Cleanup(func() { goroutinesGone(before, t.Errorf) })
			sink, read := open(t)
			c.run(sink, read, values, t.Errorf)
		})
	}
}

type sinkCheck[T any] struct {
	name string
	run  func(sink connector.Sink, read func() []T, values []T, report report)
}

func sinkChecks[T any]() []sinkCheck[T] {
	return []sinkCheck[T]{
		{"it has a short name", sinkName[T]},
		{"it writes rows in order", written[T]},
		{"Flush makes rows visible", flushed[T]},
		{"it keeps nothing of a batch", nothingKept[T]},
		{"it can be closed without a Flush", unflushed[T]},
		{"nothing written is nothing", empty[T]},
	}
}

func sinkName[T any](sink connector.Sink, _ func() []T, _ []T, report report) {
	if name := sink.Name(); name == "" || strings.Contains(name, "\n") {
		report("Name() = %q: step ids and messages need a short text", name)
	}
}

// with opens a sink, uses its writer and closes it.
func with(sink connector.Sink, report report, use func(ctx context.Context, w connector.Writer)) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w, err := sink.Open(ctx)
	if err != nil {
		report("Open: %v", err)
		return
	}
	use(ctx, w)
	if err := w.Close(); err != nil {
		report("Close: %v", err)
	}
}

func write[T any](ctx context.Context, w connector.Writer, values []T, report report) {
	if err := w.Write(ctx, NewRows(values)); err != nil {
		report("Write: %v", err)
	}
}

func flush(ctx context.Context, w connector.Writer, report report) {
	if err := w.Flush(ctx); err != nil {
		report("Flush: %v", err)
	}
}

func written[T any](sink connector.Sink, read func() []T, values []T, report report) {
	with(sink, report, func(ctx context.Context, w connector.Writer) {
		write(ctx, w, values[:len(values)/2], report)
		write(ctx, w, values[:0], report) // an empty batch is a batch
		write(ctx, w, values[len(values)/2:], report)
		flush(ctx, w, report)
	})
	same(read(), values, report)
}

func flushed[T any](sink connector.Sink, read func() []T, values []T, report report) {
	with(sink, report, func(ctx context.Context, w connector.Writer) {
		for i := range values {
			write(ctx, w, values[i:i+1], report)
			flush(ctx, w, report)
			flush(ctx, w, report) // a second one has nothing to do
			same(read(), values[:i+1], report)
		}
	})
}

func nothingKept[T any](sink connector.Sink, read func() []T, values []T, report report) {
	with(sink, report, func(ctx context.Context, w connector.Writer) {
		for batch := range slices.Chunk(values, 2) {
			batch = slices.Clone(batch)
			write(ctx, w, batch, report)
			clear(batch) // as the engine does when it uses the batch again
		}
		flush(ctx, w, report)
	})
	same(read(), values, report)
}

func unflushed[T any](sink connector.Sink, read func() []T, values []T, report report) {
	with(sink, report, func(ctx context.Context, w connector.Writer) { write(ctx, w, values, report) })
	got := read()
	if len(got) > len(values) {
		report("%d rows can be seen of %d", len(got), len(values))
		return
	}
	same(got, values[:len(got)], report)
}

func empty[T any](sink connector.Sink, read func() []T, _ []T, report report) {
	with(sink, report, func(ctx context.Context, w connector.Writer) { flush(ctx, w, report) })
	if got := read(); len(got) > 0 {
		report("there are %d rows, and none was written", len(got))
	}
}
