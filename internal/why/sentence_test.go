package why

import (
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// on gives an instant of a day: "10:08:12".
func on(clock string) int64 {
	t, err := time.Parse("2006-01-02 15:04:05", "2026-11-30 "+clock)
	if err != nil {
		panic(err)
	}
	return etime.Micros(t)
}

// ten is [10:00, 10:10) of shop-7 with two elements in it, while the watermark stands at 10:08:12
// and the clock at 10:08:58.
func ten() *Case {
	return &Case{
		Key: "shop-7", Lo: on("10:00:00"), Hi: on("10:10:00"), Due: on("10:10:00"), Expiry: on("10:10:00"), W: on("10:08:12"), Now: on("10:08:58"),
		There: true, Waits: "the watermark to reach its end", FiredW: etime.Min, FiredAt: etime.Min, MissedAt: etime.Min, MissedW: etime.Min, HeldAt: etime.Min,
	}
}

// orders is one of four splits of `orders`, of which the third holds the watermark. Its watermark
// has come from 10:05:00 to 10:08:12 within the last 45 s: 192 s in 44.4 s would be 108 s, which
// are missing, in 25 s.
func orders(c *Case) *Case {
	third := Split{Source: "orders", Number: 2, Of: 4, Read: 900, Watermark: on("10:08:12"), Last: on("10:08:17"), Seen: on("10:08:17"), Withheld: etime.Min,
		WasW: on("10:05:00"), WasAt: on("10:08:58") - 44_444_444}
	ahead := third
	ahead.Number, ahead.Watermark = 0, on("10:12:00")
	c.Splits, c.Holder = []Split{ahead, third}, &third
	return c
}

func TestEachReasonHasASentenceOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		of    *Case
		state State
		want  string
	}{
		"a split holds the watermark": {orders(ten()), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by split 3 of `orders`, last record 10:08:17 seen 41 s ago; at the present rate it fires in about 25 s"},
		"a split that is silent": {with(orders(ten()), func(c *Case) { c.Now = on("10:30:00") }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by split 3 of `orders`, last record 10:08:17 seen 22m ago, and nothing says that it is idle: an idle timeout would let the others go on"},
		"a silent split that will be idle": {with(orders(ten()), func(c *Case) { c.Now, c.Holder.IdleAfter = on("10:30:00"), 3_600_000_000 }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by split 3 of `orders`, last record 10:08:17 seen 22m ago; it fires when records come that move the watermark on"},
		"no rate yet": {with(orders(ten()), func(c *Case) { c.Splits[1].WasW = etime.Min }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by split 3 of `orders`, last record 10:08:17 seen 41 s ago; there is no rate yet to say when it fires"},
		"an empty source": {with(orders(ten()), func(c *Case) {
			c.W, c.Holder.Read, c.Holder.Watermark, c.Holder.Of = etime.Min, 0, etime.Min, 1
		}), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because there is no watermark yet; it is held by `orders`, which has given no record yet"},
		"all splits are idle": {with(orders(ten()), func(c *Case) {
			c.Splits[0].Idle, c.Splits[1].Ended, c.Holder = true, true, nil
		}), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; every split is idle, so it stays where it is until a record comes (the last was seen 41 s ago): IdleAdvance would let it follow the clock"},
		"the poison guard": {with(orders(ten()), func(c *Case) { c.Holder.Withheld = on("10:08:17") + 365*dayLong }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by split 3 of `orders`, last record 10:08:17 seen 41 s ago; the poison guard does not let the record of 2027-11-30 10:08:17 drive it, since no other supports it"},
		"the poison guard and the first record": {with(orders(ten()), func(c *Case) {
			c.W, c.Holder.Read, c.Holder.Watermark, c.Holder.Withheld = etime.Min, 1, etime.Min, on("10:08:17")
		}), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because there is no watermark yet; it is held by split 3 of `orders`, last record 10:08:17 seen 41 s ago; the poison guard lets it drive the watermark when another supports it"},
		"fired at the end": {with(ten(), func(c *Case) {
			c.W, c.There, c.Followed = etime.Max, false, true
			c.History = []Pane{{0, "on time", etime.Max, etime.Min, 9}}
		}), Fired,
			"[10:00, 10:10) of shop-7 has fired: on time (pane 0) at the end of the input"},
		"what was read is on its way": {with(orders(ten()), func(c *Case) { c.Holder.Watermark = on("10:11:00") }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; split 3 of `orders` stands at 10:11, but what it has brought has not reached the step: a queue is full, or a sink is slow"},
		"a step before holds it": {with(ten(), func(c *Case) { c.HeldBy, c.HeldAt = "per minute", on("10:08:12") }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by the step per minute, which still has results of 10:08:12 to give"},
		"a batch": {with(ten(), func(c *Case) { c.W, c.Batch = etime.Min, true }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because there is no watermark yet; the pipeline is run as a batch, in which the watermark waits for the end of the input"},
		"a trigger that waits for a count": {with(ten(), func(c *Case) { c.Waits = "2 more elements (1 of 3 is there)" }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because its trigger waits for 2 more elements (1 of 3 is there); the watermark stands at 10:08:12, and has no say in it until the window expires at 10:10"},
		"and the watermark has passed": {with(ten(), func(c *Case) {
			c.Waits, c.W, c.Expiry, c.Lateness = "2 more elements (1 of 3 is there)", on("10:11:00"), on("10:40:00"), 30*60_000_000
		}), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because its trigger waits for 2 more elements (1 of 3 is there); the watermark, at 10:11, has reached its end, and what it holds comes out when it expires, at 10:40"},
		"early panes": {with(ten(), func(c *Case) {
			c.Panes, c.Waits = 2, "the watermark to reach its end, or 1 more element (2 of 3 are there)"
		}), Waiting,
			"[10:00, 10:10) of shop-7 has given 2 early panes before its end. [10:00, 10:10) of shop-7 has not fired because its trigger waits for the watermark to reach its end, or 1 more element (2 of 3 are there); the watermark stands at 10:08:12"},
		"one pane when lateness is over": {with(ten(), func(c *Case) {
			c.W, c.FinalOnly, c.Due, c.Expiry, c.Lateness = on("10:11:00"), true, on("10:40:00"), on("10:40:00"), 30*60_000_000
		}), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:11, and it gives its one pane when allowed lateness is over, at 10:40"},
		"no element": {with(ten(), func(c *Case) { c.There = false }), Empty,
			"[10:00, 10:10) of shop-7 has no element: none has come that belongs in it, and one may still come, since the watermark stands at 10:08:12"},
		"no element and no watermark": {with(ten(), func(c *Case) { c.There, c.W = false, etime.Min }), Empty,
			"[10:00, 10:10) of shop-7 has no element: none has come that belongs in it, and one may still come, since there is no watermark yet"},
		"no element came by the end": {with(ten(), func(c *Case) { c.There, c.W = false, etime.Max; c.Followed = true }), Empty,
			"[10:00, 10:10) of shop-7 has given nothing because no element has come for it, and the input has ended: a window without elements gives no pane"},
		"a split that is paused": {with(orders(ten()), func(c *Case) { c.Holder.Paused = true }), Waiting,
			"[10:00, 10:10) of shop-7 has not fired because the watermark stands at 10:08:12; it is held by split 3 of `orders`, last record 10:08:17 seen 41 s ago, which waits for slower splits of its source; at the present rate it fires in about 25 s"},
		"no element came": {with(ten(), func(c *Case) { c.There, c.W, c.Followed = false, on("10:11:00"), true }), Empty,
			"[10:00, 10:10) of shop-7 has given nothing because no element has come for it, and the watermark stands at 10:11: a window without elements gives no pane"},
		"all were late": {with(ten(), func(c *Case) {
			c.There, c.W, c.Followed, c.Came, c.Missed, c.MissedAt, c.MissedW = false, on("10:12:00"), true, 3, 3, on("10:07:01"), on("10:11:30")
		}), Late,
			"[10:00, 10:10) of shop-7 has given nothing because all 3 elements that came for it were too late, the last of 10:07:01, when the watermark stood at 10:11:30, and its end is 10:10, with no allowed lateness"},
		"fired": {with(ten(), func(c *Case) {
			c.W, c.Expiry, c.Lateness, c.Panes, c.FiredW, c.FiredAt = on("10:11:00"), on("10:40:00"), 30*60_000_000, 1, on("10:10:02"), on("10:08:17")
		}), Fired,
			"[10:00, 10:10) of shop-7 has fired: pane 0 when the watermark reached 10:10:02, 41 s ago. It takes late elements until the watermark, now at 10:11, reaches 10:40"},
		"fired in a replay": {with(ten(), func(c *Case) {
			c.W, c.There, c.Now, c.Followed = on("10:11:00"), false, etime.Min, true
			c.History = []Pane{{0, "on time", on("10:10:02"), etime.Min, 1234}}
		}), Fired,
			"[2026-11-30 10:00, 10:10) of shop-7 has fired: on time (pane 0) when the watermark reached 10:10:02, by record 1,234. It has expired since: the watermark stands at 10:11, and elements that come for it are late"},
		"closed": {with(ten(), func(c *Case) { c.Closed, c.Panes, c.W = true, 1, on("10:08:12") }), Closed,
			"[10:00, 10:10) of shop-7 is closed: its trigger has finished after 1 pane, and takes no more elements"},
		"expired": {with(ten(), func(c *Case) { c.There, c.W = false, on("10:11:00") }), Expired,
			"[10:00, 10:10) of shop-7 has expired: the watermark stands at 10:11, and its end is 10:10, with no allowed lateness. What it held is forgotten, and with it whether it gave anything; over recorded input, strandline why FILE --at tells"},
		"expired, with late ones": {with(ten(), func(c *Case) {
			c.There, c.W, c.Missed, c.MissedAt, c.MissedW = false, on("10:11:00"), 2, on("10:07:01"), on("10:10:30")
		}), Expired,
			"[10:00, 10:10) of shop-7 has expired: the watermark stands at 10:11, and its end is 10:10, with no allowed lateness. What it held is forgotten, and with it whether it gave anything; over recorded input, strandline why FILE --at tells. 2 elements came too late for it, the last of 10:07:01, when the watermark stood at 10:10:30"},
		"no key, the global window": {with(ten(), func(c *Case) {
			c.Key, c.Lo, c.Hi, c.Due, c.Expiry, c.W = "", etime.Min, etime.Max, etime.Max, etime.Max, on("10:08:12")
		}), Waiting,
			"the global window has not fired because the watermark stands at 10:08:12"},
	} {
		state, text := Answer(c.of)
		if state != c.state || text != c.want {
			t.Errorf("%s:\n%s: %s\nwant\n%s: %s", name, state, text, c.state, c.want)
		}
	}
}

func with(c *Case, change func(*Case)) *Case {
	change(c)
	return c
}

func TestTheSlowestSplitSaysWhenAWindowFires(t *testing.T) {
	c := orders(ten())
	slow := *c.Holder
	slow.WasW = on("10:08:08") // 4 s in 44.4 s: 108 s take 20 minutes
	c.Splits = append(c.Splits, slow)
	if in, ok := c.FiresIn(); !ok || in != 1_199_999_988 {
		t.Errorf("in %d µs, %v; want 108 s / 4 s * 44.444444 s", in, ok)
	}
}

func TestWhatBecameOfARecordIsOneSentence(t *testing.T) {
	r := &Record{Number: 17, Key: "shop-7", At: on("10:07:01"), W: on("10:11:30")}
	for _, c := range []struct {
		all  []Outcome
		want string
	}{
		{[]Outcome{{Fate: Dropped, Lo: on("10:00:00"), Hi: on("10:10:00"), Expiry: on("10:10:00")}},
			"record 17 of shop-7, of 2026-11-30 10:07:01, came when the watermark stood at 10:11:30; it was too late for [10:00, 10:10), which had expired at 10:10"},
		{[]Outcome{{Fate: InPane, Lo: on("10:00:00"), Hi: on("10:10:00"), Pane: Pane{1, "late", on("10:11:30"), etime.Min, 17}}},
			"record 17 of shop-7, of 2026-11-30 10:07:01, came when the watermark stood at 10:11:30; in [10:00, 10:10) it came out in pane 1, late, when the watermark reached 10:11:30, by record 17"},
		{[]Outcome{{Fate: Kept, Lo: on("10:05:00"), Hi: on("10:15:00"), Due: on("10:15:00"), W: on("10:11:30")}},
			"record 17 of shop-7, of 2026-11-30 10:07:01, came when the watermark stood at 10:11:30; it is in [10:05, 10:15), which has given nothing since: the watermark stands at 10:11:30"},
		{nil, "record 17 of shop-7, of 2026-11-30 10:07:01, came when the watermark stood at 10:11:30; it is in no window: the windows leave a gap there"},
	} {
		if got := Tell(r, c.all); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

func FuzzAnyFactsMakeASentence(f *testing.F) {
	f.Add(on("10:00:00"), on("10:10:00"), on("10:08:12"), on("10:08:58"), on("10:08:17"), "the watermark to reach its end", int64(0), true, false)
	f.Add(etime.Min, etime.Max, etime.Min, etime.Min, etime.Max, "", int64(7), false, true)
	f.Fuzz(func(t *testing.T, lo, hi, w, now, other int64, waits string, n int64, one, two bool) {
		s := Split{Source: "s", Of: 2, Read: n, Watermark: other, Last: lo, Seen: other, Withheld: w, WasW: hi, WasAt: lo, Idle: one, Ended: two}
		for _, holder := range []*Split{nil, &s} {
			c := &Case{Key: "k", Lo: lo, Hi: hi, Due: hi, Expiry: etime.Add(hi, max(n, 0)), Lateness: n, W: w, Now: now, There: one, Panes: n, Closed: two, Waits: waits,
				FiredW: other, FiredAt: other, Followed: two, Came: n, Missed: n, MissedAt: lo, MissedW: w, Splits: []Split{s}, Holder: holder, HeldAt: other}
			if state, text := Answer(c); state == "" || !strings.Contains(text, "k") {
				t.Errorf("%+v: %q %q", c, state, text)
			}
		}
	})
}
