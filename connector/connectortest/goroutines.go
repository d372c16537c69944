package connectortest

import (
	"bytes"
	"runtime"
	"time"
)

// goroutines counts the goroutines there are, but for the one that the standard library keeps
// once a program has asked for signals.
func goroutines() int {
	n := 0
	for stack := range bytes.SplitSeq(stacks(), []byte("\n\n")) {
		if !bytes.Contains(stack, []byte("os/signal.")) {
			n++
		}
	}
	return n
}

func stacks() []byte {
	for size := 1 << 16; ; size *= 2 {
		b := make([]byte, size)
		if n := runtime.Stack(b, true); n < size {
			return b[:n]
		}
	}
}

// goroutinesGone reports goroutines that were not there before, and gives those that are
// about to end the time to do so.
func goroutinesGone(before int, report report) {
	for start := time.Now(); ; runtime.Gosched() {
		n := goroutines()
		if n <= before {
			return
		}
		if time.Since(start) > patience/5 {
			report("%d goroutines are left that were not there before:\n%s", n-before, stacks())
			return
		}
	}
}
