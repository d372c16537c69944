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

// A sale of the year 2106 among those of a few minutes: no other record supports it, and it is set
// aside.
func ExamplePCollection_OnQuarantined() {
	p := strandline.New("future")
	rows := append([]sale{sales[0], {"north", 71_582_788, 5}}, sales[1:]...)
	in := strandline.Read(p, memory.Slice("sales", rows), watermark.Bounded(30*time.Minute), func(s *sale) time.Time { return time.Unix(60*s.Minute, 0) })
	in.OnQuarantined(func(q strandline.Quarantined[sale]) string {
		return fmt.Sprintf("set aside: %d euros in %d", q.Value.Euros, q.Time.Year())
	}).WriteTo(stdio.Lines())
	in.Map("euros", func(s *sale) int64 { return s.Euros }).WriteTo(stdio.Lines())

	report, err := p.Run(context.Background())
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(strandline.Ledger(report)[:53])
	// Unordered output:
	// set aside: 5 euros in 2106
	// 10
	// 30
	// 8
	// 20
	// ledger: 5 read = 4 kept + 0 malformed + 1 quarantined
}
