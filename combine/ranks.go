package combine

import "slices"

// ranks keeps the first n of many entries in the order of before, which is negative if a comes
// before b. It is what Top, Bottom and Sample have in common. The entries are a sorted slice,
// and so the same whatever the order in which they came.
type ranks[E any] struct {
	n      int
	before func(a, b E) int
	once   bool // of entries that are equal by before, one is kept
}

// full says whether an entry must beat the last one to get in.
func (r ranks[E]) full(entries []E) bool { return len(entries) >= r.n }

// insert takes in x.
func (r ranks[E]) insert(entries []E, x E) []E {
	if r.full(entries) && (r.n <= 0 || r.before(x, entries[r.n-1]) >= 0) {
		return entries
	}
	i, found := slices.BinarySearchFunc(entries, x, r.before)
	switch {
	case found && r.once:
		return entries
	case r.full(entries):
		copy(entries[i+1:], entries[i:])
		entries[i] = x
		return entries
	}
	return slices.Insert(entries, i, x)
}

// merge gives the first n of a and b, in one of the two or in a slice of its own.
func (r ranks[E]) merge(a, b []E) []E {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	merged := make([]E, 0, min(len(a)+len(b), max(r.n, 0)))
	for len(merged) < r.n && len(a)+len(b) > 0 {
		switch {
		case len(b) == 0:
			merged, a = append(merged, a[0]), a[1:]
		case len(a) == 0:
			merged, b = append(merged, b[0]), b[1:]
		default:
			order := r.before(a[0], b[0])
			if order <= 0 {
				merged = append(merged, a[0])
			} else {
				merged = append(merged, b[0])
			}
			if order <= 0 {
				a = a[1:]
			}
			if order > 0 || order == 0 && r.once {
				b = b[1:]
			}
		}
	}
	return merged
}
