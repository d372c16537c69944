package strandline_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Lines of text have no event time: it is found when they have been parsed, and the watermark
// derived from it there. The 3 comes when the watermark is at 12, and is late.
func ExamplePCollection_AssignTimestampsAndWatermarks() {
	type Event struct {
		Second int64
		Name   string
	}
	lines := []string{"8 a", "14 b", "3 c", "21 d"}

	p := strandline.New("lines")
	counts := strandline.Read(p, memory.Slice("lines", lines), watermark.EndOfInput(), nil).
		FlatMap("parse", func(line *string, emit func(Event)) {
			second, name, _ := strings.Cut(*line, " ")
			if s, err := strconv.ParseInt(second, 10, 64); err == nil {
				emit(Event{s, name})
			}
		}).
		AssignTimestampsAndWatermarks("time", func(e *Event) time.Time { return time.Unix(e.Second, 0) }, watermark.Bounded(2*time.Second)).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[Event]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Printf("[%d, %d): %d\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value)
	})
	late := counts.OnLate(func(l strandline.Late[Event]) string { return l.Value.Name })
	strandline.Each(late, "late", func(x strandline.Pane[string]) { fmt.Println("late:", x.Value) })

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0, 10): 1
	// late: c
	// [10, 20): 1
	// [20, 30): 1
}
