package trigger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/trigger"
)

// What a window waits for, for a person who asks why nothing comes out.
func ExampleProgram_Waits() {
	p, _ := trigger.Compile(trigger.AfterWatermark().Early(trigger.AfterCount(3)))
	s := make(trigger.State, p.Words())
	at := trigger.Moment{W: 7, Due: 10}
	p.OnElement(s, at)
	fmt.Println("it waits for", p.Waits(s, at))
	// Output: it waits for the watermark to reach its end, or 2 more elements (1 of 3 is there)
}

func TestWhatATriggerWaitsForIsSaidInWords(t *testing.T) {
	minute := trigger.AfterProcessingTime(time.Minute)
	for _, c := range []struct {
		trigger  trigger.Trigger
		elements int
		w        int64
		want     string
	}{
		{trigger.Default(), 1, 7, "the watermark to reach its end"},
		{trigger.Default(), 1, 10, ""},
		{trigger.AfterCount(3), 1, 7, "2 more elements (1 of 3 is there)"},
		{trigger.AfterCount(3), 2, 20, "1 more element (2 of 3 are there)"},
		{trigger.AfterCount(3), 3, 7, ""},
		{trigger.Repeat(trigger.AfterCount(2)), 1, 7, "1 more element (1 of 2 is there)"},
		{minute, 0, 7, "an element"},
		{minute, 1, 7, "the clock to reach 1970-01-01T00:01:00Z"},
		{trigger.AfterAll(trigger.AfterCount(2), trigger.AfterWatermark()), 2, 7, "the watermark to reach its end"},
		{trigger.AfterAll(trigger.AfterCount(2), trigger.AfterWatermark()), 1, 7, "1 more element (1 of 2 is there) and the watermark to reach its end"},
		{trigger.AfterAny(trigger.AfterCount(2), trigger.AfterWatermark()), 1, 7, "1 more element (1 of 2 is there) or the watermark to reach its end"},
		{trigger.InOrder(trigger.AfterCount(2), trigger.AfterCount(5)), 1, 7, "1 more element (1 of 2 is there)"},
		{trigger.OrFinally(trigger.Repeat(trigger.AfterCount(2)), trigger.AfterWatermark()), 1, 7, "1 more element (1 of 2 is there) or the watermark to reach its end"},
		{trigger.Never(), 4, 20, "nothing: its trigger never fires by itself"},
	} {
		p, err := trigger.Compile(c.trigger)
		if err != nil {
			t.Fatal(err)
		}
		s, m := make(trigger.State, p.Words()), trigger.Moment{W: c.w, Due: 10}
		for range c.elements {
			p.OnElement(s, m)
		}
		if got := p.Waits(s, m); got != c.want {
			t.Errorf("%v after %d elements at the watermark %d: %q, want %q", c.trigger, c.elements, c.w, got, c.want)
		}
	}
}
