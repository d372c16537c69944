package main

import (
	"bytes"
	"encoding/json/v2"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	readings = "examples/meters/meter_readings.jsonl"
	pipeline = "examples/meters/lateness.yaml"
	late     = "2026-07" // the month of which forty readings come late
	delayed  = "A040"    // the last subscriber whose reading does
	month    = "2006-01"
)

// regions are those that are served, in the order in which they are printed.
var regions = []string{"central", "north", "east", "west", "south"}

// result is what is used of the result of strandline lateness.
type result struct {
	Settings []outcome `json:"settings"`
}

type outcome struct {
	Setting struct {
		Periods int `json:"periods"`
	} `json:"setting"`
	Dropped int      `json:"dropped"`
	Outputs []output `json:"outputs"`
	Steps   []struct {
		Step    string `json:"step"`
		Entries int    `json:"entries"`
	} `json:"state_steps"`
	Written []struct {
		Window time.Time `json:"window"`
		In     time.Time `json:"in"`
	} `json:"written"`
}

type output struct {
	Step     string `json:"step"`
	Complete int    `json:"complete"`
	Cells    int    `json:"cells"`
	Polluted int    `json:"polluted"`
	Sample   []struct {
		Key string `json:"key"`
		Got string `json:"got"`
	} `json:"sample"`
}

// lesson prints a line for each setting. command runs strandline and gives what it prints; dir takes
// the inputs, which are made of the readings.
func lesson(w io.Writer, dir string, command func(args ...string) ([]byte, error)) error {
	file, err := os.ReadFile(readings)
	if err != nil {
		return err
	}
	paths := make([]string, 3)
	for delay := range paths {
		arrived, err := arriving(file, delay)
		if err != nil {
			return err
		}
		paths[delay] = filepath.Join(dir, fmt.Sprintf("delay-%d.jsonl", delay))
		if err := os.WriteFile(paths[delay], arrived, 0o644); err != nil {
			return err
		}
	}
	try := func(delay int, flags ...string) ([]outcome, error) {
		args := append([]string{"lateness", pipeline, "--set", "readings=" + paths[delay], "--json", "--cells", "5"}, flags...)
		text, err := command(args...)
		if err != nil {
			return nil, fmt.Errorf("strandline %s: %w", strings.Join(args, " "), err)
		}
		var r result
		return r.Settings, json.Unmarshal(text, &r)
	}
	for _, x := range []struct {
		delay   int
		periods string
	}{{0, "0,1,2"}, {1, "0,1,2"}, {2, "0,1,2"}, {1, "11"}} { // with a tolerance of 11 no month closes
		settings, err := try(x.delay, "--periods", x.periods)
		if err != nil {
			return err
		}
		for _, s := range settings {
			if err := s.print(w, x.delay); err != nil {
				return err
			}
		}
	}
	lost, err := try(1, "--periods", "1", "--lose-state-at", "2026-08")
	if err != nil {
		return err
	}
	return lost[0].printLost(w)
}

// arriving gives the readings in the order of arrival, each with the month of its arrival: its own
// but for forty of July, which come so many months later.
func arriving(file []byte, delay int) ([]byte, error) {
	type line struct {
		text    string
		arrival time.Time
	}
	var lines []line
	for text := range strings.Lines(string(file)) {
		var r struct {
			Subscriber string `json:"subscriber"`
			Period     string `json:"period"`
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return nil, err
		}
		at, err := time.Parse(month, r.Period)
		if err != nil {
			return nil, err
		}
		if r.Period == late && r.Subscriber <= delayed {
			at = at.AddDate(0, delay, 0)
		}
		lines = append(lines, line{strings.TrimSuffix(strings.TrimSpace(text), "}"), at})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.arrival.Compare(b.arrival) })
	var b bytes.Buffer
	for _, l := range lines {
		fmt.Fprintf(&b, "%s, \"arrival\": %q}\n", l.text, l.arrival.Format(month))
	}
	return b.Bytes(), nil
}

func (o *outcome) output(step string) (*output, error) {
	for i := range o.Outputs {
		if o.Outputs[i].Step == step {
			return &o.Outputs[i], nil
		}
	}
	return nil, fmt.Errorf("there is no output %s", step)
}

// print prints the line of a setting: state are the readings that wait in open windows and the last
// readings that are kept.
func (o *outcome) print(w io.Writer, delay int) error {
	cells, err := o.output("Cell")
	if err != nil {
		return err
	}
	served, err := o.served()
	if err != nil {
		return err
	}
	state, in := 0, "never"
	for _, s := range o.Steps {
		if s.Step == "Month" || s.Step == "Previous" {
			state += s.Entries
		}
	}
	for _, x := range o.Written {
		if x.Window.Format(month) == late {
			in = x.In.Format(month)
		}
	}
	_, err = fmt.Fprintf(w, "delay %d tolerance %d  dropped %d  state %d  polluted %d of %d  %s written %s  serving %s\n",
		delay, o.Setting.Periods, o.Dropped, state, cells.Polluted, cells.Complete, late, in, served)
	return err
}

// printLost prints the line of the run that loses what it carries from month to month.
func (o *outcome) printLost(w io.Writer) error {
	cells, err := o.output("Cell")
	if err != nil {
		return err
	}
	unknown, err := o.output("Uncomputable")
	if err != nil {
		return err
	}
	served, err := o.served()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "state lost  uncomputable %d  cells %d  polluted %d  serving %s\n", unknown.Cells, cells.Cells, cells.Polluted, served)
	return err
}

// served is "same" if the means are those of the complete answer, and else those that are not.
func (o *outcome) served() (string, error) {
	means, err := o.output("Means")
	if err != nil || means.Polluted == 0 {
		return "same", err
	}
	got := map[string]string{}
	for _, c := range means.Sample {
		var key struct {
			Region string `json:"region"`
		}
		var value struct {
			Mean float64 `json:"mean_m3"`
		}
		if err := json.Unmarshal([]byte(c.Key), &key); err != nil {
			return "", err
		}
		got[key.Region] = "none"
		if c.Got != "" {
			if err := json.Unmarshal([]byte(c.Got), &value); err != nil {
				return "", err
			}
			got[key.Region] = fmt.Sprint(value.Mean)
		}
	}
	var parts []string
	for _, r := range regions {
		if mean, polluted := got[r]; polluted {
			parts = append(parts, r+" "+mean)
		}
	}
	return strings.Join(parts, " "), nil
}
