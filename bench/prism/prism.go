//go:build prism

package prism

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/mtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

func init() {
	register.DoFn2x0[int64, func(beam.EventTime, int64, int64)](&makeFn{})
	register.Emitter3[beam.EventTime, int64, int64]()
	register.DoFn3x0[beam.Window, int64, func(*int64) bool](&takeFn{})
	register.Iter1[int64]()
}

// Event gives the event time, in microseconds, the key and the value of event i.
type Event func(i int64) (at, key, value int64)

// Take is given the values of a key in a window that starts at a number of microseconds. Calls come
// one at a time.
type Take func(start, key int64, values []int64)

// job is what the functions below work on. They are in the process of the caller, so that nothing
// but the numbers of shards has to travel to them.
var job struct {
	n     int64
	event Event
	mu    sync.Mutex
	take  Take
}

// Shards is in how many parts the events are made, which the runner may spread over processors.
const Shards = 8

var initialize = sync.OnceFunc(func() {
	log.LogLevel = "error"
	beam.Init()
})

// GroupByKey groups n events by key in windows of a size. One call at a time.
func GroupByKey(ctx context.Context, n int64, size time.Duration, event Event, take Take) error {
	initialize()
	remove, err := ownTemp()
	if err != nil {
		return err
	}
	defer remove()
	job.n, job.event, job.take = n, event, take
	p, s := beam.NewPipelineWithRoot()
	shards := make([]int64, Shards)
	for i := range shards {
		shards[i] = int64(i)
	}
	events := beam.ParDo(s, &makeFn{}, beam.CreateList(s, shards))
	groups := beam.GroupByKey(s, beam.WindowInto(s, window.NewFixedWindows(size), events))
	beam.ParDo0(s, &takeFn{}, groups)
	if _, err := prism.Execute(ctx, p); err != nil {
		return fmt.Errorf("prism: %w", err)
	}
	return nil
}

// ownTemp gives the process a directory of its own for temporary files until remove is called: the
// SDK leaves some behind.
func ownTemp() (remove func(), err error) {
	const name = "TMPDIR"
	before, set := os.LookupEnv(name)
	dir, err := os.MkdirTemp("", "bench-prism-*")
	if err != nil {
		return nil, err
	}
	os.Setenv(name, dir)
	return func() {
		if os.Unsetenv(name); set {
			os.Setenv(name, before)
		}
		os.RemoveAll(dir)
	}, nil
}

// makeFn makes the events of a shard.
type makeFn struct{}

func (*makeFn) ProcessElement(shard int64, emit func(beam.EventTime, int64, int64)) {
	for i := shard; i < job.n; i += Shards {
		at, key, value := job.event(i)
		emit(mtime.FromTime(time.UnixMicro(at)), key, value)
	}
}

// takeFn hands a group on.
type takeFn struct{ values []int64 }

func (f *takeFn) ProcessElement(w beam.Window, key int64, next func(*int64) bool) {
	f.values = f.values[:0]
	for v := int64(0); next(&v); {
		f.values = append(f.values, v)
	}
	job.mu.Lock()
	defer job.mu.Unlock()
	job.take(w.(window.IntervalWindow).Start.ToTime().UnixMicro(), key, f.values)
}
