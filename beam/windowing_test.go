package beam

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// assigner gives what a transcript calls window_fn. Its numbers are seconds.
func assigner(text string) (window.Assigner, error) {
	c, err := parseCall(text)
	if err != nil {
		return nil, err
	}
	if c.name == "GlobalWindows" {
		return window.Global(), c.none()
	}
	n, err := c.number()
	size := time.Duration(n) * time.Second
	switch c.name {
	case "FixedWindows":
		return window.Fixed(size), err
	case "Sessions":
		return window.Session(size), err
	case "CustomTimestampingFixedWindowsWindowFn":
		return later(size), err
	}
	return nil, fmt.Errorf("%s is a windowing that this test does not know", c.name)
}

// later gives fixed windows that date their outputs 100 s after the time that is chosen: Beam's
// harness has them to see when a windowing is asked for its output time.
func later(size time.Duration) window.Assigner {
	fixed := window.Fixed(size)
	return window.Custom("later "+fixed.String(), func(t time.Time) []window.Interval {
		return fixed.Assign(nil, t.UnixMicro())
	}).OutputTimes(func(_ window.Interval, t time.Time) time.Time { return t.Add(100 * time.Second) })
}

// triggerOf gives what a transcript calls trigger_fn.
func triggerOf(text string) (trigger.Trigger, error) {
	c, err := parseCall(text)
	if err != nil {
		return nil, err
	}
	return c.trigger()
}

func (c call) trigger() (trigger.Trigger, error) {
	switch c.name {
	case "Default":
		return trigger.Default(), c.none()
	case "AfterCount":
		n, err := c.number()
		return trigger.AfterCount(int(n)), err
	case "AfterWatermark":
		if len(c.args) > 0 {
			return nil, fmt.Errorf("%s takes early and late by name", c.name)
		}
		t := trigger.AfterWatermark()
		for key, arg := range c.keys {
			of, err := arg.trigger()
			if err != nil {
				return nil, err
			}
			switch key {
			case "early":
				t = t.Early(of)
			case "late":
				t = t.Late(of)
			default:
				return nil, fmt.Errorf("%s knows no %q", c.name, key)
			}
		}
		return t, nil
	}
	return nil, fmt.Errorf("%s is a trigger that this test does not know", c.name)
}

// outputTime gives what a transcript calls timestamp_combiner.
func outputTime(text string) (strandline.OutputTime, error) {
	o, ok := map[string]strandline.OutputTime{
		"OUTPUT_AT_EOW":                  strandline.EndOfWindow,
		"OUTPUT_AT_EARLIEST":             strandline.Earliest,
		"OUTPUT_AT_LATEST":               strandline.Latest,
		"OUTPUT_AT_EARLIEST_TRANSFORMED": strandline.EarliestTransformed,
	}[text]
	if !ok {
		return 0, fmt.Errorf("%s is a timestamp combiner that this test does not know", text)
	}
	return o, nil
}
