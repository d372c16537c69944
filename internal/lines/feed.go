package lines

import (
	"context"
	"io"
	"time"
)

// direct is the feed of an input that never waits for long, such as a file on disk.
type direct struct{ in io.ReadCloser }

func (d direct) read(ctx context.Context, p []byte, _ time.Duration) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	for range 100 {
		if n, err := d.in.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

func (d direct) close() error { return d.in.Close() }

// pump is the feed of an input that may have to wait for its writer. Its goroutine reads
// ahead by two chunks at most, so that waiting can be given up.
type pump struct {
	in   io.ReadCloser
	full chan []byte // closed after the last, when err is set
	free chan []byte
	stop chan struct{}
	done chan struct{}
	err  error

	chunk, rest []byte // the chunk being given out, and what is left of it
}

const chunkSize = 64 << 10

// grace is how long close waits for a Read that neither ends nor can be interrupted.
const grace = time.Second

func newPump(in io.ReadCloser) *pump {
	p := &pump{
		in:   in,
		full: make(chan []byte, 2),
		free: make(chan []byte, 2),
		stop: make(chan struct{}),
		done: make(chan struct{}),
	}
	for range cap(p.free) {
		p.free <- make([]byte, chunkSize)
	}
	go p.run()
	return p
}

func (p *pump) run() {
	defer close(p.done)
	in := direct{p.in}
	for {
		var chunk []byte
		select {
		case chunk = <-p.free:
		case <-p.stop:
			return
		}
		n, err := in.read(context.Background(), chunk[:chunkSize], 0)
		if n > 0 {
			p.full <- chunk[:n] // there is room: chunks and places are as many
		}
		if err != nil {
			p.err = err
			close(p.full)
			return
		}
	}
}

func (p *pump) read(ctx context.Context, b []byte, patience time.Duration) (int, error) {
	if len(p.rest) == 0 {
		if p.chunk != nil {
			p.free <- p.chunk
			p.chunk = nil
		}
		chunk, err := p.wait(ctx, patience)
		if err != nil {
			return 0, err
		}
		p.chunk, p.rest = chunk, chunk
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *pump) wait(ctx context.Context, patience time.Duration) ([]byte, error) {
	var enough <-chan time.Time
	switch {
	case patience == 0:
		select {
		case chunk, ok := <-p.full:
			return p.given(chunk, ok)
		default:
			return nil, errDry
		}
	case patience > 0:
		timer := time.NewTimer(patience)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case chunk, ok := <-p.full:
		return p.given(chunk, ok)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-enough:
		return nil, errDry
	}
}

func (p *pump) given(chunk []byte, ok bool) ([]byte, error) {
	if !ok {
		return nil, p.err
	}
	return chunk, nil
}

// close ends the goroutine. Closing the input interrupts a Read that waits; what cannot be
// interrupted is left behind after a while, and ends with its Read.
func (p *pump) close() error {
	close(p.stop)
	err := p.in.Close()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	}
	return err
}
