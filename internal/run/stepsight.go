package run

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// StepSight is how a windowed or stateful step stands on one worker, between two batches.
type StepSight struct {
	Step    string
	Worker  int
	W       int64 // its own watermark
	Hold    int64 // where it holds the output watermark for what is still to come out; etime.Max: nowhere
	Open    int64 // assignments to windows that no pane has had yet
	Waiting int   // elements that wait for the watermark of their verdict (S4.6)
	Idle    bool  // all that it hears of is
	Lanes   []LaneSight
}

// LaneSight is what a step has heard of one origin of its watermark: a split of a source, or a step
// that makes its own.
type LaneSight struct {
	Step  string
	Split int // of a source; 0 for other steps
	W     int64
	Idle  bool
}

// Output is the step's output watermark.
func (s *StepSight) Output() int64 { return min(s.W, s.Hold) }

// fronted is what can be asked of an operator, on its task.
type fronted interface {
	about(step string) bool // it knows windows of the step
	stand() StepSight
	key(q *KeyQuestion) KeySight
}

// originName is what a number of an origin stands for.
type originName struct {
	step  string
	split int
}

func (b *builder) nameOrigins() []originName {
	names := make([]originName, len(b.numbers))
	for k, n := range b.numbers {
		names[n] = originName{k.step.ID, k.of}
	}
	return names
}

// stand implements fronted.
func (o *front[K, V]) stand() StepSight {
	s := StepSight{Step: o.step, Worker: o.task.worker, W: o.in.lanes.W(), Hold: o.windows.hold(), Open: o.windows.open(), Waiting: o.wait.len(), Idle: o.in.lanes.Idle()}
	names := o.build.nameOrigins()
	for origin, i := range o.in.lane {
		if i < 0 || origin >= len(names) {
			continue
		}
		w, idle := o.in.lanes.Lane(i)
		s.Lanes = append(s.Lanes, LaneSight{names[origin].step, names[origin].split, w, idle})
	}
	return s
}

// Steps asks every windowed and stateful step how it stands. complete is false if a task did not
// answer before ctx was done.
func (r *Running) Steps(ctx context.Context) (all []StepSight, complete bool) {
	answers := ask(ctx, r, func(t *task) (s []StepSight) {
		for _, f := range t.fronts {
			s = append(s, f.stand())
		}
		return s
	})
	return slices.Concat(answers...), len(answers) == r.size()
}

// size is how many tasks there are.
func (r *Running) size() (n int) {
	if tasks := r.tasks.Load(); tasks != nil {
		for _, row := range *tasks {
			n += len(row)
		}
	}
	return n
}

// KeyQuestion asks for the windows of one key of one step.
type KeyQuestion struct {
	Step string
	// Key is of the type of the step's keys. If it is nil, the key is the one that Text stands for:
	// a text or a number as such, any other as Show prints it.
	Key  any
	Text string
	Show func(key any) string
	// At is an instant: the question is for the windows that start at it or, if Within, for those
	// that have it in them.
	At     int64
	Within bool
}

func (q *KeyQuestion) show(k any) string {
	if q.Show != nil {
		return q.Show(k)
	}
	return fmt.Sprint(k)
}

// KeySight is what one worker knows of a key's windows.
type KeySight struct {
	StepSight
	Windowed bool     // it has windows that can be asked for
	Known    bool     // something that is kept has the key
	Others   []string // keys that are known, a few, if it is not
	Exact    bool     // there is a window that starts at the instant
	Merges   bool     // its windows merge
	Cells    []CellSight
	Events   []Event
}

// CellSight is one window of a key.
type CellSight struct {
	Window      window.Interval
	Due, Expiry int64
	There       bool   // elements of the key are in it
	Partial     int    // workers that have accumulated elements before the exchange
	Rows        int64  // elements since the last pane; -1: not known for one key
	Panes       int64  // how many panes it has given
	FiredW      int64  // the watermark that fired the last one, etime.Min if that is not kept
	FiredAt     int64  // and when, by the clock
	Closed      bool   // its trigger has finished (S4.2)
	Waits       string // what its trigger waits for
	// Missed are the records that were too late for it, as far as is known; MissedAt is the event time
	// of the last of them, and MissedW the watermark by which it was judged.
	Missed, MissedAt, MissedW int64
}

// finder finds the number of a key.
func (k *keys[K]) find(q *KeyQuestion) (bits uint64, known bool) {
	key, ok := asked[K](q)
	if !ok {
		for n, name := range k.names {
			if k.named[n] && q.show(name) == q.Text {
				return uint64(n), true
			}
		}
		return 0, false
	}
	var one [1]uint64
	k.resolve([]K{key}, one[:])
	if k.kind == intKeys {
		return one[0], true
	}
	return one[0], int(one[0]) < len(k.refs) && k.refs[one[0]] > 0
}

// asked gives the key of a question, if it says which that is.
func asked[K comparable](q *KeyQuestion) (key K, ok bool) {
	if q.Key != nil {
		key, ok = q.Key.(K)
		return key, ok
	}
	return keyOf[K](q.Text)
}

// keyOf makes a key of its text, if it is a text or a number, or of an empty one if there is one key
// only.
func keyOf[K comparable](text string) (key K, ok bool) {
	v := reflect.ValueOf(&key).Elem()
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return key, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
		return key, err == nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(n)
		return key, err == nil
	case reflect.Struct:
		return key, v.NumField() == 0
	}
	return key, false
}

// others lists keys that are known.
func (k *keys[K]) others(q *KeyQuestion) (some []string) {
	const most = 10_000
	for n, name := range k.names {
		if k.named[n] && k.refs[n] > 0 {
			if some = append(some, q.show(name)); len(some) == most {
				break
			}
		}
	}
	return some
}

// at gives the windows that a question is for, and whether one starts at the instant.
func (w *Windowing) at(q *KeyQuestion) (all []window.Interval, exact bool) {
	all = window.ForWorker(w.Assigner).Assign(nil, q.At)
	if q.Within {
		return all, true
	}
	if i := slices.IndexFunc(all, func(iv window.Interval) bool { return iv.Lo() == q.At }); i >= 0 {
		return all[i : i+1], true
	}
	return all, len(all) == 1 && all[0].IsGlobal()
}

// sight begins a window's.
func (w *Windowing) sight(iv window.Interval) CellSight {
	due := w.due(iv)
	return CellSight{Window: iv, Due: due, Expiry: core.Expiry(due, w.lateness()), Rows: -1, FiredW: etime.Min, FiredAt: etime.Min, MissedAt: etime.Min, MissedW: etime.Min}
}
