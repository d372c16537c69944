package strandlinetest_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/window"
)

// number is what steps behind a planted one work on.
type number struct {
	Sensor string
	N      int64
}

// Nothing of a run may depend on what these functions depend on. The step is named that has the
// fault, and not the one behind it; and no more records are left than the fault needs.
func TestPlantedFaultsAreFound(t *testing.T) {
	perMinute := func(in strandline.PCollection[gauge]) strandline.Keyed[string, gauge] {
		return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(time.Minute))
	}
	combined := func(in strandline.PCollection[gauge], c combine.Combiner[gauge, int64, int64]) sums {
		return perMinute(in).CombinePerKey("planted", c).PCollection
	}
	// mapped is a faulty function before a sum.
	mapped := func(in strandline.PCollection[gauge], f func(*gauge) int64) sums {
		return in.Map("planted", func(r *gauge) number { return number{r.Sensor, f(r)} }).
			KeyBy("sensor", func(n *number) string { return n.Sensor }).WindowInto(window.Fixed(time.Minute)).
			CombinePerKey("sum", combine.Sum(func(n *number) int64 { return n.N })).PCollection
	}
	var calls atomic.Int64
	const alike = "two runs that are alike in everything"
	for _, c := range []struct {
		fault string
		bound time.Duration
		build func(strandline.PCollection[gauge]) sums
		says  string
		needs int // records, at the most
	}{
		{"the order of a map", 0, func(in strandline.PCollection[gauge]) sums {
			return mapped(in, func(*gauge) int64 {
				for i := range map[int64]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true} {
					return i
				}
				return 0
			})
		}, alike, 8},
		{"the wall clock", 0, func(in strandline.PCollection[gauge]) sums {
			return mapped(in, func(*gauge) int64 { return time.Now().UnixNano() % 1e9 })
		}, alike, 1},
		{"randomness", 0, func(in strandline.PCollection[gauge]) sums {
			return mapped(in, func(*gauge) int64 { return rand.Int64N(1 << 40) })
		}, alike, 1},
		{"state that an earlier run left", 0, func(in strandline.PCollection[gauge]) sums {
			return mapped(in, func(*gauge) int64 { return calls.Add(1) })
		}, alike, 1},
		{"a sum of floats that is not compensated", 10 * time.Second, func(in strandline.PCollection[gauge]) sums {
			return in.Map("tenth", func(r *gauge) strandline.KV[string, float64] {
				return strandline.KV[string, float64]{Key: r.Sensor, Value: float64([]int64{1e17, 10, -1e17}[r.At/3%3])}
			}).KeyBy("sensor", func(e *strandline.KV[string, float64]) string { return e.Key }).WindowInto(window.Fixed(time.Minute)).
				CombinePerKey("planted", plainSum{}).PCollection
		}, "order ", 6},
		{"a merge that is not associative", 0, func(in strandline.PCollection[gauge]) sums { return combined(in, meanOfMeans{}) }, "workers", 5},
		{"a merge that forgets", 0, func(in strandline.PCollection[gauge]) sums { return combined(in, forgetful{}) }, "workers", 5},
		{"a beginning that is not nothing", 0, func(in strandline.PCollection[gauge]) sums { return combined(in, oneMore{}) }, "workers", 5},
		{"the last to arrive", 10 * time.Second, func(in strandline.PCollection[gauge]) sums { return combined(in, arrivedLast{}) }, "order ", 2},
		{"state in the order of arrival", 10 * time.Second, func(in strandline.PCollection[gauge]) sums {
			return in.KeyBy("sensor", gaugeSensor).Stateful("planted", strandline.PerKey,
				func(x *strandline.Turn[string, int64], last *int64, r *gauge) {
					x.Emit(r.Value - *last)
					*last = r.Value
				}, nil).
				KeyByWith("all", func(n *int64) (string, int64) { return "all", *n }).WindowInto(window.Fixed(time.Minute)).
				CombinePerKey("squares", combine.Sum(func(n *int64) int64 { return *n * *n })).PCollection
		}, "order ", 2},
		{"a pointer that is kept from batch to batch", 0, func(in strandline.PCollection[gauge]) sums {
			var before *gauge // into memory that the next batch uses again
			return mapped(in.Map("copied", func(r *gauge) gauge { return *r }), func(r *gauge) int64 {
				d := r.Value
				if before != nil {
					d -= before.Value
				}
				before = r
				return d
			})
		}, "of at most 1,", 3},
	} {
		err := strandlinetest.Verification[gauge, strandline.KV[string, int64]]{Data: gauges(), Time: gaugeAt, Bound: c.bound, Build: c.build}.Check(t.Context())
		if !errors.Is(err, strandlinetest.ErrDiffer) || !strings.Contains(err.Error(), `step "planted"`) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s is not found, or not so that %q is said: %v", c.fault, c.says, err)
			continue
		}
		if n := strings.Count(err.Error(), "\n\t\t{Sensor:"); n < 1 || n > c.needs {
			t.Errorf("%s needs %d records at the most, and %d are left: %v", c.fault, c.needs, n, err)
		}
	}
}

