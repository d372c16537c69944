package main

import (
	"encoding/json/v2"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

var p11Lines = flag.Int("latenesslines", million, "how many lines the file of P11 has")

// p11: strandline lateness with twenty settings of the pipeline of p4, against three runs of it: what each
// setting costs is to be known for the price of three. Records are gone over as they are read: a recording
// of a million would take half a gigabyte, and not the quarter of it that is allowed for them here.
func p11(b *board) {
	dir, err := os.MkdirTemp("", "bench-p11-*")
	if err == nil {
		defer os.RemoveAll(dir)
		err = b.p11In(dir)
	}
	if err != nil {
		b.skip("P11", err)
	}
}

func (b *board) p11In(dir string) error {
	program, err := strandlineIn(dir)
	if err != nil {
		return err
	}
	in, pipeline := filepath.Join(dir, "events.json"), filepath.Join(dir, "pipeline.yaml")
	if err := errors.Join(p4File(in, "json", *p11Lines), os.WriteFile(pipeline, p4JSON.pipeline(in, filepath.Join(dir, "out.csv")), 0o666)); err != nil {
		return err
	}
	var failed error
	var megabytes float64
	run := func(args ...string) []byte {
		cmd := exec.Command(program, args...)
		out, err := cmd.Output()
		if args[0] == "lateness" && err == nil {
			megabytes = max(megabytes, maxRSS(cmd.ProcessState))
		}
		if err != nil && failed == nil {
			failed = fmt.Errorf("strandline %s: %w", args[0], err)
		}
		return out
	}
	var answer []byte
	times := duel(b.turns, clocked(func() {
		answer = run("lateness", pipeline, "--bound", "0s,1s,2s,3s,5s", "--allowed", "0s,1s,2s,5s", "--json")
	}), clocked(func() { run("run", pipeline) }))
	if err := errors.Join(failed, p11Check(answer)); err != nil {
		return err
	}
	b.limit("P11", "memory", "RSS", "MB", megabytes, 128*float64(*p11Lines)/million)
	times[1] *= 3
	b.compare("P11", "20 settings", *p11Lines, "lateness", "3 x plain", 1, times)
	return nil
}

// p11Check looks whether the answer may be true: records are up to five seconds late.
func p11Check(answer []byte) error {
	var r struct {
		Settings []struct {
			Dropped  int `json:"dropped"`
			Polluted int `json:"polluted"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(answer, &r); err != nil {
		return err
	}
	if n := len(r.Settings); n != 20 {
		return fmt.Errorf("there are %d settings", n)
	}
	first, last := r.Settings[0], r.Settings[19]
	if first.Dropped == 0 || first.Polluted == 0 || last.Dropped != 0 || last.Polluted != 0 {
		return fmt.Errorf("%+v are dropped and polluted without a delay, %+v with all", first, last)
	}
	return nil
}
