package run

import (
	"slices"
	"sort"
)

// slide is what one key has in slices that the watermark has passed, in order, only those in
// which it has something. The pane of a window, which is a range of them that moves on, is merged
// from two parts: front, for which the merge of everything from each slice on is kept, and back,
// for which there is one merge of all. When front is used up it is made anew: for each pane that
// is about three merges, however many slices a window has, and no inverse is needed.
//
// The idea is that of a queue made of two stacks. A quarter of the slices stays in back when it
// is made anew, so that an element that is behind the watermark by less than that changes back
// only; one that is further behind has front made anew for the next pane.
type slide[A any] struct {
	key    uint64
	pieces []piece[A]
	sums   []A // sums[i] is the merge of pieces[i:mid], for from <= i < mid
	back   A   // the merge of pieces[mid:]
	from   int // where the window that fired last began
	mid    int
	stale  bool // sums and back are of no use
}

// piece is what a key has in one slice.
type piece[A any] struct {
	lo  int64
	acc A
}

// push adds what the key has in the slice that is passed next.
func (d *slide[A]) push[V, O any](agg *aggregator[V, A, O], lo int64, acc A) {
	if len(d.pieces) == cap(d.pieces) {
		// By doubling: append would copy a long slide five times until it has its length.
		d.pieces = slices.Grow(d.pieces, max(len(d.pieces), 4))
	}
	d.pieces = append(d.pieces, piece[A]{lo, acc})
	if agg.deep || d.stale {
		return
	}
	if len(d.pieces)-1 == d.mid {
		d.back = acc
	} else {
		agg.merge(&d.back, acc)
	}
}

// at is the place of the slice that starts at lo, or where it would be.
func (d *slide[A]) at(lo int64) int {
	// Late elements are mostly little late.
	if n := len(d.pieces); n == 0 || d.pieces[n-1].lo < lo {
		return n
	}
	return sort.Search(len(d.pieces), func(i int) bool { return d.pieces[i].lo >= lo })
}

// add adds an element that is behind the watermark.
func (d *slide[A]) add[V, O any](agg *aggregator[V, A, O], lo int64, v *V, t int64) {
	i := d.at(lo)
	if i == len(d.pieces) || d.pieces[i].lo != lo {
		if i == len(d.pieces) {
			acc := agg.c.Create()
			agg.addOne(&acc, v, t)
			d.push(agg, lo, acc)
			return
		}
		d.pieces = append(d.pieces, piece[A]{})
		copy(d.pieces[i+1:], d.pieces[i:])
		d.pieces[i] = piece[A]{lo, agg.c.Create()}
		d.stale = true // the places have moved
		if i < d.from {
			d.from++
		}
	}
	agg.addOne(&d.pieces[i].acc, v, t)
	if d.stale || agg.deep {
		return
	}
	if i >= d.mid {
		agg.addOne(&d.back, v, t)
	} else if i >= d.from {
		d.stale = true
	}
}

// merged gives what the key has in the window that starts at start and fires now, nil if it has
// nothing there. It is valid until the next call.
func (d *slide[A]) merged[V, O any](agg *aggregator[V, A, O], start int64) *A {
	for d.from < len(d.pieces) && d.pieces[d.from].lo < start {
		d.from++
	}
	if d.from == len(d.pieces) {
		return nil
	}
	if agg.deep { // sums would hold each element many times over
		return folded(agg, d.pieces[d.from:])
	}
	if d.stale || d.from >= d.mid {
		d.renew(agg)
	}
	agg.acc = d.sums[d.from]
	if d.mid < len(d.pieces) {
		agg.merge(&agg.acc, d.back)
	}
	return &agg.acc
}

// renew makes front and back anew.
func (d *slide[A]) renew[V, O any](agg *aggregator[V, A, O]) {
	n := len(d.pieces)
	d.mid = n - (n-d.from)/4
	if cap(d.sums) < n {
		d.sums = make([]A, n, cap(d.pieces))
	}
	d.sums = d.sums[:n]
	d.sums[d.mid-1] = d.pieces[d.mid-1].acc
	for i := d.mid - 2; i >= d.from; i-- {
		d.sums[i] = d.pieces[i].acc
		agg.merge(&d.sums[i], d.sums[i+1])
	}
	if d.mid < n {
		d.back = *folded(agg, d.pieces[d.mid:])
	}
	d.stale = false
}

// folded merges pieces one after another. The result is valid until the next call.
func folded[V, A, O any](agg *aggregator[V, A, O], pieces []piece[A]) *A {
	agg.acc = agg.clone(&pieces[0].acc)
	for i := range pieces[1:] {
		agg.merge(&agg.acc, agg.clone(&pieces[i+1].acc))
	}
	return &agg.acc
}

// fold merges what the key has in [lo, hi), where it has something: a window that has fired
// before. The result is valid until the next call.
func (d *slide[A]) fold[V, O any](agg *aggregator[V, A, O], lo, hi int64) *A {
	return folded(agg, d.pieces[d.at(lo):d.at(hi)])
}

// holds says whether the key has anything in [lo, hi).
func (d *slide[A]) holds(lo, hi int64) bool {
	i := d.at(lo)
	return i < len(d.pieces) && d.pieces[i].lo < hi
}

// drop forgets what the key has before lo, and says whether anything is left.
func (d *slide[A]) drop(lo int64) bool {
	gone := d.at(lo)
	if gone == len(d.pieces) {
		return false
	}
	if gone <= len(d.pieces)/2 {
		return true // it is not worth moving the rest
	}
	n := copy(d.pieces, d.pieces[gone:])
	clear(d.pieces[n:])
	d.pieces = d.pieces[:n]
	if len(d.sums) > gone {
		copy(d.sums, d.sums[gone:])
		clear(d.sums[len(d.sums)-gone:])
		d.sums = d.sums[:len(d.sums)-gone]
	} else {
		d.stale = true
	}
	d.from, d.mid = max(d.from-gone, 0), max(d.mid-gone, 0)
	return true
}
