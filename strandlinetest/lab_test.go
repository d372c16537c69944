package strandlinetest_test

import (
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// reading is a row of the mini-engine lab: event time in seconds, and a sensor.
type reading struct {
	At     int64
	Sensor string
}

// readings are the lab's ten events in order of arrival.
var readings = []reading{
	{2, "sensor-a"}, {5, "sensor-b"}, {8, "sensor-a"}, {13, "sensor-c"}, {3, "sensor-a"},
	{16, "sensor-b"}, {25, "sensor-a"}, {7, "sensor-b"}, {22, "sensor-c"}, {28, "sensor-a"},
}

func at(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

// tens is the window of ten seconds that begins at an instant.
func tens(from int64) window.Interval { return window.Between(at(from), at(from+10)) }

// lab is the lab's pipeline: the watermark is 5 s behind the greatest event time, and what keep
// keeps is counted in windows of 10 s.
type lab struct {
	p      *strandline.Pipeline
	s      *strandlinetest.Stream[reading]
	counts *strandlinetest.Collected[int64]
	late   *strandlinetest.Collected[reading]
}

func newLab(keep func(*reading) bool) lab {
	p := strandline.New("lab")
	s := strandlinetest.NewStream[reading]("readings")
	counts := strandline.Read(p, s, watermark.Bounded(5*time.Second), nil).
		Filter("keep", keep).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[reading]())
	late := counts.OnLate(func(l strandline.Late[reading]) reading { return l.Value })
	return lab{p, s, strandlinetest.Collect(counts.PCollection), strandlinetest.Collect(late)}
}

func all(*reading) bool { return true }

func (l lab) add(seconds ...int64) {
	for _, t := range seconds {
		for _, r := range readings {
			if r.At == t {
				l.s.Add(at(t), r)
			}
		}
	}
}

func count(n int64, from int64) strandlinetest.Want[int64] {
	return strandlinetest.Value(n).In(tens(from)).OnTime().First().Last()
}

// After 2, 5, 8, 13 and 16 the watermark stands at 11: [0,10) is closed with 3, and [10,20) is
// open with 2.
func TestLabAfterItsFirstFive(t *testing.T) {
	l := newLab(all)
	l.add(2, 5, 8, 13)
	l.s.ExpectNothing(l.counts)
	l.add(16)
	l.s.Expect(l.counts, count(3, 0)).AtEnd(l.counts, count(2, 10))
	l.s.Run(t, l.p)
}

func TestLabOneAtATime(t *testing.T) {
	l := newLab(all)
	l.add(2, 5, 8, 13, 3)
	l.s.ExpectNothing(l.counts)
	l.add(16)
	l.s.Expect(l.counts, count(4, 0))
	l.add(25)
	l.s.Expect(l.counts, count(2, 10))
	l.add(7)
	l.s.ExpectNothing(l.counts).Expect(l.late, strandlinetest.Value(reading{7, "sensor-b"}).In(tens(0)))
	l.add(22, 28)
	l.s.ExpectNothing(l.counts).AtEnd(l.counts, count(3, 20))
	l.s.Run(t, l.p)
}

func TestLabInOneBatch(t *testing.T) {
	l := newLab(all)
	var es []strandlinetest.Element[reading]
	for _, r := range readings {
		es = append(es, strandlinetest.At(at(r.At), r))
	}
	l.s.AddBatch(es...).
		Expect(l.counts, count(4, 0), count(2, 10)).
		Expect(l.late, strandlinetest.Value(reading{7, "sensor-b"})).
		AtEnd(l.counts, count(3, 20)).
		Run(t, l.p)
}

// The 25 has moved the watermark to 20 even though a filter drops it: the 7 is late all the same.
func TestLabWithoutThe25(t *testing.T) {
	l := newLab(func(r *reading) bool { return r.At != 25 })
	l.add(2, 5, 8, 13, 3)
	l.s.ExpectNothing(l.counts)
	l.add(16)
	l.s.Expect(l.counts, count(4, 0))
	l.add(25)
	l.s.Expect(l.counts, count(2, 10))
	l.add(7)
	l.s.Expect(l.late, strandlinetest.Value(reading{7, "sensor-b"}))
	l.add(22, 28)
	l.s.AtEnd(l.counts, count(2, 20))
	l.s.Run(t, l.p)
}
