package connector_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
)

// A source of one's own, read as a run reads it: split by split, batch by batch, to the end.
func ExampleSource() {
	ctx := context.Background()
	var source connector.Source[int] = countdown{3}
	splits, err := source.Splits(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	var split connector.Split[int] = splits[0]
	var r connector.Reader[int]
	if r, err = split.Open(ctx); err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for {
		var b connector.Batch[int]
		if err := r.Read(ctx, &b); err == io.EOF {
			break
		} else if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(split.Name(), b.Values, len(b.Malformed), b.CaughtUp, len(b.Values) <= connector.BatchSize)
	}
	// Output: countdown [3 2 1] 0 false true
}

// A reader that says how far it has come: the books of a run have it.
func ExamplePositioner() {
	ctx := context.Background()
	inner, _ := countdown{3}.Open(ctx)
	var r connector.Reader[int] = &counted{Reader: inner}
	defer r.Close()
	var b connector.Batch[int]
	if err := r.Read(ctx, &b); err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.(connector.Positioner).Position())
	// Output: record 3
}

// counted is a reader that counts what it gives.
type counted struct {
	connector.Reader[int]
	n int
}

func (c *counted) Read(ctx context.Context, b *connector.Batch[int]) error {
	err := c.Reader.Read(ctx, b)
	c.n += len(b.Values)
	return err
}

func (c *counted) Position() string { return fmt.Sprintf("record %d", c.n) }

// A sink of one's own, and what a row is beside its value.
func ExampleSink() {
	ctx := context.Background()
	sum := 0
	var sink connector.Sink = total{&sum}
	var w connector.Writer
	w, err := sink.Open(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	var rows connector.Rows = connectortest.NewRows([]int{1, 2, 3})
	if err := w.Write(ctx, rows); err != nil {
		fmt.Println(err)
	}
	_, in := rows.Window(0)
	fmt.Println(sum, rows.Len(), rows.Value(2), rows.Time(0), in, rows.Pane(0))
	fmt.Println(w.Flush(ctx), w.Close())
	// Output:
	// 6 3 3 0 false unknown pane 0 (0), first, last
	// <nil> <nil>
}

// What a run returns if it writes into a pipe whose reader has seen enough.
func ExampleErrReaderGone() {
	err := fmt.Errorf("stdout: %w", connector.ErrReaderGone)
	if errors.Is(err, connector.ErrReaderGone) {
		fmt.Println("not complete, and no fault of the program's")
	}
	// Output: not complete, and no fault of the program's
}

// A record that could not be read: its bytes, its place and the reason.
func ExampleMalformed() {
	m := connector.Malformed{Raw: []byte("12,x"), Position: "counts.csv:7", Reason: errors.New("x is no number")}
	fmt.Println(m)
	// Output: counts.csv:7: x is no number
}
