package cli

import (
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
)

func TestTheProgressLine(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		p        strandline.Progress
		done, of int64
		want     string
	}{
		{strandline.Progress{}, 0, 0, "0 records, 0/s"},
		{strandline.Progress{Read: 1234567, Late: 12, Malformed: 1000, Watermark: now.Add(-90 * time.Second)}, 0, 0,
			"1,234,567 records, 123,456/s  watermark 2026-07-01 11:58:30  lag 1m30s  12 late  1,000 malformed"},
		{strandline.Progress{Read: 1000, Watermark: now.Add(-90 * time.Second)}, 250, 1000,
			"1,000 records, 100/s  watermark 2026-07-01 11:58:30  25%, 30s left"},
	} {
		if got := progressLine(c.p, 10*time.Second, now, c.done, c.of); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
