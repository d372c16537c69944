package rowio

import (
	"context"
	"errors"
	"sync"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
)

// parquetAhead is a [connector.Reader] that decodes a batch in a goroutine of its own while whoever
// reads handles the one before. It gives what the reader within gives.
type parquetAhead struct {
	in *parquetReader // the goroutine's, once it runs

	stop     context.CancelFunc // nil until the goroutine runs
	group    sync.WaitGroup
	next     chan parquetBatch // has no room: what is taken lets go of the batch before it
	position string
	ended    error
}

// parquetBatch is what one Read gave.
type parquetBatch struct {
	rows     connector.Batch[record.Row]
	position string
	err      error
}

func (a *parquetAhead) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	*b = connector.Batch[record.Row]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	if a.ended != nil {
		return a.ended
	}
	if a.stop == nil {
		a.start()
	}
	select {
	case got := <-a.next:
		*b, a.position, a.ended = got.rows, got.position, got.err
		return got.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Lend is that of the reader within.
func (a *parquetAhead) Lend() bool { return a.in.Lend() }

func (a *parquetAhead) start() {
	ctx, stop := context.WithCancel(context.Background())
	a.stop, a.next = stop, make(chan parquetBatch)
	a.group.Go(func() {
		for {
			var got parquetBatch
			got.err = a.in.Read(ctx, &got.rows)
			got.position = a.in.Position()
			select {
			case a.next <- got:
			case <-ctx.Done():
				return
			}
			if got.err != nil {
				return
			}
		}
	})
}

// Position is where the last row that was given is.
func (a *parquetAhead) Position() string { return a.position }

// Close ends the goroutine.
func (a *parquetAhead) Close() error {
	if a.stop != nil {
		a.stop()
		a.group.Wait()
	}
	a.ended = errors.New("read after Close")
	return a.in.Close()
}
