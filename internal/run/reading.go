package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// reading is the state of one split.
type reading[T any] struct {
	o        *sourceOp[T]
	split    connector.Split[T]
	number   int // of the split in its source
	origin   int
	gen      watermark.Generator
	needs    watermark.Needs
	idle     int64 // µs without data after which it is idle; 0: never
	advances bool  // idle, its watermark follows the clock
	live     bool
	lent     bool // the reader lends its values

	reader   connector.Reader[T]
	in       connector.Batch[T]
	b        Batch[T]
	at       []int64
	w        []int64
	arrival  []int64
	mark     []int64
	kept     []T
	places   []int64
	bad      Batch[connector.Malformed]
	caught   bool // the split had nothing more at hand; a copy, since the next read may be under way
	isIdle   bool
	stands   int64 // the watermark behind the last batch
	finished bool
	sifting[T]
	clock int64 // where the clock has moved the watermark; etime.Min: nowhere
	high  int64 // the greatest event time read
	sight splitSight

	delays   core.Delays
	position string // where the reader stood when it was closed
}

// fetch reads the next batch. A split is opened when it is first read, so that a thousand files
// are not open at a time.
func (r *reading[T]) fetch(ctx context.Context) error {
	return r.o.calling(func() (err error) {
		if r.reader == nil {
			if r.reader, err = r.split.Open(ctx); err != nil {
				return err
			}
			r.borrow()
		}
		return r.reader.Read(ctx, &r.in)
	})
}

// borrow asks the reader to lend its values if nobody keeps them.
func (r *reading[T]) borrow() {
	l, ok := r.reader.(lender)
	r.lent = ok && r.sifter == nil && r.o.out.borrows() && l.Lend()
}

func (r *reading[T]) idleAfter() int64 { return r.idle }
func (r *reading[T]) active() bool     { return !r.isIdle && !r.finished }
func (r *reading[T]) caughtUp() bool   { return r.caught }
func (r *reading[T]) follows() bool    { return r.isIdle && r.advances && !r.finished }

// ahead says whether the split has to wait for slower ones, and until when.
func (r *reading[T]) ahead() (bool, <-chan struct{}) { return r.o.src.align.ahead(r.number) }

func (r *reading[T]) from() int { return r.origin }

func (r *reading[T]) isLive() bool { return r.live }

func (r *reading[T]) watermark() int64 { return r.stands }

func (r *reading[T]) close() error {
	if r.reader == nil {
		return nil
	}
	if p, ok := r.reader.(connector.Positioner); ok {
		r.position = p.Position()
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
	at, places := r.at[:n], r.in.Places
	switch {
	case o.src.At != nil:
		times(&o.op, o.src.At, vs, at)
		vs, at, places = r.timeless(vs, at, places)
		n = len(vs)
	case r.in.Times != nil:
		at = r.in.Times
	default:
		for i := range at {
			at[i] = etime.Min
		}
	}
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
	r.stands = after
	r.saw(at, w, now)
	if r.sifter != nil {
		vs, at, w, places = r.sift(cols, vs, at, w, places)
	}
	o.n.Kept += int64(len(vs))
	r.b = Batch[T]{V: vs, Cols: Cols{At: at, W: w, Origin: r.origin, Close: after, Idle: r.isIdle && !r.advances, Clock: after <= r.clock && after != etime.Min, Lent: r.lent}}
	if places != nil && (r.o.carryAll || r.b.ahead() < len(vs)) { // others are late for nothing
		r.b.Places, r.b.Place = places, r.in.Place
	}
	o.out.Give(&r.b)
	r.giveAside(after, r.isIdle && !r.advances, false)
	o.src.align.set(r.number, after, r.isIdle)
	r.publish(after)
	return nil
}

// times calls a user's function for event times. If it panics, o knows for which value.
func times[T any](o *op, f func([]T, []int64), vs []T, at []int64) {
	done := false
	defer func() {
		if !done {
			o.at = panicsAt(f, vs, at)
		}
	}()
	f(vs, at)
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
func (r *reading[T]) timeless(vs []T, at, places []int64) ([]T, []int64, []int64) {
	first := slices.Index(at, NoEventTime)
	if first < 0 {
		return vs, at, places
	}
	r.kept = append(r.kept[:0], vs[:first]...)
	if places != nil {
		r.places = append(r.places[:0], places...)
		places = r.places
	}
	k := first
	for i := first; i < len(vs); i++ {
		if at[i] == NoEventTime {
			r.in.Malformed = append(r.in.Malformed, connector.Malformed{
				Raw: fmt.Appendf(nil, "%+v", vs[i]), Position: cmp.Or(position(r.in.Place, places, i), r.split.Name()), Reason: ErrNoEventTime,
			})
			continue
		}
		r.kept = append(r.kept, vs[i])
		at[k] = at[i]
		if places != nil {
			places[k] = places[i]
		}
		k++
	}
	return r.kept, at[:k], places[:min(k, len(places))]
}

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
		r.bad.Origin, r.bad.Close, r.bad.Idle, r.bad.Drained = r.origin, w, r.isIdle && !r.advances, false
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
		return fmt.Errorf("step %q: %w: %d records are malformed and at most %d may be; the last: %s: %w", o.step, ErrTooManyMalformed, o.src.malformed, limit, m[len(m)-1].Position, m[len(m)-1].Reason)
	}
	return nil
}

// punctuate hands on a watermark without records.
func (r *reading[T]) punctuate(w int64, idle, drained bool) {
	byClock := w <= r.clock && w != etime.Min
	r.b = Batch[T]{Cols: Cols{Origin: r.origin, Close: w, Idle: idle, Drained: drained, Clock: byClock}}
	r.o.out.Give(&r.b)
	r.giveAside(w, idle, drained)
	r.o.src.align.set(r.number, w, idle)
	r.publish(w)
	if r.o.bad.Used() {
		r.bad = Batch[connector.Malformed]{Cols: Cols{Origin: r.origin, Close: w, Idle: idle, Drained: drained, Clock: byClock}}
		r.o.bad.Give(&r.bad)
	}
}

func (r *reading[T]) finish(drained bool) {
	if !r.finished {
		r.finished = true
		r.release()
		r.punctuate(etime.Max, false, drained)
	}
}

func (r *reading[T]) setIdle() {
	r.isIdle = true
	r.release()
	r.punctuate(r.gen.W(), !r.advances, false)
}

// tick lets the watermark of an idle split follow the clock, if that was asked for (S3.3).
func (r *reading[T]) tick(now int64) {
	if !r.isIdle || !r.advances {
		return
	}
	if before := r.gen.W(); r.gen.Tick(now) > before {
		r.clock = r.gen.W()
		r.punctuate(r.clock, false, false)
	}
}
