package strandline_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

type reading struct {
	At     int64
	Sensor string
}

// lab is the input of the mini-engine lab: ten events under a watermark 5 s behind. When the 7
// comes the watermark stands at 20, so that [0, 10) is over.
var lab = []reading{
	{2, "sensor-a"}, {5, "sensor-b"}, {8, "sensor-a"}, {13, "sensor-c"}, {3, "sensor-a"},
	{16, "sensor-b"}, {25, "sensor-a"}, {7, "sensor-b"}, {22, "sensor-c"}, {28, "sensor-a"},
}

// labRun counts per window of 10 s, and gives the windows with their counts and the late records.
func labRun(t *testing.T, batch, workers int, keep func(*reading) bool) (got, late lines) {
	t.Helper()
	p := strandline.New("lab")
	r := strandline.Read(p, memory.Slice("lab", lab).Batch(batch), watermark.Bounded(5*time.Second), func(r *reading) time.Time { return time.Unix(r.At, 0) }).
		Filter("keep", keep)
	c := r.WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[reading]())
	strandline.Each(c.PCollection, "got", func(x strandline.Pane[int64]) { got.add("%s: %d", span(x), x.Value) })
	strandline.Each(c.OnLate(func(l strandline.Late[reading]) strandline.Late[reading] { return l }), "late", func(x strandline.Pane[strandline.Late[reading]]) {
		l := x.Value
		late.add("%v at watermark %d, %v behind, missed %v", l.Value, l.Watermark.Unix(), l.By(), l.Missed)
	})
	rep := mustRun(t, p, strandline.Workers(workers))
	if n := counts(t, rep, "count").Counts; n.DroppedLate != 1 || n.LateRecords != 1 {
		t.Errorf("batches of %d, %d workers: dropped late %d, late records %d, want 1 and 1", batch, workers, n.DroppedLate, n.LateRecords)
	}
	return got, late
}

const labLate = "{7 sensor-b} at watermark 20, 13s behind, missed [[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)]"

func TestTheLabsFigures(t *testing.T) {
	for _, batch := range []int{1, 3, len(lab)} {
		for workers := 1; workers <= 8; workers++ {
			got, late := labRun(t, batch, workers, func(*reading) bool { return true })
			what := fmt.Sprintf("batches of %d, %d workers", batch, workers)
			inOrder(t, what, got, "[0, 10): 4", "[10, 20): 2", "[20, 30): 3")
			inOrder(t, what, late, labLate)
		}
	}
}

func TestTheLabsSevenIsLateThoughAFilterDropsThe25(t *testing.T) {
	for _, batch := range []int{1, 3, len(lab)} {
		for workers := 1; workers <= 8; workers++ {
			got, late := labRun(t, batch, workers, func(r *reading) bool { return r.At != 25 })
			what := fmt.Sprintf("batches of %d, %d workers", batch, workers)
			inOrder(t, what, got, "[0, 10): 4", "[10, 20): 2", "[20, 30): 2")
			inOrder(t, what, late, labLate)
		}
	}
}

func TestTheLabsFiguresPerSensorBehindTwoExchanges(t *testing.T) {
	// Per sensor and window, by hand: [0, 10) has 2, 8 and 3 of a, 5 of b; [10, 20) 13 of c, 16 of
	// b; [20, 30) 25 and 28 of a, 22 of c.
	want := lines{"[0, 10) sensor-a 3", "[0, 10) sensor-b 1", "[10, 20) sensor-b 1", "[10, 20) sensor-c 1", "[20, 30) sensor-a 2", "[20, 30) sensor-c 1"}
	for workers := 1; workers <= 8; workers++ {
		p := strandline.New("lab")
		got := values(strandline.Read(p, memory.Slice("lab", lab).Batch(2), watermark.Bounded(5*time.Second), func(r *reading) time.Time { return time.Unix(r.At, 0) }).
			Reshuffle("spread").
			KeyBy("sensor", func(r *reading) string { return r.Sensor }).
			WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[reading]()))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, fmt.Sprint(workers, " workers"), *got, slices.Clone(want)...)
	}
}
