package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// call is an element of the examples that ask a run.
type call struct {
	At   time.Time
	City town
}

// town is a key that is neither text nor number.
type town struct{ Country, Name string }

var calls = []call{
	{time.Date(2026, 7, 1, 10, 1, 0, 0, time.UTC), town{"fr", "Nice"}},
	{time.Date(2026, 7, 1, 10, 8, 12, 0, time.UTC), town{"fr", "Nice"}},
	{time.Date(2026, 7, 1, 10, 12, 0, 0, time.UTC), town{"fr", "Nice"}},
	{time.Date(2026, 7, 1, 10, 9, 0, 0, time.UTC), town{"fr", "Nice"}},
}

// perTown counts calls per town in ten minutes, and says how people write towns.
func perTown() *strandline.Pipeline {
	p := strandline.New("calls")
	strandline.Read(p, memory.Slice("calls", calls), watermark.Ascending(), func(v *call) time.Time { return v.At }).
		WindowInto(window.Fixed(10*time.Minute)).
		KeyBy("town", func(v *call) town { return v.City }).
		CombinePerKey("per town", combine.Count[call]()).
		WriteTo(memory.Collect(new([]strandline.KV[town, int64])))
	p.NameKeys(strandline.KeyNames{
		Parse: func(_ string, text []string) (any, error) { return town{text[0], text[1]}, nil },
		Show:  func(_ string, key any) string { c := key.(town); return c.Name + " (" + c.Country + ")" },
	})
	return p
}

// A run is taken to a moment of its recorded input, and asked there why nothing has come out.
func ExampleRunning_Why() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	moment := time.Date(2026, 7, 1, 10, 8, 0, 0, time.UTC)
	running := perTown().Start(ctx, strandline.PauseWhen(func(read int64, watermark time.Time) bool {
		return watermark.After(moment)
	}))
	<-running.Paused()

	var answer strandline.Answer
	answer, err := running.Why(ctx, strandline.Question{
		Step: "per town", Key: []string{"fr", "Nice"}, Window: time.Date(2026, 7, 1, 10, 0, 0, 0, time.UTC)})
	if errors.Is(err, strandline.ErrNoAnswer) {
		fmt.Println("it is busy, or its sink is slow")
	} else if err != nil {
		fmt.Println(err)
	}
	var window strandline.WindowAnswer = answer.Windows[0]
	fmt.Println(window.State, window.HeldBy)
	fmt.Println(answer)
	// Output:
	// waiting calls split 1
	// [2026-07-01 10:00, 10:10) of Nice (fr) has not fired because the watermark stands at 10:08:12; it is held by `calls`, last record 10:08:12, the 2nd record
}

// What became of the fourth record: it was behind the third.
func ExampleFollow() {
	q := strandline.Question{Step: "per town", Record: 4}
	running := perTown().Start(context.Background(), strandline.Follow(q))
	if _, err := running.Wait(); err != nil {
		fmt.Println(err)
	}
	answer, err := running.Why(context.Background(), q)
	if err != nil {
		fmt.Println(err)
	}
	var record strandline.RecordAnswer = answer.Records[0]
	fmt.Println(record.Fates)
	fmt.Println(strings.ReplaceAll(record.Text, "; ", ";\n"))
	// Output:
	// [dropped]
	// record 4 of Nice (fr), of 2026-07-01 10:09, came when the watermark stood at 10:12;
	// it was too late for [10:00, 10:10), which had expired at 10:10
}

// How a run stands: what each split of a source has given, and what each windowed step holds.
func ExampleRunning_Inspect() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	running := perTown().Start(ctx, strandline.PauseWhen(func(read int64, _ time.Time) bool { return read == 2 }))
	<-running.Paused()

	var in strandline.Inspection = running.Inspect(ctx)
	var split strandline.SplitState = in.Splits[0]
	fmt.Println(split.Source, split.Read, "read, watermark", split.Watermark.Format("15:04:05"))
	var step strandline.StepState = in.Steps[0]
	fmt.Println(step.Step, step.Open, "open, watermark", step.Watermark.Format("15:04:05"))
	_, err := running.Why(ctx, strandline.Question{Step: "per twon"})
	fmt.Println(err)
	// Output:
	// calls 2 read, watermark 10:08:12
	// per town 2 open, watermark 10:08:12
	// there is no step "per twon"; is "per town" meant?
}
