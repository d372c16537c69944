package watermark

import "github.com/strandline-stream/strandline/internal/etime"

// frontier is the generator of [Bounded]: the greatest event time that may drive the watermark,
// and what the poison guard withholds. All times are in microseconds.
//
// On replay the driver is the greatest event time that another record supports. The two
// greatest decide it: if the second supports the first it is the first, and then the second no
// longer matters; else it is the second, which the first supports by being beyond it. So high
// and ahead are the second and the first while the first is unsupported, and high alone is the
// first otherwise.
type frontier struct {
	of Strategy // for messages

	bound   int64
	floor   int64 // the least high for which high - bound does not overflow
	guarded bool
	support int64
	skew    int64

	high  int64 // what drives the watermark, floor..latest; floor: nothing yet
	ahead int64 // what was read and does not drive; never: nothing
	fresh bool  // ahead was the last thing read: the next record tells what it is
	odd   int64 // records found to be from the future, without a fresh one

	found   []int // those of the last batch, by their places
	freshAt int   // the place of a fresh one, -1 if it was in a batch before
}

var _ Sifter = (*frontier)(nil)

func (f *frontier) Observe(c Columns, w []int64) (int64, error) {
	limit := f.begin(c)
	w = w[:len(c.At)]
	for i := 0; i < len(w); i++ {
		n, high := climb(c.At[i:], w[i:], f.high, f.bound, f.stop(limit))
		f.high = high
		if i += n; i < len(w) {
			f.judge(i, c.At[i], limit)
		}
	}
	return f.W(), nil
}

// begin prepares for a batch. It gives the greatest event time that drives at once by the clock,
// never if records judge each other.
func (f *frontier) begin(c Columns) (limit int64) {
	f.found, f.freshAt = f.found[:0], -1
	switch {
	case !f.guarded:
		return never
	case c.live():
		limit = etime.Add(c.Now, f.skew)
		f.catchUp(c.Now, limit)
		return limit
	default:
		f.reconcile()
		return never
	}
}

// climb is the loop that every record passes. It sets w and raises high, record by record, up
// to the first event time at or past stop, which needs judging: for that one it sets w only. It
// returns the number of records before it, and high after them.
func climb(at, w []int64, high, bound, stop int64) (int, int64) {
	w = w[:len(at)]
	for i, t := range at {
		w[i] = high - bound
		if t >= stop {
			return i, high
		}
		high = max(high, t)
	}
	return len(at), high
}

// stop gives the least event time that climb must not take in. It may stop at one that turns
// out harmless, since high has risen meanwhile; never does it let one pass that is not.
func (f *frontier) stop(limit int64) int64 {
	switch {
	case !f.guarded:
		return etime.Max
	case limit != never:
		return etime.Add(limit, 1)
	case f.ahead == never && f.high > f.floor:
		return etime.Add(f.high, f.support+1)
	case f.ahead == never || f.fresh:
		return never
	}
	return etime.Sub(f.ahead, f.support)
}

// judge takes in one record at which climb stopped, the i-th of its batch.
func (f *frontier) judge(i int, t, limit int64) {
	if t == never {
		return // no event time
	}
	t = min(t, latest)
	switch {
	case !f.guarded:
		f.high = max(f.high, t)
	case limit != never:
		f.judgeByClock(i, t, limit)
	default:
		f.judgeByRecords(i, t)
	}
}

func (f *frontier) judgeByClock(i int, t, limit int64) {
	if t <= limit {
		f.high = max(f.high, t)
		return
	}
	// The nearest is kept, not the farthest: the clock reaches it first, and where every
	// record is ahead of the clock the next one takes its place.
	f.odd++
	f.found = append(f.found, i)
	if f.ahead == never || t < f.ahead {
		f.ahead = t
	}
}

func (f *frontier) judgeByRecords(i int, t int64) {
	if f.ahead == never {
		if f.high > f.floor && t <= etime.Add(f.high, f.support) {
			f.high = max(f.high, t)
		} else {
			f.ahead, f.fresh, f.freshAt = t, true, i
		}
		return
	}
	first, second := max(t, f.ahead), min(t, f.ahead)
	switch supported := second >= etime.Sub(first, f.support); {
	case supported:
		f.high, f.ahead, f.fresh = max(f.high, first), never, false
	case first == t:
		f.high, f.ahead, f.fresh, f.freshAt = max(f.high, second), t, true, i
	default: // what is ahead stays ahead, and the next record did not reach it
		f.high = max(f.high, t)
		if f.fresh {
			f.odd++
			f.found = append(f.found, f.freshAt)
			f.fresh = false
		}
	}
}

// catchUp lets what is withheld drive once the clock has reached it: then no honest record is
// behind it.
func (f *frontier) catchUp(now, limit int64) {
	if f.ahead == never {
		return
	}
	if f.fresh { // read on replay; from here on the clock judges
		f.fresh = false
		if f.ahead > limit {
			f.odd++
			f.found = append(f.found, f.freshAt)
		}
	}
	if f.ahead <= now {
		f.high, f.ahead = max(f.high, f.ahead), never
	}
}

// reconcile prepares for records without a clock after some with one, which may have withheld
// what others support by now. Within a replay it changes nothing.
func (f *frontier) reconcile() {
	if f.ahead != never && f.high > f.floor && f.ahead <= etime.Add(f.high, f.support) {
		f.high, f.ahead, f.fresh = max(f.high, f.ahead), never, false
	}
}

func (f *frontier) W() int64 { return f.high - f.bound }

func (f *frontier) Tick(now int64) int64 {
	if IdleAdvances(f.of) {
		f.high = max(f.high, min(now, latest))
	}
	return f.W()
}

// Future counts a fresh record, too: it is ahead of all others until one reaches it. A first
// record has no others.
func (f *frontier) Future() int64 {
	if f.fresh && f.high > f.floor {
		return f.odd + 1
	}
	return f.odd
}

func (f *frontier) Odd() []int { return f.found }

func (f *frontier) Fresh() bool { return f.fresh }

func (f *frontier) AppendState(dst []int64) []int64 {
	fresh := int64(0)
	if f.fresh {
		fresh = 1
	}
	return append(dst, f.high, f.ahead, fresh, f.odd)
}

func (f *frontier) RestoreState(s []int64) error {
	if len(s) != 4 || s[0] < f.floor || s[0] > latest || s[1] > latest || s[2] < 0 || s[2] > 1 || s[3] < 0 {
		return wrongState(f.of.String(), s)
	}
	f.high, f.ahead, f.fresh, f.odd = s[0], s[1], s[2] == 1, s[3]
	return nil
}

// Withheld gives the event time of a record from the future that does not drive the watermark.
func (f *frontier) Withheld() (at int64, is bool) { return f.ahead, f.ahead != never }

// Lag is how far the watermark before a record is behind the event time that drives it.
func (f *frontier) Lag() int64 { return f.bound }
