package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A timer calls back when the watermark gets there: a machine that has not reported for ten
// minutes is missing. Setting a timer again under its name moves it. At the end of the input
// the timers that are left come due.
func ExampleKeyed_Stateful_timer() {
	type Report struct {
		Machine string
		Minute  int64
	}
	reports := []Report{{"drill", 0}, {"press", 1}, {"drill", 8}, {"drill", 12}, {"press", 15}, {"press", 24}}

	p := strandline.New("missing")
	strandline.Read(p, memory.Slice("reports", reports), watermark.Ascending(),
		func(r *Report) time.Time { return time.Unix(60*r.Minute, 0) }).
		KeyBy("machine", func(r *Report) string { return r.Machine }).
		Stateful("missing", strandline.PerKey,
			func(x *strandline.Turn[string, string], last *int64, r *Report) {
				*last = r.Minute
				x.SetTimer("silence", x.Time().Add(10*time.Minute))
			},
			func(x *strandline.Turn[string, string], last *int64, _ string) {
				x.Emit(fmt.Sprintf("%s: %s has been silent since minute %d", x.Time().Format("15:04"), x.Key, *last))
			}).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 00:11: press has been silent since minute 1
	// 00:22: drill has been silent since minute 12
	// 00:34: press has been silent since minute 24
}
