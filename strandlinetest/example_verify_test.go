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

// Counts per key and minute are the same whatever the run is like. In a test,
// strandlinetest.Verify(t, ...) takes the place of Check.
func ExampleVerification() {
	type visit struct {
		Page   string
		Second int64
	}
	err := strandlinetest.Verification[visit, strandline.KV[string, int64]]{
		Data:  []visit{{"/home", 7}, {"/help", 52}, {"/home", 48}, {"/home", 63}},
		Time:  func(v *visit) time.Time { return time.Unix(v.Second, 0) },
		Bound: 10 * time.Second,
		Build: func(in strandline.PCollection[visit]) strandline.PCollection[strandline.KV[string, int64]] {
			return in.KeyBy("page", func(v *visit) string { return v.Page }).
				WindowInto(window.Fixed(time.Minute)).
				CombinePerKey("count", combine.Count[visit]()).PCollection
		},
	}.Check(context.Background())
	fmt.Println("always the same:", err == nil)
	// Output: always the same: true
}
