package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// Source reads a connector's source. Output 0 are the records, 1 the malformed ones.
type Source[T any] struct {
	From     connector.Source[T]
	Strategy watermark.Strategy
	Batch    bool
	// At gives a record's event time in µs; nil if the source itself knows, or nobody does.
	At func(vs []T, at []int64)
	// Missing is the instant by which At says that a record has no event time: such a record
	// is malformed (S2.5).
	Strict bool
	// MaxMalformed stops the run when more records than that are malformed; negative: never.
	MaxMalformed int64

	splits    []connector.Split[T]
	malformed int64
	mu        sync.Mutex
}

// NoEventTime is the event time of a record that has none.
const NoEventTime = etime.Min

func (s *Source[T]) prepare(ctx context.Context) (err error) {
	s.malformed = 0
	s.splits, err = s.From.Splits(ctx)
	return err
}

// Make gives each worker every n-th split.
func (s *Source[T]) Make(p *Place) Ports {
	o := &sourceOp[T]{op: newOp(p), src: s, arrivalOf: arrivalOf[T](s.Strategy), markOf: markOf[T](s.Strategy)}
	p.build.ops = append(p.build.ops, o)
	var origins []int
	for i, split := range s.splits {
		origin := p.newOrigin(i)
		if i%p.Workers != p.Worker {
			continue
		}
		origins = append(origins, origin)
		r := &reading[T]{o: o, split: split, origin: origin}
		if s.Batch || p.build.opts.Batch {
			r.gen = watermark.EndOfInput().Start()
		} else {
			r.gen, r.needs = s.Strategy.Start(), s.Strategy.Needs()
			r.idle, r.advances = etime.Span(watermark.IdleTimeout(s.Strategy)), watermark.IdleAdvances(s.Strategy)
		}
		r.live = !s.From.Bounded()
		p.build.live = p.build.live || r.live
		p.task.sources = append(p.task.sources, r)
	}
	return Ports{Out: []any{&o.out, &o.bad}, Origins: [][]int{origins, origins}}
}

func arrivalOf[T any](s watermark.Strategy) func(*T) int64 {
	if a, ok := s.(interface{ ArrivalOf(*T) int64 }); ok {
		return a.ArrivalOf
	}
	return nil
}

func markOf[T any](s watermark.Strategy) func(*T) int64 {
	if m, ok := s.(interface{ Mark(*T) int64 }); ok {
		return m.Mark
	}
	return nil
}

type sourceOp[T any] struct {
	op
	src       *Source[T]
	out       Out[Batch[T]]
	bad       Out[Batch[connector.Malformed]]
	arrivalOf func(*T) int64
	markOf    func(*T) int64
	samples   []connector.Malformed
}

// splitReader is one split on its way through a task, whatever its type.
type splitReader interface {
	fetch(ctx context.Context) error    // read the next batch
	process(now int64, live bool) error // hand it to the operators
	finish(drained bool)                // the split has ended
	close() error
	idleAfter() int64
	setIdle()
	active() bool   // neither idle nor ended
	caughtUp() bool // it had nothing more at hand
	tick(now int64)
	follows() bool // idle, and its watermark follows the clock
	isLive() bool
}

// reading is the state of one split.
type reading[T any] struct {
	o        *sourceOp[T]
	split    connector.Split[T]
	origin   int
	gen      watermark.Generator
	needs    watermark.Needs
	idle     int64 // µs without data after which it is idle; 0: never
	advances bool  // idle, its watermark follows the clock
	live     bool

	reader   connector.Reader[T]
	in       connector.Batch[T]
	b        Batch[T]
	at       []int64
	w        []int64
	arrival  []int64
	mark     []int64
	kept     []T
	bad      Batch[connector.Malformed]
	caught   bool // the split had nothing more at hand; a copy, since the next read may be under way
	isIdle   bool
	finished bool
}

// fetch reads the next batch. A split is opened when it is first read, so that a thousand files
// are not open at a time.
func (r *reading[T]) fetch(ctx context.Context) error {
	return r.o.calling(func() (err error) {
		if r.reader == nil {
			if r.reader, err = r.split.Open(ctx); err != nil {
				return err
			}
		}
		return r.reader.Read(ctx, &r.in)
	})
}

func (r *reading[T]) idleAfter() int64 { return r.idle }
func (r *reading[T]) active() bool     { return !r.isIdle && !r.finished }
func (r *reading[T]) caughtUp() bool   { return r.caught }
func (r *reading[T]) follows() bool    { return r.isIdle && r.advances && !r.finished }
func (r *reading[T]) isLive() bool     { return r.live }

func (r *reading[T]) close() error {
	if r.reader == nil {
		return nil
	}
	err := r.reader.Close()
	r.reader = nil
	return err
}

