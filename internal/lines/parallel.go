package lines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/strandline-stream/strandline/connector"
)

// blockBytes is how much text is decoded at a time: about a batch of records of 200 bytes.
const blockBytes = 256 << 10

// parallel is a [connector.Reader] with goroutines of its own: one reads and cuts, the others
// decode; Read gives out what they made in the order of the input, so that it gives what
// records gives. The start of a split is read by records itself, until the decoder has judged
// it. Memory is two blocks for each goroutine that decodes, and four more: with fewer they wait for
// each other.
type parallel[T any] struct {
	first *records[T]
	split *Split[T]

	stop  context.CancelFunc // nil until the goroutines run
	group sync.WaitGroup
	free  chan *block[T]
	work  chan *block[T]
	order chan delivery[T] // closed after the last

	at      *block[T] // being given out, or waited for
	decoded bool      // it need not be waited for
	values  int       // of it that were given out
	bad     int
	ended   error
}

// delivery is a block, or the error that came instead of one.
type delivery[T any] struct {
	block *block[T]
	err   error
}

func (p *parallel[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	if p.stop == nil {
		if !p.first.settled || p.first.ended != nil {
			return p.first.Read(ctx, b)
		}
		p.start()
	}
	*b = connector.Batch[T]{}
	for p.ended == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.at == nil {
			dry, err := p.wait(ctx)
			if err != nil {
				return err
			}
			if dry && !p.first.dry { // lines that are no records are no news
				b.CaughtUp, p.first.dry = true, true
				return nil
			}
			continue
		}
		if !p.decoded {
			select {
			case <-p.at.done:
				p.decoded = true
			case <-ctx.Done():
				return ctx.Err()
			}
			if x := p.at.panicked; x != nil {
				panic(x)
			}
		}
		if p.give(b); len(b.Values)+len(b.Malformed) > 0 {
			p.first.dry = false
			return nil
		}
		p.first.lines.before += p.at.lines
		p.free <- p.at
		p.at = nil
	}
	return p.ended
}

// Lend is that of records.
func (p *parallel[T]) Lend() bool { return p.first.Lend() }

// start starts the goroutines. What was cut and not yet read is the first block, or what was
// read and not yet cut the beginning of it.
func (p *parallel[T]) start() {
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	n := p.split.Parallel
	blocks := 2*n + 4
	p.free = make(chan *block[T], blocks)
	p.work = make(chan *block[T], blocks)
	p.order = make(chan delivery[T], 2*blocks+2) // each block may have word of a dry input before it
	for i := range blocks {
		b := &block[T]{decoder: p.split.Decoder(), timed: p.split.Timed, done: make(chan struct{}, 1)}
		if p.first.back != nil {
			b.back = lend(b.decoder)
		}
		if i > 0 {
			p.free <- b
			continue
		}
		p.first.lines.turn()
		rest := &p.first.lines.piece
		b.piece, b.first = *rest, false
		*rest = piece{}
		if b.pos == len(b.text) {
			p.free <- b // the first to be taken: if it was being filled, that goes on
			continue
		}
		p.work <- b
		p.order <- delivery[T]{block: b}
	}
	p.first.lines.cut.target = cmp.Or(p.split.Block, blockBytes)
	dry := p.first.dry
	p.group.Go(func() { p.cut(ctx, dry) })
	for range n {
		p.group.Go(func() {
			for b := range p.work {
				if ctx.Err() == nil {
					b.decode(p.split.Max)
					b.done <- struct{}{}
				}
			}
		})
	}
}

// cut makes blocks as long as there are free ones.
func (p *parallel[T]) cut(ctx context.Context, dry bool) {
	defer close(p.work)
	defer close(p.order)
	for {
		var b *block[T]
		select {
		case b = <-p.free:
			b.reset()
		case <-ctx.Done():
			return
		}
		err := errDry
		for err == errDry {
			patience := settle
			if dry {
				patience = forever
			}
			if err = p.first.lines.cut.next(ctx, patience, &b.piece); err == errDry {
				dry = true
				p.order <- delivery[T]{err: errDry}
			}
		}
		if err != nil {
			p.order <- delivery[T]{err: err}
			return
		}
		dry = false
		p.work <- b
		p.order <- delivery[T]{block: b}
	}
}

// wait takes the next block. It gives dry if there is news that the input has run dry, and
// nothing came since.
func (p *parallel[T]) wait(ctx context.Context) (dry bool, err error) {
	select {
	case d, ok := <-p.order:
		switch {
		case !ok:
			p.ended = errors.New("read after Close")
		case d.err == errDry:
			return len(p.order) == 0, nil
		case d.err != nil:
			p.ended = p.first.lines.at(d.err)
		default:
			p.at, p.decoded, p.values, p.bad = d.block, false, 0, 0
			p.first.lines.begin(&d.block.piece)
		}
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// give puts the next records of the block at hand in a batch, or none if there are no more.
func (p *parallel[T]) give(b *connector.Batch[T]) {
	from, to := p.values, min(p.values+connector.BatchSize, len(p.at.values))
	p.values = to
	b.Values = p.at.values[from:to:to]
	if p.at.timed {
		b.Times = p.at.times[from:to:to]
	}
	b.Places, b.Place = p.at.places[from:to:to], p.first.lines.place
	for i := range b.Places {
		b.Places[i] += p.first.lines.before + 1
	}
	for ; p.bad < len(p.at.malformed) && len(b.Malformed) < connector.BatchSize; p.bad++ {
		m := &p.at.malformed[p.bad]
		if m.before > to {
			break
		}
		m.Position = fmt.Sprintf("%s:%d", p.first.lines.name, p.first.lines.before+m.line+1)
		b.Malformed = append(b.Malformed, m.Malformed)
	}
}

// Position is where the last record was: of a block that is being given out, the line before it.
func (p *parallel[T]) Position() string {
	if p.stop == nil || p.first.lines.before == 0 {
		return p.first.Position()
	}
	return fmt.Sprintf("%s:%d", p.first.lines.name, p.first.lines.before)
}

// Close ends the goroutines.
func (p *parallel[T]) Close() error {
	if p.stop != nil {
		p.stop()
		p.group.Wait()
		p.ended = errors.New("read after Close")
	}
	return p.first.Close()
}
