package strandline_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func setAside(q strandline.Quarantined[event]) string {
	return fmt.Sprint(&q.Value, " at ", q.Time.Unix())
}

// Honest rows, a lone one from far ahead, honest rows, and a last one that is ahead of all: nothing
// can speak against that one. The same are set aside whatever the batches are like.
func TestRecordsThatNoOtherSupportsAreSetAside(t *testing.T) {
	const day = 86400
	rows := "a1 a2 a3 a4 b90000 a5 a6 a7 a8 a9 z300000"
	for _, opts := range [][]strandline.Option{nil, {strandline.Batch()}, {strandline.Workers(3)}} {
		for _, batch := range []int{1, 2, 3, 5, 100} {
			p := strandline.New("future")
			in := strandline.Read(p, memory.Slice("events", keyed(rows)).Batch(batch), watermark.Ascending(), at)
			aside := new(lines)
			strandline.Each(in.OnQuarantined(setAside), "aside", func(x strandline.Pane[string]) { aside.add("%s", x.Value) })
			got := values(in.KeyBy("key", key).WindowInto(window.Fixed(day*time.Second)).CombinePerKey("count", combine.Count[event]()))
			rep := mustRun(t, p, opts...)
			expect(t, fmt.Sprint("batches of ", batch), *got, "[0, 86400) a 9", "[259200, 345600) z 1")
			expect(t, fmt.Sprint("batches of ", batch, ": aside"), *aside, "b@90000 at 90000")
			if c := counts(t, rep, "read events").Counts; c.In != 11 || c.Kept != 10 || c.Quarantined != 1 {
				t.Errorf("%d in, %d kept, %d quarantined", c.In, c.Kept, c.Quarantined)
			}
			if l := strandline.Ledger(rep); !strings.Contains(l, "11 read = 10 kept + 0 malformed + 1 quarantined") {
				t.Error(l)
			}
		}
	}
}

// What is dense, sparse, alone or first is never set aside: another record supports it, or there is
// none that speaks against it.
func TestHonestRecordsAreNotSetAside(t *testing.T) {
	for _, rows := range []string{"a1 a2 a3", "a1 a10000 a20000 a30000", "a1", "", "a500000 a500001 a1"} {
		for _, batch := range []int{1, 2, 100} {
			p := strandline.New("future")
			in := strandline.Read(p, memory.Slice("events", keyed(rows)).Batch(batch), watermark.Ascending(), at)
			aside := new(lines)
			strandline.Each(in.OnQuarantined(setAside), "aside", func(x strandline.Pane[string]) { aside.add("%s", x.Value) })
			order := new(lines)
			strandline.Each(in, "others", func(x strandline.Pane[event]) { order.add("%v", &x.Value) })
			mustRun(t, p)
			var want []string
			for _, e := range keyed(rows) {
				want = append(want, e.String())
			}
			inOrder(t, rows, *order, want...)
			expect(t, rows+": aside", *aside)
		}
	}
}

// On a live source the clock tells, at once.
func TestOnALiveSourceTheClockSaysWhatIsFromTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan event, 10)
		p := strandline.New("live")
		in := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0).Guard(watermark.Guard{MaxFutureSkew: time.Minute}), at)
		var aside, others lines
		strandline.Each(in.OnQuarantined(setAside), "aside", func(x strandline.Pane[string]) { aside.add("%s", x.Value) })
		strandline.Each(in, "others", func(x strandline.Pane[event]) { others.add("%v", x.Value.Key) })
		run := p.Start(t.Context())
		now := time.Now().Unix()
		for _, e := range []event{{now, "a", 1}, {now + 59, "b", 1}, {now + 61, "x", 1}, {now + 1, "c", 1}} {
			c <- e
		}
		time.Sleep(time.Second) // of the bubble's clock
		synctest.Wait()
		if len(aside) != 1 || len(others) != 3 {
			t.Errorf("before the end: aside %v, others %v", aside, others)
		}
		close(c)
		rep, err := run.Wait()
		if err != nil {
			t.Error(err)
		}
		balances(t, rep)
		inOrder(t, "others", others, "a", "b", "c")
		expect(t, "aside", aside, fmt.Sprintf("x@%d at %d", now+61, now+61))
	})
}

func TestSettingAsideNeedsAGuard(t *testing.T) {
	for says, s := range map[string]watermark.Strategy{
		"the watermark bounded(0s).noGuard has no guard": watermark.Ascending().NoGuard(),
		"the watermark endOfInput() has no guard":        watermark.EndOfInput(),
	} {
		p := strandline.New("future")
		strandline.Read(p, memory.Slice("events", keyed("a1")), s, at).OnQuarantined(setAside)
		if err := fmt.Sprint(p.Err()); !strings.Contains(err, says) || !strings.Contains(err, "quarantine_test.go:") {
			t.Error(err)
		}
	}
	p := strandline.New("future")
	input(p, nil, 0).Filter("some", func(*event) bool { return true }).OnQuarantined(setAside)
	if err := fmt.Sprint(p.Err()); !strings.Contains(err, `only what Read returned has records to be set aside, and "some" is none`) {
		t.Error(err)
	}
}