// What a function does to its input stays done where the input holds a pointer.
func TestAFunctionThatChangesItsInputIsFound(t *testing.T) {
	type reading struct {
		Sensor string
		At     int64
		Values []int64
	}
	var data []reading
	for i := range int64(40) {
		data = append(data, reading{string(rune('a' + i%3)), i, []int64{i, 7 - i}})
	}
	err := strandlinetest.Verification[reading, strandline.KV[string, int64]]{
		Data: data, Time: func(r *reading) time.Time { return time.Unix(r.At, 0) },
		Build: func(in strandline.PCollection[reading]) sums {
			return in.Map("planted", func(r *reading) number {
				r.Values[0]++
				return number{r.Sensor, r.Values[0]}
			}).KeyBy("sensor", func(n *number) string { return n.Sensor }).WindowInto(window.Fixed(time.Minute)).
				CombinePerKey("max", combine.Max(func(n *number) int64 { return n.N })).PCollection
		},
	}.Check(t.Context())
	if !errors.Is(err, strandlinetest.ErrDiffer) || !strings.Contains(err.Error(), `step "planted"`) || !strings.Contains(err.Error(), "1 of 40 records") {
		t.Errorf("it says %v", err)
	}
}

// meanOfMeans merges two means as if they were of as many elements.
type meanOfMeans struct{}

func (meanOfMeans) Create() int64                     { return 0 }
func (meanOfMeans) Add(acc *int64, r *gauge)          { *acc += r.Value*1000 + 1 }
func (meanOfMeans) Merge(acc, other *int64)           { *acc = (*acc + *other) / 2 }
func (meanOfMeans) Extract(acc *int64) (int64, error) { return *acc, nil }
func (meanOfMeans) Clone(acc *int64) int64            { return *acc }

// forgetful forgets what it merges.
type forgetful struct{}

func (forgetful) Create() int64                     { return 0 }
func (forgetful) Add(acc *int64, r *gauge)          { *acc += r.Value + 1 }
func (forgetful) Merge(acc, other *int64)           {}
func (forgetful) Extract(acc *int64) (int64, error) { return *acc, nil }
func (forgetful) Clone(acc *int64) int64            { return *acc }

// oneMore counts from 1: the more partial counts there are, the more it gives.
type oneMore struct{}

func (oneMore) Create() int64                     { return 1 }
func (oneMore) Add(acc *int64, r *gauge)          { *acc++ }
func (oneMore) Merge(acc, other *int64)           { *acc += *other }
func (oneMore) Extract(acc *int64) (int64, error) { return *acc, nil }
func (oneMore) Clone(acc *int64) int64            { return *acc }

// plainSum adds floats up as they come.
type plainSum struct{}

func (plainSum) Create() float64                                     { return 0 }
func (plainSum) Add(acc *float64, e *strandline.KV[string, float64]) { *acc += e.Value }
func (plainSum) Merge(acc, other *float64)                           { *acc += *other }
func (plainSum) Extract(acc *float64) (int64, error)                 { return int64(*acc), nil }
func (plainSum) Clone(acc *float64) float64                          { return *acc }

// arrivedLast is a reduction that no order of arrival should decide.
type arrivedLast struct{}

func (arrivedLast) Create() int64                     { return 0 }
func (arrivedLast) Add(acc *int64, r *gauge)          { *acc = r.Value }
func (arrivedLast) Merge(acc, other *int64)           { *acc = *other }
func (arrivedLast) Extract(acc *int64) (int64, error) { return *acc, nil }
func (arrivedLast) Clone(acc *int64) int64            { return *acc }

// The smallest input is one that fails by itself, in the order shown.
func TestTheSmallestInputFailsByItself(t *testing.T) {
	v := strandlinetest.Verification[gauge, strandline.KV[string, int64]]{
		Data: gauges(), Time: gaugeAt, Bound: 10 * time.Second,
		Build: func(in strandline.PCollection[gauge]) sums {
			return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(time.Minute)).CombinePerKey("last", arrivedLast{}).PCollection
		},
	}
	err := v.Check(t.Context())
	if !errors.Is(err, strandlinetest.ErrDiffer) {
		t.Fatal(err)
	}
	whole := v.Data
	v.Data = slices.DeleteFunc(slices.Clone(whole), func(r gauge) bool { return !strings.Contains(err.Error(), "\n\t\t"+shownGauge(r)) })
	if len(v.Data) != 2 {
		t.Fatalf("the message shows %d records: %v", len(v.Data), err)
	}
	again := v.Check(t.Context())
	if !errors.Is(again, strandlinetest.ErrDiffer) {
		t.Errorf("of the smallest input it says %v", again)
	}
}

func shownGauge(r gauge) string { return fmt.Sprintf("%+v", r) }
