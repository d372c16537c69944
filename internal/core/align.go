package core

import "github.com/strandline-stream/strandline/internal/etime"

// Ahead says whether split i is farther ahead of the slowest than bound allows, and is to be
// paused rather than read (S3.5). w are the watermarks of a source's splits; one that is idle
// or has ended holds nobody back, and one that stands at Min is never ahead.
func Ahead(w []int64, idle []bool, i int, bound int64) bool {
	low := etime.Max
	for j, x := range w {
		if !idle[j] && x != etime.Max {
			low = min(low, x)
		}
	}
	return w[i] != etime.Max && w[i] > etime.Add(low, bound) && w[i] > low
}
