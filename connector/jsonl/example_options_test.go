package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

// Each malformed line says which of a few reasons it has.
func ExampleSource_Require() {
	type Row struct {
		At    string `json:"at"`
		Count uint8  `json:"count"`
	}
	const text = `{"at":"2026-03-01T12:00:00Z","count":1}
{"at":"2026-03-01T12:00:00Z","count":1
{"at":"2026-03-01T12:00:00Z","count":1,"count":2}
{"at":"2026-03-01T12:00:00Z","count":"one"}
{"at":"2026-03-01T12:00:00Z","count":300}
{"at":"2026-03-01T12:00:00Z"}
{"at":"yesterday","count":1}
{"at":"2026-03-01T12:00:00Z","count":1,"x":[[[[[]]]]]}
{"at":"2026-03-01T12:00:00Z","count":1,"x":"                                                  "}
`
	reasons := []error{jsonl.ErrSyntax, jsonl.ErrDuplicateKey, jsonl.ErrType, jsonl.ErrNumber, jsonl.ErrMissing, jsonl.ErrTime, jsonl.ErrTooDeep, jsonl.ErrTooLong}
	ctx := context.Background()
	splits, err := jsonl.Reader[Row]("rows.jsonl", strings.NewReader(text)).Ends().
		EventTime("at", timestamp.RFC3339).Require("count").MaxLine(80).MaxDepth(3).Splits(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := splits[0].Open(ctx) // as a run does
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	var b connector.Batch[Row]
	for r.Read(ctx, &b) == nil {
		fmt.Println("read:", len(b.Values))
		for _, m := range b.Malformed {
			for _, reason := range reasons {
				if errors.Is(m.Reason, reason) {
					fmt.Println(reason)
				}
			}
		}
	}
	fmt.Println(jsonl.DefaultMaxLine, jsonl.DefaultMaxDepth)
	// Output:
	// read: 1
	// not valid JSON
	// duplicate key
	// wrong type
	// number does not fit
	// missing field
	// event time cannot be read
	// nested too deep
	// line is too long
	// 16777216 128
}

// Archives of many files: how many are read at once, and what a compressed one may become.
func ExampleFile() {
	type Row struct {
		At int64 `json:"at"`
	}
	archive := jsonl.File[Row]("2026-*.jsonl.zst").EventTime("at", timestamp.Seconds).
		SplitPerFile().Parallel(4).
		MaxDecompressed(10 << 30).MaxRatio(200). // jsonl.ErrExpands beyond that
		AcceptUnlikelyTimes()                    // or jsonl.ErrUnlikelyTimes if they look like another unit
	fmt.Println(archive.Name(), archive.Bounded(), archive.Timed())
	fmt.Println(jsonl.ErrExpands != nil, jsonl.ErrUnlikelyTimes != nil)
	// Output:
	// 2026-*.jsonl.zst true true
	// true true
}

// A file that grows is looked at twice a second; standard input is read as it comes.
func ExampleTail() {
	type Row struct {
		At int64 `json:"at"`
	}
	fmt.Println(jsonl.Tail[Row]("today.jsonl").Poll(500 * time.Millisecond).Bounded())
	fmt.Println(jsonl.Stdin[Row]().Bounded())
	// Output:
	// false
	// false
}

func ExampleCreate() {
	type Row struct {
		Name string `json:"name"`
		N    int    `json:"n"`
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	for _, sink := range []connector.Sink{jsonl.Create(filepath.Join(dir, "rows.jsonl.gz")), jsonl.Stdout()} {
		w, err := sink.Open(ctx) // as a run does
		if err != nil {
			fmt.Println(err)
			return
		}
		w.Write(ctx, connectortest.NewRows([]Row{{"a", 3}, {"b", 1}}))
		w.Flush(ctx)
		w.Close()
	}
	// Output:
	// {"name":"a","n":3}
	// {"name":"b","n":1}
}
