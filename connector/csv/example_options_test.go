package csv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/csv"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

// Each malformed record says which of a few reasons it has.
func ExampleSource_Require() {
	type Row struct {
		At    string  `csv:"at"`
		Count uint8   `csv:"count"`
		Ratio float64 `csv:"ratio"`
		Open  bool    `csv:"open"`
	}
	const text = `at,count,ratio,open
2026-03-01T12:00:00Z,1,0.5,true
2026-03-01T12:00:00Z,1
2026-03-01T12:00:00Z,"1"x,0.5,true
2026-03-01T12:00:00Z,1,0.5,maybe
2026-03-01T12:00:00Z,300,0.5,true
2026-03-01T12:00:00Z,,0.5,true
yesterday,1,0.5,true
2026-03-01T12:00:00Z,1,0.50000000000000000000000000000000000000000000000000000000000000,true
`
	reasons := []error{csv.ErrFields, csv.ErrQuote, csv.ErrType, csv.ErrNumber, csv.ErrMissing, csv.ErrTime, csv.ErrTooLong}
	rows := csv.Reader[Row]("rows.csv", strings.NewReader(text)).Ends().
		EventTime("at", timestamp.RFC3339).Require("count").MaxRecord(60)
	err := each(rows, func(r Row) { fmt.Println("read:", r.Count) }, func(m connector.Malformed) {
		for _, reason := range reasons {
			if errors.Is(m.Reason, reason) {
				fmt.Println(reason)
			}
		}
	})
	fmt.Println(err, csv.DefaultMaxRecord)
	// Output:
	// read: 1
	// wrong number of fields
	// misplaced quote
	// wrong type
	// number does not fit
	// missing field
	// event time cannot be read
	// line is too long
	// <nil> 1048576
}

// A file without a header, with semicolons and comments. Columns that a type asks for and the file
// has not are an error before anything is read.
func ExampleSource_Columns() {
	type Row struct {
		Name string `csv:"name"`
		N    int    `csv:"n"`
	}
	const text = "# of today\na;1\nb;2\n"
	plain := csv.Reader[Row]("plain.csv", strings.NewReader(text)).Ends().Delimiter(';').Comment('#')
	fmt.Println(each(plain.Columns("name", "n"), func(r Row) { fmt.Println(r) }, nil))

	_, err := csv.Reader[Row]("other.csv", strings.NewReader("x,y\n1,2\n")).Ends().Splits(context.Background())
	if err == nil {
		err = each(csv.Reader[Row]("other.csv", strings.NewReader("x,y\n1,2\n")).Ends(), func(Row) {}, nil)
	}
	fmt.Println(err == nil || errors.Is(err, csv.ErrHeader))
	// Output:
	// {a 1}
	// {b 2}
	// <nil>
	// true
}

// Archives of many files: how many are read at once, and what a compressed one may become.
func ExampleFile() {
	type Row struct {
		At string `csv:"at"`
	}
	archive := csv.File[Row]("2026-*.csv.gz").EventTime("at", timestamp.Seconds).
		SplitPerFile().Parallel(4).
		MaxDecompressed(10 << 30).MaxRatio(200). // csv.ErrExpands beyond that
		AcceptUnlikelyTimes()                    // or csv.ErrUnlikelyTimes if they look like another unit
	fmt.Println(archive.Name(), archive.Bounded(), archive.Timed())
	fmt.Println(csv.ErrExpands != nil, csv.ErrUnlikelyTimes != nil)
	// Output:
	// 2026-*.csv.gz true true
	// true true
}

// A file that grows is looked at twice a second; standard input is read as it comes.
func ExampleTail() {
	type Row struct {
		At string `csv:"at"`
	}
	fmt.Println(csv.Tail[Row]("today.csv").Poll(500 * time.Millisecond).Bounded())
	fmt.Println(csv.Stdin[Row]().Bounded())
	// Output:
	// false
	// false
}

func ExampleStdout() {
	type Row struct {
		Name string `csv:"name"`
		N    int    `csv:"n"`
	}
	ctx := context.Background()
	w, err := csv.Stdout().Delimiter(';').NoHeader().Open(ctx) // as a run does
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	w.Write(ctx, connectortest.NewRows([]Row{{"a", 3}, {"b", 1}}))
	w.Flush(ctx)
	w.Close()
	// Output:
	// a;3
	// b;1
}
