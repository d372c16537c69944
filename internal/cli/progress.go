package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/prose"
)

const (
	progressAfter = 2 * time.Second        // shorter runs print none
	progressEvery = 500 * time.Millisecond // between two looks
)

// watch prints a line that shows how far a run has come, again and again in its place, until
// the function that it gives is called.
func watch(w io.Writer, running *strandline.Running, total func() (done, of int64)) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		start := time.Now()
		select {
		case <-time.After(progressAfter):
		case <-quit:
			return
		}
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		width := 0
		for {
			done, of := total()
			line := progressLine(running.Progress(), time.Since(start), time.Now(), done, of)
			pad := max(width-len(line), 0)
			width = len(line)
			fmt.Fprintf(w, "\r%s%s", line, strings.Repeat(" ", pad))
			select {
			case <-tick.C:
			case <-quit:
				fmt.Fprintf(w, "\r%s\r", strings.Repeat(" ", width))
				return
			}
		}
	}()
	return func() { close(quit); <-ended }
}

// progressLine says how far a run has come after some time: done of so many bytes, if that is
// known (of is 0 if not).
func progressLine(p strandline.Progress, after time.Duration, now time.Time, done, of int64) string {
	parts := []string{fmt.Sprintf("%s records, %s/s", prose.Grouped(p.Read), prose.Grouped(int64(float64(p.Read)/after.Seconds())))}
	if !p.Watermark.IsZero() {
		parts = append(parts, "watermark "+p.Watermark.UTC().Format("2006-01-02 15:04:05"))
		if lag := now.Sub(p.Watermark); of == 0 && lag > 0 && lag < 1000*time.Hour {
			parts = append(parts, fmt.Sprintf("lag %v", lag.Round(time.Second)))
		}
	}
	if p.Late > 0 {
		parts = append(parts, prose.Grouped(p.Late)+" late")
	}
	if p.Malformed > 0 {
		parts = append(parts, prose.Grouped(p.Malformed)+" malformed")
	}
	if of > 0 && done > 0 {
		left := time.Duration(float64(after) * float64(of-done) / float64(done)).Round(time.Second)
		parts = append(parts, fmt.Sprintf("%d%%, %v left", done*100/of, max(left, 0)))
	}
	return strings.Join(parts, "  ")
}
