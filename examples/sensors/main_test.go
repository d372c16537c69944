package main

import (
	"bytes"
	"encoding/json/v2"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

func printed(t *testing.T, source connector.Source[Event]) string {
	t.Helper()
	var out strings.Builder
	if err := run(t.Context(), &out, source); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func events(text string) connector.Source[Event] {
	return jsonl.Reader[Event]("events", strings.NewReader(text)).Ends().EventTime("event_time", timestamp.Seconds)
}

func TestSampleGivesTheKnownAnswers(t *testing.T) {
	file, err := os.ReadFile("expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Lines []string `json:"lines"`
	}
	if err := json.Unmarshal(file, &expected); err != nil {
		t.Fatal(err)
	}
	// 20 is 25 - 5, and 13 is 20 - 7.
	want := strings.Join(append(expected.Lines,
		"late: sensor-b at 7, 13s behind the watermark 20",
		"ledger: 10 read = 10 kept + 0 malformed; 10 assigned = 9 in a window + 0 in a gap + 1 late + 0 closed; 9 in a window = 9 given + 0 open",
	), "\n") + "\n"
	fromFile := jsonl.File[Event]("sensor_events.jsonl").EventTime("event_time", timestamp.Seconds)
	for name, source := range map[string]connector.Source[Event]{"built in": events(string(sample)), "file": fromFile} {
		if got := printed(t, source); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}

func TestEmptyInputGivesALedgerOfZeros(t *testing.T) {
	const want = "late events dropped: 0\n" +
		"ledger: 0 read = 0 kept + 0 malformed; 0 assigned = 0 in a window + 0 in a gap + 0 late + 0 closed; 0 in a window = 0 given + 0 open\n"
	if got := printed(t, events("")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAnUnreadableLineIsCountedAndTheRestGoesOn(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), &out, events("{\"event_time\": 1}\n{\"event_time\": \"soon\"}\n{\"event_time\": 2}\n"))
	if !errors.Is(err, strandline.ErrMalformed) || !strings.Contains(err.Error(), "events:2") {
		t.Errorf("the error is %v, want one that names line 2", err)
	}
	if got := out.String(); !strings.HasPrefix(got, "window [0, 10): 2 events\n") || !strings.Contains(got, "3 read = 2 kept + 1 malformed") {
		t.Errorf("got\n%s", got)
	}
}
