package yaml

import (
	"context"
	"io"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
)

// Moment is how far a traced trial had come when it gave something. Times are microseconds since
// 1970, etime.Min where nothing is known.
type Moment struct {
	// Read is how many records of all sources had been read: the last of them has caused it, unless
	// Ended says that it was the end of a split.
	Read  int
	Ended bool
	// Arrival is the latest arrival of the records read, Before the latest of those before the last of
	// them, and High the greatest event time.
	Arrival, Before, High int64
}

// Late is a record that missed a window in a traced trial, or a result of a step before.
type Late struct {
	Step string
	When Moment
	Row  Row // {element, msg, event_time, watermark, missed}
}

// Turn is a record in the order in which a traced trial reads all sources: an index into Sources,
// and one into its Records.
type Turn struct{ Source, Record int32 }

// Turns gives that order: by arrival where it is known, else by event time, without changing the
// order of a split.
func (r *Recording) Turns() []Turn {
	r.once.Do(func() {
		at := make([]int, len(r.Sources))
		due := make([]int64, len(r.Sources))
		n := r.count()
		r.turns = make([]Turn, 0, n)
		for len(r.turns) < n {
			next := -1
			for i, s := range r.Sources {
				if at[i] == len(s.Records) {
					continue
				}
				x := &s.Records[at[i]]
				t := x.Arrival
				if t == etime.Min {
					t = x.Time
				}
				due[i] = max(due[i], t)
				if at[i] == 0 {
					due[i] = t
				}
				if next < 0 || due[i] < due[next] {
					next = i
				}
			}
			r.turns = append(r.turns, Turn{int32(next), int32(at[next])})
			at[next]++
		}
	})
	return r.turns
}

func (r *Recording) count() (n int) {
	for _, s := range r.Sources {
		n += len(s.Records)
	}
	return n
}

// bySplit gives the records of each split, which all trials share that read them so.
func (r *Recorded) bySplit() (rows [][]record.Row, times [][]int64) {
	r.once.Do(func() {
		n := max(len(r.Splits), 1)
		r.rows, r.times = make([][]record.Row, n), make([][]int64, n)
		size := make([]int, n)
		for i := range r.Records {
			size[r.Records[i].Split]++
		}
		for i, n := range size {
			r.rows[i], r.times[i] = make([]record.Row, 0, n), make([]int64, 0, n)
		}
		for i := range r.Records {
			x := &r.Records[i]
			r.rows[x.Split], r.times[x.Split] = append(r.rows[x.Split], x.Row), append(r.times[x.Split], x.Time)
		}
	})
	return r.rows, r.times
}

// trace is a trial that is followed record by record.
type trace struct {
	r     *Recording
	now   Moment
	next  int   // of the turns
	lose  int64 // the arrival at which what is carried is lost; etime.Max: never
	due   bool  // that has come, and the record is being handled
	epoch int64 // how often it was lost

	cut   *cutter // nil if all records are read alone
	ahead bool    // the next record has been taken in by cut, and is read alone
}

func newTrace(r *Recording, lose time.Time, cut *cutter) *trace {
	t := &trace{r: r, cut: cut, lose: etime.Max, now: Moment{Arrival: etime.Min, Before: etime.Min, High: etime.Min}}
	if !lose.IsZero() {
		t.lose = etime.Micros(lose)
	}
	return t
}

// read gives the next record if it is the split's turn, and nothing if it is not.
func (t *trace) read(ctx context.Context, r *dealing, b *connector.Batch[record.Row]) error {
	*b = connector.Batch[record.Row]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.due {
		t.due, t.lose = false, etime.Max
		t.epoch++
	}
	h := r.hand
	if b.Malformed = r.malformed; len(b.Malformed) > 0 {
		r.malformed = nil
		return nil
	}
	if r.next == len(h.rows) {
		t.now.Ended = true
		return io.EOF
	}
	turns := t.r.Turns()
	turn := turns[t.next]
	from := t.r.Sources[turn.Source]
	x := &from.Records[turn.Record]
	if from.step.id != h.dealt.name || int(x.Split) != h.number {
		return nil
	}
	end := r.next + t.many(from, r.next)
	b.Values = h.rows[r.next:end:end]
	if h.timed {
		b.Times = h.times[r.next:end:end]
	}
	for i := r.next; i < end; i++ {
		t.take(&from.Records[turns[t.next].Record])
	}
	r.next = end
	t.due = x.Arrival >= t.lose && x.Arrival != etime.Min
	return nil
}

// take notes that a record is read.
func (t *trace) take(x *Record) {
	t.next++
	t.now.Read++
	t.now.Ended = false
	t.now.Before, t.now.Arrival, t.now.High = t.now.Arrival, max(t.now.Arrival, x.Arrival), max(t.now.High, x.Time)
}

// many is how many records are read at a time, from the i-th on.
func (t *trace) many(from *Recorded, i int) int {
	switch {
	case t.cut == nil:
		return 1
	case t.ahead:
		t.ahead = false
		return 1
	}
	n := 0
	for ; i+n < len(from.Records) && n < connector.BatchSize; n++ {
		alone := t.cut.alone(&from.Records[i+n])
		if !alone {
			continue
		}
		if n == 0 {
			return 1
		}
		t.ahead = true
		break
	}
	return n
}

// epoch tells steps that carry values from one window to the next how often these were lost.
func (b *builder) epoch() func() int64 {
	if t := b.tried; t != nil && t.trace != nil {
		return func() int64 { return t.trace.epoch }
	}
	return func() int64 { return 0 }
}

// once is what goes over the records once for all settings, nil in other runs.
func (b *builder) once() *once {
	if b.tried == nil {
		return nil
	}
	return b.tried.once
}

// wantsLate says whether a trial looks at the records that come too late.
func (b *builder) wantsLate() bool { return b.tried != nil && b.tried.late != nil }
