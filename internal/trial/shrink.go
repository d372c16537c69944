package trial

import "slices"

// Shrink finds few of n things, by their indexes in ascending order, of which fails still holds, as
// it does of all n: it takes away halves of them, then quarters and so on down to single ones, until
// none can be taken away (delta debugging). After so many calls of fails it gives what it has by
// then, and least is false. It is as deterministic as fails is.
func Shrink(n, calls int, fails func(keep []int) bool) (keep []int, least bool) {
	keep = make([]int, n)
	for i := range keep {
		keep[i] = i
	}
	for size := (n + 1) / 2; size > 0; {
		smaller := false
		for at := 0; at < len(keep) && len(keep) > 1; {
			rest := slices.Concat(keep[:at], keep[min(at+size, len(keep)):])
			if len(rest) == 0 {
				break
			}
			if calls--; calls < 0 {
				return keep, false
			}
			if fails(rest) {
				keep, smaller = rest, true
			} else {
				at += size
			}
		}
		if size > 1 {
			size = min((size+1)/2, max(len(keep)/2, 1))
		} else if !smaller {
			break
		}
	}
	return keep, true
}
