package core

import (
	"testing"

	"github.com/strandline-stream/strandline/trigger"
)

func TestPanesAreNumberedAndThoseThatAreNotEarlyOnceMore(t *testing.T) {
	var n Numbers
	for i, x := range []struct {
		timing trigger.Timing
		last   bool
		want   trigger.Pane
	}{
		{trigger.Early, false, trigger.Pane{Timing: trigger.Early, Index: 0, NonEarly: -1, First: true}},
		{trigger.Early, false, trigger.Pane{Timing: trigger.Early, Index: 1, NonEarly: -1}},
		{trigger.OnTime, false, trigger.Pane{Timing: trigger.OnTime, Index: 2, NonEarly: 0}},
		{trigger.Late, false, trigger.Pane{Timing: trigger.Late, Index: 3, NonEarly: 1}},
		{trigger.Late, true, trigger.Pane{Timing: trigger.Late, Index: 4, NonEarly: 2, Last: true}},
	} {
		if got := n.Next(x.timing, x.last); got != x.want {
			t.Errorf("pane %d: got %v, want %v", i, got, x.want)
		}
	}
}

func TestAPaneIsOnTimeOnlyIfTheWatermarkFiresItAtTheDueInstant(t *testing.T) {
	for _, x := range []struct {
		w           int64
		byWatermark bool
		want        trigger.Timing
	}{
		{9, false, trigger.Early}, {9, true, trigger.Early},
		{10, true, trigger.OnTime}, {10, false, trigger.Late}, // an element caused it
		{11, true, trigger.Late}, {11, false, trigger.Late}, // at expiry, say
	} {
		if got := Timing(x.w, 10, x.byWatermark); got != x.want {
			t.Errorf("watermark %d, by it %t: got %v, want %v", x.w, x.byWatermark, got, x.want)
		}
	}
}
