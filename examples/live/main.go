// Command live counts events as they come, a hundred a second from four sensors and up to
// 300 ms out of order, and prints each result when it fires: 400 ms after a window of a second
// was opened and again after more, and when the watermark reaches its end. After three seconds,
// or at Ctrl-C, the run is drained: what is open fires, marked as drained, and nothing is lost.
//
//	go run ./examples/live [-for 3s]
//
// Layer: an example, on the public API.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/datagen"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Event is what a sensor sends.
type Event struct {
	Sensor string
	At     time.Time
}

// disorder is how much later than another an event may come that happened before it.
const disorder = 300 * time.Millisecond

func main() {
	span := flag.Duration("for", 3*time.Second, "how long to run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, stop = context.WithTimeout(ctx, *span)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

// run prints panes to w until ctx is done, then those of a drain, and the ledger.
func run(ctx context.Context, w io.Writer) error {
	sensors := datagen.Events("sensors", func(_ int64, at time.Time, r *rand.Rand) Event {
		return Event{Sensor: fmt.Sprintf("sensor-%c", 'a'+r.IntN(4)), At: at}
	}).Rate(100).Disorder(disorder)

	p := strandline.New("live")
	counts := strandline.Read(p, sensors, watermark.Bounded(disorder), func(e *Event) time.Time { return e.At }).
		KeyBy("sensor", func(e *Event) string { return e.Sensor }).
		WindowInto(window.Fixed(time.Second)).
		Trigger(trigger.AfterWatermark().Early(trigger.AfterProcessingTime(400*time.Millisecond))).
		CombinePerKey("count", combine.Count[Event]())
	strandline.PanesOf(counts.PCollection).Map("line", line).WriteTo(stdio.LinesTo(w))

	running := p.Start(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, running.Drain)
	defer stop()
	report, err := running.Wait()
	fmt.Fprintln(w, strandline.Ledger(report))
	return err
}

// line says what fired, for people.
func line(x *strandline.Pane[strandline.KV[string, int64]]) string {
	const clock = "15:04:05"
	return fmt.Sprintf("[%s, %s)  %s  %2d events  %v",
		x.Window.Start().Format(clock), x.Window.End().Format(clock), x.Value.Key, x.Value.Value, x.Pane)
}
