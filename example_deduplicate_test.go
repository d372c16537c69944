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

// A sender that repeats messages for up to a minute. The second m1 is a repeat, the third, after
// the horizon, is a message of its own.
func ExampleKeyed_Deduplicate() {
	type Message struct {
		ID     string
		Second int64
	}
	messages := []Message{{"m1", 0}, {"m2", 5}, {"m1", 59}, {"m1", 60}}

	p := strandline.New("messages")
	strandline.Read(p, memory.Slice("messages", messages), watermark.Bounded(10*time.Second), func(m *Message) time.Time { return time.Unix(m.Second, 0) }).
		KeyBy("id", func(m *Message) string { return m.ID }).
		Deduplicate("once", time.Minute).
		MapEntries("text", func(id string, m *Message) string { return fmt.Sprintf("%s at %d", id, m.Second) }).
		WriteTo(stdio.Lines())

	report, err := p.Run(context.Background())
	if err != nil {
		fmt.Println(err)
	}
	for _, s := range report.Steps {
		if s.ID == "once" {
			fmt.Println(s.Counts.Filtered, "repeat")
		}
	}
	// Output:
	// m1 at 0
	// m2 at 5
	// m1 at 60
	// 1 repeat
}