// process stamps the batch at hand with event times and watermarks, and hands it on.
func (r *reading[T]) process(now int64, live bool) error {
	o := r.o
	defer o.caught(func(i int) any { return r.in.Values[i] })
	r.isIdle, r.caught = r.isIdle && len(r.in.Values) == 0, r.in.CaughtUp
	vs := r.in.Values
	n := len(vs)
	o.at = 0
	o.n.In += int64(n) + int64(len(r.in.Malformed))
	if cap(r.at) < n {
		r.at, r.w = make([]int64, n), make([]int64, n)
		r.arrival, r.mark = make([]int64, n), make([]int64, n)
	}
	at := r.at[:n]
	switch {
	case o.src.At != nil:
		r.times(vs, at)
		vs, at = r.timeless(vs, at)
		n = len(vs)
	case r.in.Times != nil:
		at = r.in.Times
	default:
		for i := range at {
			at[i] = etime.Min
		}
	}
	o.n.Kept += int64(n)
	cols := watermark.Columns{At: at, Now: etime.Min}
	if live {
		cols.Now, cols.Live = now, true
	}
	if r.needs.Arrival {
		cols.Arrival = r.arrival[:n]
		for i := range vs {
			o.at = i
			if o.arrivalOf != nil {
				cols.Arrival[i] = o.arrivalOf(&vs[i])
			} else {
				cols.Arrival[i] = now
			}
		}
	}
	if r.needs.Mark && o.markOf != nil {
		cols.Mark = r.mark[:n]
		for i := range vs {
			o.at = i
			cols.Mark[i] = o.markOf(&vs[i])
		}
	}
	w := r.w[:n]
	future := r.gen.Future()
	after, err := r.gen.Observe(cols, w)
	o.n.Future += r.gen.Future() - future
	if err != nil {
		return err
	}
	if err := r.reject(after); err != nil {
		return err
	}
	r.b = Batch[T]{V: vs, Cols: Cols{At: at, W: w, Origin: r.origin, Close: after, Idle: r.isIdle && !r.advances}}
	o.out.Give(&r.b)
	return nil
}

// times calls the user's function for event times.
func (r *reading[T]) times(vs []T, at []int64) {
	done := false
	defer func() {
		if !done {
			r.o.at = panicsAt(r.o.src.At, vs, at)
		}
	}()
	r.o.src.At(vs, at)
	done = true
}

// panicsAt finds the first value for which f panics, given that it does for one of them.
func panicsAt[T any](f func([]T, []int64), vs []T, at []int64) (first int) {
	for first = range vs {
		if func() (panicked bool) {
			defer func() { panicked = recover() != nil }()
			f(vs[first:first+1], at[first:first+1])
			return false
		}() {
			break
		}
	}
	return first
}

// timeless takes out the records that have no event time: they are malformed.
func (r *reading[T]) timeless(vs []T, at []int64) ([]T, []int64) {
	first := -1
	for i, t := range at {
		if t == NoEventTime {
			first = i
			break
		}
	}
	if first < 0 {
		return vs, at
	}
	r.kept = append(r.kept[:0], vs[:first]...)
	k := first
	for i := first; i < len(vs); i++ {
		if at[i] == NoEventTime {
			r.in.Malformed = append(r.in.Malformed, connector.Malformed{
				Raw: fmt.Appendf(nil, "%+v", vs[i]), Position: r.split.Name(), Reason: ErrNoEventTime,
			})
			continue
		}
		r.kept = append(r.kept, vs[i])
		at[k] = at[i]
		k++
	}
	return r.kept, at[:k]
}

// ErrNoEventTime says that a record, or a whole collection, has no event time.
var ErrNoEventTime = errors.New("no event time")

// reject books the malformed records of the batch at hand and sends them to their output.
func (r *reading[T]) reject(w int64) error {
	o, m := r.o, r.in.Malformed
	o.n.Malformed += int64(len(m))
	if o.bad.Used() {
		r.bad.V = m
		r.bad.At, r.bad.W = r.bad.At[:0], r.bad.W[:0]
		for range m {
			r.bad.At, r.bad.W = append(r.bad.At, w), append(r.bad.W, w)
		}
		r.bad.Origin, r.bad.Close = r.origin, w
		o.bad.Give(&r.bad)
	}
	if len(m) == 0 {
		return nil
	}
	for _, x := range m {
		if len(o.samples) < sampleSize {
			x.Raw = append([]byte(nil), x.Raw[:min(len(x.Raw), 200)]...)
			o.samples = append(o.samples, x)
		}
	}
	o.src.mu.Lock()
	defer o.src.mu.Unlock()
	o.src.malformed += int64(len(m))
	if limit := o.src.MaxMalformed; limit >= 0 && o.src.malformed > limit {
		return fmt.Errorf("step %q: %w: %d records are malformed and at most %d may be; the last: %v", o.step, ErrTooManyMalformed, o.src.malformed, limit, m[len(m)-1])
	}
	return nil
}

// ErrTooManyMalformed says that the threshold of malformed records was passed (S13.2).
var ErrTooManyMalformed = errors.New("too many malformed records")

// punctuate hands on a watermark without records.
func (r *reading[T]) punctuate(w int64, idle, drained bool) {
	r.b = Batch[T]{Cols: Cols{Origin: r.origin, Close: w, Idle: idle, Drained: drained}}
	r.o.out.Give(&r.b)
	if r.o.bad.Used() {
		r.bad = Batch[connector.Malformed]{Cols: Cols{Origin: r.origin, Close: w, Idle: idle, Drained: drained}}
		r.o.bad.Give(&r.bad)
	}
}

