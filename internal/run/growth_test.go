package run

import (
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

func cellsFor(t *testing.T, tr trigger.Trigger, a window.Assigner) *cells[int64, int64, int64, int64] {
	prog, err := trigger.Compile(tr)
	if err != nil {
		t.Fatal(err)
	}
	key, _ := codec.ForKey[int64]()
	o := &Windowed[int64, int64, int64, int64]{front: front[int64, int64]{op: op{n: &Counts{}}}, spec: &Windowing{Assigner: a, Trigger: prog}}
	o.outs = []outlet{&o.main, &o.failed, &o.changes, &o.late}
	for _, e := range o.outs {
		e.start(0)
	}
	w := newCells(o, newAggregator[int64, int64, int64](plain{}), newKeys(key))
	o.windows = w
	return w
}

type plain struct{}

func (plain) Create() int64                   { return 0 }
func (plain) Add(a *int64, v *int64)          { *a += *v }
func (plain) Merge(a, b *int64)               { *a += *b }
func (plain) Extract(a *int64) (int64, error) { return *a, nil }

func TestACellHasOneAlarmWhateverCameIn(t *testing.T) {
	c := cellsFor(t, trigger.Repeat(trigger.AfterProcessingTime(time.Hour)), window.Global())
	c.clock(0)
	for i := range int64(100000) {
		c.rows([]int64{i % 10}, []int64{1}, []int64{i}, []int64{i}, nil)
		c.o.advance(i)
		c.o.close(false)
	}
	if n := c.procs.Len(); n > 100 {
		t.Errorf("%d alarms for 10 open cells", n)
	}
}

func TestKeysThatNothingRefersToAreForgotten(t *testing.T) {
	key, _ := codec.ForKey[string]()
	prog, _ := trigger.Compile(trigger.Default())
	o := &Windowed[string, int64, int64, int64]{front: front[string, int64]{op: op{n: &Counts{}}}, spec: &Windowing{Assigner: window.Fixed(time.Second), Trigger: prog}}
	o.outs = []outlet{&o.main, &o.failed, &o.changes, &o.late}
	for _, e := range o.outs {
		e.start(0)
	}
	f := newFlat(o, newAggregator[int64, int64, int64](plain{}), newKeys(key))
	o.windows = f
	for i := range 200000 {
		f.rows([]string{fmt.Sprintf("session-%030d", i)}, []int64{1}, []int64{0}, []int64{1e9}, nil) // all late
	}
	if n := f.keys.ids.Size(); n > 1<<20 {
		t.Errorf("no window is open, no key is held, and the interner has %d keys in %d bytes", f.keys.ids.Len(), n)
	}
}

func TestATimerThatMovesOnCostsOneEvent(t *testing.T) {
	key, _ := codec.ForKey[int64]()
	prog, _ := trigger.Compile(trigger.Default())
	o := &statefulOp[int64, int64, int64]{front: front[int64, int64]{op: op{n: &Counts{}}}}
	o.main.plain = true
	o.main.start(0)
	fn := StatefulFn[int64, int64, int64, int64]{Process: func(x *Turn[int64, int64], s *int64, v *int64) {
		x.KeepUntil(x.Time().Add(time.Hour))
	}}
	s := &stateful[int64, int64, int64, int64]{o: o, fn: fn, spec: &Windowing{Assigner: window.Global(), Trigger: prog}, keys: newKeys(key), assign: window.Global(), at: map[place]*entry[int64]{}, w: etime.Min, ctx: t.Context()}
	s.turn.emit, s.turn.set, s.turn.drop = s.emit, s.setTimer, s.clear
	o.windows = s
	for i := range int64(100000) {
		s.rows([]int64{i % 10}, []int64{1}, []int64{i}, []int64{i}, nil)
	}
	if n := s.plan.Len(); n > 100 {
		t.Errorf("%d events planned for 10 keys", n)
	}
}
