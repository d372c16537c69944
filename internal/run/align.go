package run

import (
	"sync"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
)

// alignment is what the splits of one source, on whatever workers, know of each other: how far
// each has come, so that none runs far ahead of the slowest (S3.5). Its splits are paused, and
// what they have is not read.
type alignment struct {
	bound int64 // µs; negative: no limit

	mu    sync.Mutex
	w     []int64
	idle  []bool
	moved chan struct{} // closed, and another made, whenever a split has moved
}

func newAlignment(splits int, bound int64) *alignment {
	a := &alignment{bound: bound, w: make([]int64, splits), idle: make([]bool, splits), moved: make(chan struct{})}
	for i := range a.w {
		a.w[i] = etime.Min
	}
	return a
}

// set tells how far split i has come.
func (a *alignment) set(i int, w int64, idle bool) {
	if a.bound < 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.w[i] == w && a.idle[i] == idle {
		return
	}
	a.w[i], a.idle[i] = max(a.w[i], w), idle
	close(a.moved)
	a.moved = make(chan struct{})
}

// ahead says whether split i has to wait, and gives what is closed when that may have changed.
func (a *alignment) ahead(i int) (bool, <-chan struct{}) {
	if a.bound < 0 {
		return false, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return core.Ahead(a.w, a.idle, i, a.bound), a.moved
}
