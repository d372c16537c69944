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

// Every click at most ten minutes after an impression of the same advertisement. No window is cut
// between the two; the plan says how long each is kept.
func ExampleKeyed_IntervalJoin() {
	type Event struct {
		Ad     string
		Minute int64
	}
	at := func(e *Event) time.Time { return time.Unix(60*e.Minute, 0) }
	ad := func(e *Event) string { return e.Ad }

	p := strandline.New("clicks")
	impressions := strandline.Read(p, memory.Slice("impressions", []Event{{"red", 58}, {"red", 61}, {"blue", 62}}), watermark.Ascending(), at).KeyBy("ad", ad)
	clicks := strandline.Read(p, memory.Slice("clicks", []Event{{"red", 60}, {"red", 68}, {"blue", 73}}), watermark.Ascending(), at).KeyBy("clicked", ad)

	followed := impressions.IntervalJoin("followed", clicks, 0, 10*time.Minute, func(ad string, shown, clicked *Event) string {
		return fmt.Sprintf("%s: shown at %d, clicked at %d", ad, shown.Minute, clicked.Minute)
	})
	followed.WriteTo(stdio.Lines())
	followed.OnLate(
		func(l strandline.Late[Event]) string { return fmt.Sprintf("impression late by %v", l.By()) },
		func(l strandline.Late[Event]) string { return fmt.Sprintf("click late by %v", l.By()) },
	).WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// red: shown at 58, clicked at 60
	// red: shown at 58, clicked at 68
	// red: shown at 61, clicked at 68
}
