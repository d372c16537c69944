// Command lesson prints what a watermark's delay costs on the readings of examples/meters, a line a
// setting: with forty readings that come in their month, one or two months later, and a watermark
// that stays none, one or two months behind; with one that never closes a month; and when the last
// readings are lost on the way. All numbers are those of strandline lateness.
//
//	go run ./internal/tools/lesson [-command strandline]
//
// Layer: a tool of the house. It runs the program and knows nothing of the engine.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	program := flag.String("command", "", "the program to run, if not that of this directory")
	flag.Parse()
	if err := run(*program); err != nil {
		fmt.Fprintln(os.Stderr, "lesson:", err)
		os.Exit(1)
	}
}

func run(program string) error {
	dir, err := os.MkdirTemp("", "lesson-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if program == "" {
		program = filepath.Join(dir, "strandline")
		build := exec.Command("go", "build", "-o", program, "./cmd/strandline")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("strandline cannot be built; run it at the root of the repository: %w", err)
		}
	}
	return lesson(os.Stdout, dir, func(args ...string) ([]byte, error) {
		c := exec.Command(program, args...)
		c.Stderr = os.Stderr
		return c.Output()
	})
}
