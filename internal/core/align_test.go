package core

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestASplitIsPausedWhenItIsMoreThanTheBoundAheadOfTheSlowest(t *testing.T) {
	for _, c := range []struct {
		what  string
		w     []int64
		idle  []bool
		i     int
		ahead bool
	}{
		{"exactly the bound", []int64{10, 20}, []bool{false, false}, 1, false},
		{"more than the bound", []int64{10, 21}, []bool{false, false}, 1, true},
		{"the slowest itself", []int64{10, 21}, []bool{false, false}, 0, false},
		{"the other is idle", []int64{10, 21}, []bool{true, false}, 1, false},
		{"the other has ended", []int64{etime.Max, 21}, []bool{false, false}, 1, false},
		{"the other has not begun", []int64{etime.Min, 21}, []bool{false, false}, 1, true},
		{"neither has begun", []int64{etime.Min, etime.Min}, []bool{false, false}, 1, false},
		{"an ended one is not paused", []int64{10, etime.Max}, []bool{false, false}, 1, false},
		{"alone", []int64{1000}, []bool{false}, 0, false},
	} {
		if got := Ahead(c.w, c.idle, c.i, 10); got != c.ahead {
			t.Errorf("%s: ahead %t, want %t", c.what, got, c.ahead)
		}
	}
}
