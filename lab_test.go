package strandline_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

type reading struct {
	At     int64
	Sensor string
}

var lab = []reading{{2, "a"}, {5, "b"}, {8, "a"}, {13, "c"}, {3, "a"}, {16, "b"}, {25, "a"}, {7, "b"}, {22, "c"}, {28, "a"}}

func TestLab(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		for _, batch := range []int{1, 3, 1000} {
			p := strandline.New("lab")
			r := strandline.Read(p, memory.Slice("lab", lab).Batch(batch), watermark.Bounded(5*time.Second),
				func(r *reading) time.Time { return time.Unix(r.At, 0) })
			c := r.WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[reading]())
			got := map[string]int64{}
			strandline.Each(c.PCollection, "got", func(x strandline.Pane[int64]) { got[x.Window.String()] += x.Value })
			var late []strandline.Late[reading]
			strandline.Each(c.OnLate(func(l strandline.Late[reading]) strandline.Late[reading] { return l }), "late", func(x strandline.Pane[strandline.Late[reading]]) {
				late = append(late, x.Value)
			})
			rep, err := p.Run(context.Background(), strandline.Workers(workers))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(got, late, rep.Steps[2].Counts)
		}
	}
}
