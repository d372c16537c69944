package jsonl

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/lines"
)

// SplitPerFile makes each file a split with a watermark of its own, which stands before
// everything until the file is opened, and leaves when it ends (S3.2). By default all files
// are one split.
func (s Source[T]) SplitPerFile() Source[T] {
	s.origin = s.origin.Each()
	return s
}

// Ends says that standard input or a reader ends by itself, so that it may be read as batch.
// Files do. By default the others do not.
func (s Source[T]) Ends() Source[T] {
	s.origin = s.origin.Ending()
	return s
}

// EventTime makes the source give each record's event time, from a field in a declared
// layout (S1.5). A dot in field steps into an object, unless there is a field of that whole
// name. A record without the field, or with null, with text where the layout is a number, or
// with anything else that the layout cannot read, is malformed (S1.4). By default the source
// gives no event times.
func (s Source[T]) EventTime(field string, layout timestamp.Layout) Source[T] {
	s.config.timed, s.config.field, s.config.layout = true, field, layout
	return s
}

// AcceptUnlikelyTimes keeps the run going if the first event times of a split, a hundred or
// all if it has fewer, look like another unit than the declared one. By default it stops
// with [ErrUnlikelyTimes] (S1.5).
func (s Source[T]) AcceptUnlikelyTimes() Source[T] {
	s.config.accept = true
	return s
}

// Require makes records malformed in which one of the fields is missing or null. A dot steps
// into an object as in [Source.EventTime]. By default what is missing is left zero.
func (s Source[T]) Require(fields ...string) Source[T] {
	s.config.require = append(s.config.require[:len(s.config.require):len(s.config.require)], fields...)
	return s
}

// Project passes over what T has no field for as soon as it is checked to be JSON. Results are
// those of the default, but that keys given twice make a record malformed only if they are of use:
// keys of T and of structs within it, and those that [Source.EventTime] and [Source.Require] begin
// with. By default all keys are compared, which takes up to a third of the time.
//
// T must be a struct that does not decode itself, and its json tags may have names, "-",
// omitempty and omitzero only: otherwise a run ends at its start, with the reason. By default such
// types are read by encoding/json/v2, four times as slow, and so is a line with an object of more
// than 48 keys that T has no field for. So are, with Project as well, T's fields
// of other types than numbers, text, booleans, times, structs and pointers to them.
func (s Source[T]) Project() Source[T] {
	s.config.project = true
	return s
}

// Parallel has n goroutines decode, which helps where decoding is what takes the time, and
// there are processors to spare. Results are the same, and in the same order. Up to 2n+4 pieces
// of 256 KiB, or of a longer line, are in memory, and what they decode to. Defaults to 1:
// whoever reads decodes.
func (s Source[T]) Parallel(n int) Source[T] {
	s.config.parallel = n
	return s
}

// MaxLine makes lines of more bytes malformed. Their raw bytes are kept up to that length, so
// it bounds memory too. Defaults to [DefaultMaxLine].
func (s Source[T]) MaxLine(bytes int) Source[T] {
	s.config.maxLine = bytes
	return s
}

// MaxDepth makes records malformed in which arrays and objects are nested deeper; [1] has
// depth 1. It can be 10,000 at most. Defaults to [DefaultMaxDepth].
func (s Source[T]) MaxDepth(levels int) Source[T] {
	s.config.maxDepth = levels
	return s
}

// MaxDecompressed ends the run with [ErrExpands] once a compressed input becomes more bytes.
// Defaults to 0, which is no bound: memory does not depend on it.
func (s Source[T]) MaxDecompressed(bytes int64) Source[T] {
	s.origin = s.origin.Limiting(func(l *files.Limits) { l.Size = bytes })
	return s
}

// MaxRatio ends the run with [ErrExpands] once a compressed input becomes more than so many
// times its size, judged from 64 MiB on. 0 is no bound. Defaults to 1,000, which real data
// stays far below.
func (s Source[T]) MaxRatio(times int64) Source[T] {
	s.origin = s.origin.Limiting(func(l *files.Limits) { l.Ratio = times })
	return s
}

// Poll sets the time between two looks at a file that [Tail] follows. Defaults to 100 ms.
func (s Source[T]) Poll(every time.Duration) Source[T] {
	s.origin = s.origin.Polling(every)
	return s
}

const (
	hardDepth    = 10_000 // of encoding/json/jsontext
	hardParallel = 1024
)

// check gives all that is wrong with the options.
func (c config) check() error {
	var problems []error
	if c.timed {
		if c.field == "" {
			problems = append(problems, errors.New("EventTime needs the name of a field"))
		}
		if err := c.layout.Check(); err != nil {
			problems = append(problems, fmt.Errorf("EventTime(%q): %w", c.field, err))
		}
	}
	if c.maxLine < 1 {
		problems = append(problems, fmt.Errorf("MaxLine(%d): a line has a byte at least", c.maxLine))
	}
	if c.maxDepth < 0 || c.maxDepth > hardDepth {
		problems = append(problems, fmt.Errorf("MaxDepth(%d): from 0 to %d", c.maxDepth, hardDepth))
	}
	if c.parallel < 1 || c.parallel > hardParallel {
		problems = append(problems, fmt.Errorf("Parallel(%d): from 1 to %d", c.parallel, hardParallel))
	}
	return errors.Join(problems...)
}

// DefaultMaxLine is how long a line may be by default, in bytes: 16 MiB.
const DefaultMaxLine = lines.MaxDefault
