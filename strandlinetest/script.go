package strandlinetest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
)

// script is what the streams of one test have recorded.
type script struct {
	feeds   []*feed
	lines   []line
	watched []output
	ends    []line // checks of what came out after the last line
	faults  []error
	playing atomic.Pointer[play]
}

// line is one line of a script: an action of a stream, or a check of what came out.
type line struct {
	place string // file and line of the test
	text  string
	by    *feed                   // the stream that acts; nil for a check
	act   func(p *play) error     // what it does to the stream, or to the clock
	check func(when string) error // what it says of what came out
	of    output                  // the output that is checked at the end
}

func (l *line) String() string { return l.place + " " + l.text }

// output is a [Collected], whatever its type.
type output interface {
	nothing(when string) error
}

func (sc *script) record(l line) { sc.lines = append(sc.lines, l) }

// fault keeps a mistake in the script for Play to report.
func (sc *script) fault(place, format string, args ...any) {
	sc.faults = append(sc.faults, fmt.Errorf("%s: %w", place, fmt.Errorf(format, args...)))
}

func (sc *script) watch(out output) {
	if !slices.Contains(sc.watched, out) {
		sc.watched = append(sc.watched, out)
	}
}

// end records what is to come out of an output after the last line.
func (sc *script) end(l line) {
	sc.watch(l.of)
	for _, e := range sc.ends {
		if e.of == l.of {
			sc.fault(l.place, "%s: %v is about the same collection: say it once", l.text, &e)
		}
	}
	sc.ends = append(sc.ends, l)
}

// place is the line of the test that called the method that calls place.
func place() string {
	_, file, n, ok := runtime.Caller(2)
	if !ok {
		return "?"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), n)
}
