package timestamp_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
)

// The same instant in several layouts.
func ExampleLayout() {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range []struct {
		layout timestamp.Layout
		text   string
	}{
		{timestamp.RFC3339, "2026-03-01T12:00:00.5Z"},
		{timestamp.Seconds, "1772366400.5"},
		{timestamp.Millis, "1772366400500"},
		{timestamp.Micros, "1772366400500000"},
		{timestamp.Nanos, "1772366400500000000"},
		{timestamp.Format("02.01.2006 15:04:05.0", berlin), "01.03.2026 13:00:00.5"},
	} {
		us, err := c.layout.ParseMicros([]byte(c.text))
		fmt.Println(time.UnixMicro(us).UTC().Format(time.RFC3339Nano), c.layout.IsNumber(), err)
	}
	_, err = timestamp.Format("2006-01-02 15:04", berlin).Parse("2026-03-29 02:30")
	fmt.Println("the clock skipped it:", errors.Is(err, timestamp.ErrSkipped))
	_, err = timestamp.Seconds.Parse("99999999999999999")
	fmt.Println("beyond all years:", errors.Is(err, timestamp.ErrRange))
	// Output:
	// 2026-03-01T12:00:00.5Z false <nil>
	// 2026-03-01T12:00:00.5Z true <nil>
	// 2026-03-01T12:00:00.5Z true <nil>
	// 2026-03-01T12:00:00.5Z true <nil>
	// 2026-03-01T12:00:00.5Z true <nil>
	// 2026-03-01T12:00:00.5Z false <nil>
	// the clock skipped it: true
	// beyond all years: true
}

// Seconds that were declared as milliseconds all fall into January 1970.
func ExampleProbe() {
	p := timestamp.NewProbe(timestamp.Millis)
	for s := 1_772_366_400; !p.Full(); s++ {
		p.Add(fmt.Append(nil, s))
	}
	err := p.Judge(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	fmt.Println(errors.Is(err, timestamp.ErrUnlikely))
	// Output: true
}
