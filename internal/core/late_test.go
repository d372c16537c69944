package core

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestAnElementIsLateFromTheWindowsEndAndDroppedFromItsExpiry(t *testing.T) {
	// The window [0, 10), S4.1 to S4.3.
	for _, x := range []struct {
		w, lateness int64
		want        Way
	}{
		{etime.Min, 0, OnTime}, {9, 0, OnTime}, {10, 0, Dropped}, {11, 0, Dropped},
		{9, 5, OnTime}, {10, 5, Kept}, {14, 5, Kept}, {15, 5, Dropped}, {etime.Max, 5, Dropped},
		{etime.Max - 1, etime.Max, Kept}, // for ever, but for the end
		{etime.Max, etime.Max, Dropped},
	} {
		if got := Judge(x.w, 10, x.lateness); got != x.want {
			t.Errorf("watermark %d, lateness %d: got %d, want %d", x.w, x.lateness, got, x.want)
		}
	}
}

func TestTheGlobalWindowIsNeverLateBeforeTheEnd(t *testing.T) {
	if got := Judge(etime.Max-1, etime.Max, 0); got != OnTime {
		t.Errorf("got %d", got)
	}
}

func TestExpiryDoesNotOverflow(t *testing.T) {
	for _, x := range []struct{ due, lateness, want int64 }{{10, 5, 15}, {etime.Max, 5, etime.Max}, {etime.Max - 3, 5, etime.Max}, {-10, 3, -7}} {
		if got := Expiry(x.due, x.lateness); got != x.want {
			t.Errorf("Expiry(%d, %d) = %d, want %d", x.due, x.lateness, got, x.want)
		}
	}
}
