package main

import (
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/window"
)

// Reading is a line of the file: where a subscriber's meter stood in a month.
type Reading struct {
	Subscriber string `json:"subscriber"`
	Period     string `json:"period"` // the month, such as 2026-07: the event time
	Region     string `json:"region"`
	Index      int64  `json:"index"` // the meter's running total
	Unit       string `json:"unit"`
}

// Usage is what a subscriber used in a month, if it is known.
type Usage struct {
	Reading
	M3    int64
	Known bool
}

// meter is what is kept of a subscriber from month to month.
type meter struct {
	Known  bool
	Last   int64
	Losses int // see consumption
}

// Consumption is what the readings come to.
type Consumption struct {
	Months  strandline.Results[string, Reading, []Reading] // the readings of a subscriber and month
	Unknown strandline.PCollection[Reading]                // that have no earlier reading to be compared with
	Cells   strandline.Results[string, Usage, int64]       // m³ of a region and month
	Served  strandline.Results[string, int64, float64]     // mean of a region's cells
}

// consumption adds up what the meters went on by, by region and month. In the month first there
// are no earlier readings, and that is as it should be. Losses, if it is not nil, says how often what
// was kept from month to month has been lost: for trials of what that does.
func consumption(readings strandline.PCollection[Reading], first time.Time, losses func() int) Consumption {
	if losses == nil {
		losses = func() int { return 0 }
	}
	var c Consumption
	c.Months = strandline.GroupByKey("months", readings.
		KeyBy("subscriber", func(r *Reading) string { return r.Subscriber }).
		WindowInto(window.Months()))

	// A month comes when it closes, and the months of a subscriber come in their order. If it
	// was read several times the reading that arrived first counts.
	usage := c.Months.Keyed().Stateful("usage", strandline.PerKey,
		func(x *strandline.Turn[string, Usage], m *meter, month *[]Reading) {
			r := (*month)[0]
			known := m.Known && m.Losses == losses()
			if w, _ := x.Window(); known || !w.Contains(first) {
				x.Emit(Usage{r, r.Index - m.Last, known})
			}
			*m = meter{true, r.Index, losses()}
		}, nil)

	known, unknown := usage.ParDo2("known", func(_ *strandline.Context, u *Usage, known func(Usage), unknown func(Reading)) {
		if u.Known {
			known(*u)
		} else {
			unknown(u.Reading)
		}
	})
	c.Unknown = unknown
	c.Cells = known.
		KeyBy("region", func(u *Usage) string { return u.Region }).
		CombinePerKey("cells", combine.Sum(func(u *Usage) int64 { return u.M3 }))
	c.Served = c.Cells.Keyed().
		WindowInto(window.Global()).
		CombinePerKey("served", combine.Mean(combine.Self[int64]))
	return c
}
