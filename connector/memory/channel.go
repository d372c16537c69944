package memory

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/strandline-stream/strandline/connector"
)

// Channel reads what is sent on a channel, until it is closed. It is one split, unbounded,
// and caught up whenever nothing is waiting on the channel (S3.3). What was received cannot
// be received again, so a second run is refused.
func Channel[T any](name string, values <-chan T) connector.Source[T] {
	return &channel[T]{name: name, values: values}
}

type channel[T any] struct {
	name   string
	values <-chan T
	opened atomic.Bool
}

func (c *channel[T]) Name() string  { return c.name }
func (c *channel[T]) Bounded() bool { return false }

func (c *channel[T]) Splits(context.Context) ([]connector.Split[T], error) {
	return []connector.Split[T]{c}, nil
}

func (c *channel[T]) Open(context.Context) (connector.Reader[T], error) {
	if c.opened.Swap(true) {
		return nil, errors.New("memory: " + c.name + ": a channel can be read by one run only")
	}
	return &channelReader[T]{values: c.values, batch: make([]T, 0, connector.BatchSize)}, nil
}

type channelReader[T any] struct {
	values <-chan T
	batch  []T
	dry    bool // the last batch said that nothing was waiting
	ended  bool
}

func (r *channelReader[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	*b = connector.Batch[T]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(r.batch)
	r.batch = r.batch[:0]

	// Wait for a first value only if it is known that there is none.
	if r.dry && !r.ended {
		select {
		case v, ok := <-r.values:
			r.take(v, ok)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.dry = false
	for !r.ended && !r.dry && len(r.batch) < connector.BatchSize {
		select {
		case v, ok := <-r.values:
			r.take(v, ok)
		default:
			r.dry = true
		}
	}
	if r.ended && len(r.batch) == 0 {
		return io.EOF
	}
	b.Values = r.batch[:len(r.batch):len(r.batch)]
	b.CaughtUp = r.dry
	return nil
}

func (r *channelReader[T]) take(v T, ok bool) {
	if !ok {
		r.ended = true
		return
	}
	r.batch = append(r.batch, v)
}

// Close leaves the channel alone: it is its sender's to close.
func (r *channelReader[T]) Close() error {
	r.ended, r.batch = true, nil
	return nil
}