func (r *reading[T]) finish(drained bool) {
	if !r.finished {
		r.finished = true
		r.punctuate(etime.Max, false, drained)
	}
}

func (r *reading[T]) setIdle() {
	r.isIdle = true
	r.punctuate(r.gen.W(), !r.advances, false)
}

// tick lets the watermark of an idle split follow the clock, if that was asked for (S3.3).
func (r *reading[T]) tick(now int64) {
	if !r.isIdle || !r.advances {
		return
	}
	if before := r.gen.W(); r.gen.Tick(now) > before {
		r.punctuate(r.gen.W(), false, false)
	}
}

func (o *sourceOp[T]) report(r *StepReport) {
	r.Malformed = append(r.Malformed, o.samples...)
	r.MalformedUsed = o.bad.Used()
}

// bulk is how many batches of a bounded source a task handles before it lets go of what has
// gathered for other workers.
const bulk = 4

// read drives a task that reads sources.
func (t *task) read(ctx context.Context, b *builder) {
	for _, s := range t.sources {
		defer s.close()
	}
	if t.isLive(b) {
		t.readLive(ctx, b)
	} else {
		t.readBounded(ctx, b)
	}
	t.end()
}

func (t *task) isLive(b *builder) bool {
	if b.timed {
		return true
	}
	for _, s := range t.sources {
		if s.isLive() || s.idleAfter() > 0 {
			return true
		}
	}
	return false
}

// readBounded reads the splits in turn, a batch each: nothing waits for a clock.
func (t *task) readBounded(ctx context.Context, b *builder) {
	open := append([]splitReader(nil), t.sources...)
	for n := 1; len(open) > 0; n++ {
		for i := 0; i < len(open); i++ {
			select {
			case <-ctx.Done():
				panic(stopped{context.Cause(ctx)})
			case <-b.opts.Drain:
				for _, s := range open {
					s.finish(true)
				}
				return
			default:
			}
			err := open[i].fetch(ctx)
			if err == nil {
				err = open[i].process(b.opts.Clock.Now(), false)
			}
			switch {
			case err == nil:
			case errors.Is(err, io.EOF):
				open[i].finish(false)
				open = append(open[:i], open[i+1:]...)
				i--
			default:
				panic(stopped{err})
			}
		}
		if n%bulk == 0 {
			t.flush()
		}
	}
}

// arrived is what a split's goroutine has read.
type arrived struct {
	s   int
	err error
}

// readLive gives every split a goroutine that reads ahead by one batch, so that the task can
// wait for data, the clock and the context at the same time.
func (t *task) readLive(ctx context.Context, b *builder) {
	reading, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	ch := make(chan arrived)
	again := make([]chan struct{}, len(t.sources))
	for i, s := range t.sources {
		again[i] = make(chan struct{}, 1)
		again[i] <- struct{}{}
		group.Go(func() {
			for {
				select {
				case <-again[i]:
				case <-reading.Done():
					return
				}
				err := s.fetch(reading)
				select {
				case ch <- arrived{i, err}:
				case <-reading.Done():
					return
				}
				if err != nil {
					return
				}
			}
		})
	}
	clock := b.opts.Clock
	// How long the task has waited since it had something of a split. The time that it was kept
	// busy, or waiting for a slow sink, is not silence: data may have been at hand (S3.3).
	quiet := make([]int64, len(t.sources))
	for left := len(t.sources); left > 0; {
		now := clock.Now()
		t.tick(now)
		wake := t.next
		for i, s := range t.sources {
			s.tick(now)
			if s.follows() {
				wake = min(wake, now+s.idleAfter())
			}
			switch left := s.idleAfter() - quiet[i]; {
			case !s.active():
			case s.idleAfter() == 0: // no timeout was declared: the source's word counts
				if s.caughtUp() {
					s.setIdle()
				}
			case left > 0:
				wake = min(wake, now+left)
			default:
				s.setIdle()
			}
		}
		t.flush()
		var alarm <-chan time.Time
		release := func() {}
		if wake != etime.Max {
			alarm, release = clock.After(wake)
		}
		from := clock.Now()
		waited := func() {
			d := max(0, clock.Now()-from)
			for i := range quiet {
				quiet[i] += d
			}
		}
		select {
		case a := <-ch:
			waited()
			quiet[a.s] = 0
			s := t.sources[a.s]
			switch {
			case a.err == nil:
				t.tick(clock.Now()) // what was due before this batch fires before it
				if err := s.process(clock.Now(), s.isLive()); err != nil {
					panic(stopped{err})
				}
				again[a.s] <- struct{}{}
			case errors.Is(a.err, io.EOF):
				s.finish(false)
				left--
			default:
				panic(stopped{a.err})
			}
		case <-alarm:
			waited()
		case <-b.opts.Drain:
			for _, s := range t.sources {
				s.finish(true)
			}
			left = 0
		case <-ctx.Done():
			release()
			panic(stopped{context.Cause(ctx)})
		}
		release()
	}
}
