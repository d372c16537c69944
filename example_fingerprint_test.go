package strandline_test

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// A pipeline that is built again, in another process too, has the same steps and the same
// fingerprint. Printed it is a line a step.
func ExamplePipeline_Fingerprint() {
	build := func(size time.Duration) *strandline.Pipeline {
		p := strandline.New("events")
		strandline.Read(p, memory.Slice("seconds", []int64{}), watermark.Ascending(),
			func(s *int64) time.Time { return time.Unix(*s, 0) }).
			WindowInto(window.Fixed(size)).
			Combine("count", combine.Count[int64]())
		return p
	}
	p := build(10 * time.Second)
	fmt.Println(p.Fingerprint() == build(10*time.Second).Fingerprint())
	fmt.Println(p.Fingerprint() == build(20*time.Second).Fingerprint())
	// Output:
	// true
	// false
}
