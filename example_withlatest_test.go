package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

type rate struct {
	Currency string
	Percent  int64
}

// Every sale is taxed at the latest rate that is known. It waits for the first one only.
func ExamplePCollection_WithLatest() {
	p := strandline.New("taxes")
	rates := strandline.Read(p, memory.Slice("rates", []rate{{"EUR", 19}}), watermark.Ascending(), func(*rate) time.Time { return time.Unix(0, 0) })

	readSales(p).WithLatest("tax", rates, func(x *strandline.Context, s *sale, r *rate, emit func(string)) {
		emit(fmt.Sprintf("%s, minute %d: %d%% of %d", s.Shop, s.Minute, r.Percent, s.Euros))
	}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north, minute 5: 19% of 10
	// south, minute 12: 19% of 30
	// north, minute 70: 19% of 8
	// south, minute 40: 19% of 20
}

// The latest manager of each shop, as a map. The later of two counts, in whichever order they
// come.
func ExamplePCollection_WithLatestMap() {
	type manager struct {
		Shop string
		Day  int64
		Name string
	}
	p := strandline.New("managers")
	managers := strandline.Read(p, memory.Slice("managers", []manager{{"north", 2, "Bo"}, {"south", 1, "Cy"}, {"north", 1, "Al"}}),
		watermark.Bounded(48*time.Hour), func(m *manager) time.Time { return time.Unix(86400*m.Day, 0) }).
		KeyBy("shop", func(m *manager) string { return m.Shop })

	readSales(p).WithLatestMap("manager", managers, func(x *strandline.Context, s *sale, of map[string]manager, emit func(string)) {
		emit(fmt.Sprintf("%s, minute %d: %s", s.Shop, s.Minute, of[s.Shop].Name))
	}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north, minute 5: Bo
	// south, minute 12: Cy
	// north, minute 70: Bo
	// south, minute 40: Cy
}
