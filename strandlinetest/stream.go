package strandlinetest

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// Stream is a source that plays a script: what its methods record, in the order of the calls.
// It is bounded and has one split. The methods return the stream, so that a script reads from
// top to bottom; mistakes in it (a watermark that goes backwards) are reported by [Stream.Play],
// all at once.
//
// Building a script plays nothing. It can be played any number of times, one at a time. A
// Stream is not safe for concurrent use while it is recorded.
type Stream[T any] struct {
	*feed
	batches [][]T
	times   [][]int64
}

// feed is what a script knows of a stream, whatever its type.
type feed struct {
	name   string
	script *script
	w      int64 // the watermark at the end of what has been recorded

	// While the script is played:
	opened   bool
	scripted bool  // the pipeline takes the watermark from the script
	at       int64 // the watermark as it stands
	batch    int   // the batch that the next read gives; -1: none
}

var _ connector.Source[int] = (*Stream[int])(nil)

// NewStream gives a stream with an empty script. The name is that of a source: it appears in
// step ids and messages.
func NewStream[T any](name string) *Stream[T] { return newStream[T](&script{}, name) }

// Beside gives another stream that plays in the same script, for pipelines with several
// inputs: what is recorded on either happens in the order of the calls. Each has a watermark
// of its own, and all end when the script does.
func (s *Stream[T]) Beside[U any](name string) *Stream[U] { return newStream[U](s.script, name) }

func newStream[T any](sc *script, name string) *Stream[T] {
	f := &feed{name: name, script: sc, w: etime.Min}
	sc.feeds = append(sc.feeds, f)
	return &Stream[T]{feed: f}
}

// Read makes the stream the start of a pipeline, with the script's watermark. To have the
// watermark derived from the elements instead, give the stream to [strandline.Read] with a
// strategy and nil: it knows its elements' event times.
func (s *Stream[T]) Read(p *strandline.Pipeline) strandline.PCollection[T] {
	return strandline.Read(p, s, s.Watermark(), nil)
}

// Watermark is the strategy by which the watermark stands where the script says. It is before
// everything until the first [Stream.AdvanceWatermark].
func (s *Stream[T]) Watermark() watermark.Strategy { return scripted{s.feed} }

// Name is the name that was given.
func (f *feed) Name() string { return f.name }

// Bounded is true: the input ends with the script.
func (f *feed) Bounded() bool { return true }

// Timed is true: every element has an event time.
func (f *feed) Timed() bool { return true }

// Splits gives the one split. It is an error outside [Stream.Play].
func (s *Stream[T]) Splits(context.Context) ([]connector.Split[T], error) {
	switch {
	case s.script.playing.Load() == nil:
		return nil, fmt.Errorf("strandlinetest: %s: run the pipeline by Run or Play of the stream: a run of its own does not check what comes at the end", s.name)
	case s.opened:
		return nil, fmt.Errorf("strandlinetest: %s is read twice: read it once, and use the collection as often as needed", s.name)
	}
	s.opened = true
	return []connector.Split[T]{split[T]{s}}, nil
}

type split[T any] struct{ s *Stream[T] }

func (x split[T]) Name() string { return x.s.name }

func (x split[T]) Open(context.Context) (connector.Reader[T], error) { return x, nil }

// Read goes on with the script, up to and including the next action. The engine asks for the
// next batch only when it has handled the last one to the end, so that all it brought has come
// out by now.
func (x split[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	*b = connector.Batch[T]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	play := x.s.script.playing.Load()
	if play == nil {
		return io.EOF
	}
	acted, err := play.step(x.s.feed)
	if err != nil {
		return err
	}
	if !acted {
		runtime.Gosched() // to the stream whose turn it is
	}
	if i := x.s.batch; i >= 0 {
		x.s.batch = -1
		n := len(x.s.batches[i])
		b.Values, b.Times = x.s.batches[i][:n:n], x.s.times[i][:n:n]
	}
	return nil
}

func (x split[T]) Close() error { return nil }

// Element is a value with its event time. See [At].
type Element[T any] struct {
	Time  time.Time
	Value T
}

// At gives an element, for [Stream.AddBatch].
func At[T any](t time.Time, value T) Element[T] { return Element[T]{t, value} }
