package trigger_test

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/trigger"
)

// What a runner may know of a trigger before any element has come, to choose a faster way.
func ExampleCompile() {
	for _, t := range []trigger.Trigger{
		trigger.Default(),
		trigger.AfterCount(3),
		trigger.Repeat(trigger.AfterProcessingTime(time.Minute)),
	} {
		p, err := trigger.Compile(t)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(p.Trigger(), p.IsDefault(), p.PerElement(), p.UsesProcessingTime())
	}
	// Output:
	// default true false false
	// afterCount(3) false true false
	// repeat(afterProcessingTime(1m)) false false true
}

// A trigger by the clock says when it wants to be asked again, and two sessions that merge bring
// their states together.
func ExampleProgram_Merge() {
	p, _ := trigger.Compile(trigger.AfterProcessingTime(time.Minute))
	a, b, both := make(trigger.State, p.Words()), make(trigger.State, p.Words()), make(trigger.State, p.Words())
	p.OnElement(a, trigger.Moment{Due: 10, Now: 5_000_000})
	p.OnElement(b, trigger.Moment{Due: 10, Now: 1_000_000})
	p.Merge(both, []trigger.State{a, b}, trigger.Moment{Due: 10, Now: 6_000_000})
	fmt.Println("asked again at", time.UnixMicro(p.NextProcessing(both)).UTC().Format("04:05"))

	at := trigger.Moment{Due: 10, Now: p.NextProcessing(both)}
	fmt.Println(p.ShouldFire(both, at), p.OnFire(both, at), p.Finished(both))
	// Output:
	// asked again at 01:01
	// true true true
}

func ExampleTiming() {
	for _, t := range []trigger.Timing{trigger.Unknown, trigger.Early, trigger.OnTime, trigger.Late} {
		fmt.Println(t)
	}
	fmt.Println(trigger.NoFiring)
	// Output:
	// unknown
	// early
	// on time
	// late
	// unknown pane 0 (0), first, last
}
