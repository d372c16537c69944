package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
)

// How far a run has come, for somebody who watches it. It is as of a batch ago, so the panes
// that the end of the input has given need not be counted.
func ExampleRunning_Progress() {
	p := strandline.New("watched")
	perShop(p).CombinePerKey("count", combine.Count[sale]()).WriteTo(memory.Collect(new([]strandline.KV[string, int64])))

	running := p.Start(context.Background())
	if _, err := running.Wait(); err != nil {
		fmt.Println(err)
	}
	var far strandline.Progress = running.Progress()
	fmt.Println(far.Read, "read,", far.Malformed, "malformed,", far.Late, "late")
	// Output: 4 read, 0 malformed, 0 late
}
