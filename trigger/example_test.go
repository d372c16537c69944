package trigger_test

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/trigger"
)

func ExampleDefault() {
	fmt.Println(trigger.Default())
	fmt.Println(trigger.Repeat(trigger.AfterWatermark()))
	// Output:
	// default
	// default
}

func ExampleAfterWatermark() {
	fmt.Println(trigger.AfterWatermark())
	// Output: afterWatermark
}

// A first answer every minute, the on-time one, then a correction for every late element.
func ExampleWatermarkTrigger() {
	fmt.Println(trigger.AfterWatermark().
		Early(trigger.AfterProcessingTime(time.Minute)).
		Late(trigger.AfterCount(1)))
	// Output: afterWatermark(early afterProcessingTime(1m), late afterCount(1))
}

func ExampleAfterCount() {
	fmt.Println(trigger.AfterCount(100))
	// Output: afterCount(100)
}

func ExampleAfterProcessingTime() {
	fmt.Println(trigger.AfterProcessingTime(90 * time.Second))
	// Output: afterProcessingTime(1m30s)
}

func ExampleRepeat() {
	fmt.Println(trigger.Repeat(trigger.AfterCount(100)))
	// Output: repeat(afterCount(100))
}

// At 100 elements or a minute after the first, whichever comes first, over and over.
func ExampleAfterAny() {
	fmt.Println(trigger.Repeat(trigger.AfterAny(
		trigger.AfterCount(100), trigger.AfterProcessingTime(time.Minute))))
	// Output: repeat(afterAny(afterCount(100), afterProcessingTime(1m)))
}

func ExampleAfterAll() {
	fmt.Println(trigger.AfterAll(trigger.AfterCount(100), trigger.AfterWatermark()))
	// Output: afterAll(afterCount(100), afterWatermark)
}

func ExampleInOrder() {
	fmt.Println(trigger.InOrder(trigger.AfterCount(1), trigger.Repeat(trigger.AfterCount(100))))
	// Output: inOrder(afterCount(1), repeat(afterCount(100)))
}

// Every 10 elements until the window ends.
func ExampleOrFinally() {
	fmt.Println(trigger.OrFinally(trigger.Repeat(trigger.AfterCount(10)), trigger.AfterWatermark()))
	// Output: orFinally(repeat(afterCount(10)), afterWatermark)
}

func ExampleNever() {
	fmt.Println(trigger.Never())
	// Output: never
}

func ExampleAlways() {
	fmt.Println(trigger.Always())
	// Output: always
}

func ExampleValidate() {
	fmt.Println(trigger.Validate(trigger.AfterAny(trigger.AfterCount(0), trigger.Repeat(nil))))
	// Output:
	// trigger.AfterCount: n must be at least 1, is 0
	// trigger.Repeat: no trigger was given
}

func ExampleContinuation() {
	fmt.Println(trigger.Continuation(trigger.AfterWatermark().Early(trigger.AfterCount(100))))
	// Output: afterWatermark(early afterCount(1))
}

func ExampleMayFinish() {
	fmt.Println(trigger.MayFinish(trigger.AfterCount(100)))
	fmt.Println(trigger.MayFinish(trigger.Repeat(trigger.AfterCount(100))))
	// Output:
	// true
	// false
}

func ExamplePane() {
	fmt.Println(trigger.Pane{Timing: trigger.OnTime, Index: 2, Last: true})
	// Output: on time pane 2 (0), last
}

// A runner's side: one window, ending at 10, under early panes of two elements.
func ExampleProgram() {
	p, err := trigger.Compile(trigger.AfterWatermark().Early(trigger.AfterCount(2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := make(trigger.State, p.Words())
	m := trigger.Moment{W: 0, Due: 10}
	for i := range 3 {
		p.OnElement(s, m)
		if p.ShouldFire(s, m) {
			fmt.Println("element", i, "fires; finished:", p.OnFire(s, m))
		}
	}
	m.W = 10
	if p.ShouldFire(s, m) {
		fmt.Println("the watermark fires; finished:", p.OnFire(s, m))
	}
	// Output:
	// element 1 fires; finished: false
	// the watermark fires; finished: true
}
