package strandlinetest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/strandlinetest"
)

func ExampleStream_AdvanceWatermark() {
	p := strandline.New("backwards")
	s := strandlinetest.NewStream[string]("letters")
	s.Read(p)
	_, err := s.AdvanceWatermark(time.Unix(10, 0)).AdvanceWatermark(time.Unix(9, 0)).Play(context.Background(), p)
	fmt.Println(err)
	// Output: example_watermark_test.go:16: AdvanceWatermark: watermark moved backwards: from 1970-01-01T00:00:10Z to 1970-01-01T00:00:09Z
}
