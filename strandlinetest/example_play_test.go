package strandlinetest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/window"
)

// What does not hold is shown as a difference: "-" was expected and did not come, "+" came and
// was not expected.
func ExampleStream_Play() {
	p := strandline.New("letters")
	s := strandlinetest.NewStream[string]("letters")
	counts := s.Read(p).WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[string]())
	out := strandlinetest.Collect(counts.PCollection)

	_, err := s.
		Add(time.Unix(9, 0), "in the first window").
		Add(time.Unix(10, 0), "in the second").
		AdvanceWatermark(time.Unix(10, 0)).
		Expect(out, strandlinetest.Value(int64(2)).OnTime()).
		Play(context.Background(), p)
	fmt.Println(err)
	// Output:
	// Unmatched output: example_play_test.go:26 Expect after example_play_test.go:25 AdvanceWatermark to 1970-01-01T00:00:10Z
	// 	- 2, on time
	// 	+ 1, in [1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z), at 1970-01-01T00:00:09.999999Z, on time pane 0 (0), first, last
}
