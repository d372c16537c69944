package csv_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/csv"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

// each reads all that a source has, as a run does.
func each[T any](s connector.Source[T], f func(T), bad func(connector.Malformed)) error {
	ctx := context.Background()
	splits, err := s.Splits(ctx)
	if err != nil {
		return err
	}
	for _, split := range splits {
		r, err := split.Open(ctx)
		if err != nil {
			return err
		}
		defer r.Close()
		var b connector.Batch[T]
		for r.Read(ctx, &b) == nil {
			for _, v := range b.Values {
				f(v)
			}
			for _, m := range b.Malformed {
				bad(m)
			}
		}
	}
	return nil
}

func Example() {
	type Trip struct {
		Vehicle string   `csv:"vehicle"`
		Speed   *float64 `csv:"speed_kmh"`
	}
	const text = `time,vehicle,speed_kmh
2026-03-01T12:00:00Z,"bus 7, red",31.5
2026-03-01T12:00:01Z,tram,
2026-03-01T12:00:02Z,"tram,12
2026-03-01T12:00:03Z,ferry,9
`
	trips := csv.Reader[Trip]("trips.csv", strings.NewReader(text)).Ends().EventTime("time", timestamp.RFC3339)
	err := each(trips, func(t Trip) {
		if t.Speed == nil {
			fmt.Println(t.Vehicle, "at an unknown speed")
		} else {
			fmt.Println(t.Vehicle, "at", *t.Speed, "km/h")
		}
	}, func(m connector.Malformed) {
		fmt.Println("malformed:", m)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// bus 7, red at 31.5 km/h
	// tram at an unknown speed
	// ferry at 9 km/h
	// malformed: trips.csv:4: misplaced quote: in field 2 its quote is not closed
}

func ExampleCreate() {
	type Count struct {
		Sensor string `csv:"sensor"`
		N      int    `csv:"n"`
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "counts.csv")
	ctx := context.Background()
	w, err := csv.Create(path).Open(ctx) // as a run does
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Write(ctx, connectortest.NewRows([]Count{{"a", 3}, {`the "new" one`, 1}, {"", 2}}))
	w.Flush(ctx)
	w.Close()
	text, _ := os.ReadFile(path)
	fmt.Print(string(text))
	// Output:
	// sensor,n
	// a,3
	// "the ""new"" one",1
	// "",2
}
