package csv

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/files"
)

// Columns declares the names of the columns, in the order of the file: then files have no
// header, and their first line is a record. By default they have one.
func (s Source[T]) Columns(names ...string) Source[T] {
	s.config.columns, s.config.declared = slices.Clone(names), true
	return s
}

// Delimiter is the byte between fields, such as ';' or '\t'. Defaults to ','.
func (s Source[T]) Delimiter(c byte) Source[T] {
	s.config.Delimiter = c
	return s
}

// Comment makes lines that begin with a byte, such as '#', no records. By default there are no
// comments.
func (s Source[T]) Comment(c byte) Source[T] {
	s.config.Comment = c
	return s
}

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

// EventTime makes the source give each record's event time, from a column in a declared layout
// (S1.5), whether T has that column or not. A record in which it is empty, or which the layout
// cannot read, is malformed (S1.4). By default the source gives no event times.
func (s Source[T]) EventTime(column string, layout timestamp.Layout) Source[T] {
	s.config.timed, s.config.field, s.config.layout = true, column, layout
	return s
}

// AcceptUnlikelyTimes keeps the run going if the first event times of a split, a hundred or
// all if it has fewer, look like another unit than the declared one. By default it stops
// with [ErrUnlikelyTimes] (S1.5).
func (s Source[T]) AcceptUnlikelyTimes() Source[T] {
	s.config.accept = true
	return s
}

// Require makes records malformed in which one of the columns is empty; "" in quotes is not.
// By default an empty field is null.
func (s Source[T]) Require(columns ...string) Source[T] {
	s.config.require = append(s.config.require[:len(s.config.require):len(s.config.require)], columns...)
	return s
}

// MaxRecord makes records of more bytes malformed. Their raw bytes are kept up to that length,
// so it bounds memory too; and a quoted field that is not closed within it is taken for one
// that never is. Defaults to [DefaultMaxRecord].
func (s Source[T]) MaxRecord(bytes int) Source[T] {
	s.config.maxRecord = bytes
	return s
}

// Parallel has n goroutines decode, which helps where decoding is what takes the time, and
// there are processors to spare. Results are the same, and in the same order: quoted fields
// that go on over several lines are found before the text is handed out. Up to 2n+4 pieces of
// 256 KiB, or of a longer record, are in memory, and what they decode to. Defaults to 1:
// whoever reads decodes.
func (s Source[T]) Parallel(n int) Source[T] {
	s.config.parallel = n
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

const hardParallel = 1024

// check gives all that is wrong with the options.
func (c config) check() error {
	problems := []error{c.Dialect.Check()}
	if c.timed {
		if c.field == "" {
			problems = append(problems, errors.New("EventTime needs the name of a column"))
		}
		if err := c.layout.Check(); err != nil {
			problems = append(problems, fmt.Errorf("EventTime(%q): %w", c.field, err))
		}
	}
	if c.declared && len(c.columns) == 0 {
		problems = append(problems, errors.New("Columns needs names"))
	}
	if c.maxRecord < 1 {
		problems = append(problems, fmt.Errorf("MaxRecord(%d): a record has a byte at least", c.maxRecord))
	}
	if c.parallel < 1 || c.parallel > hardParallel {
		problems = append(problems, fmt.Errorf("Parallel(%d): from 1 to %d", c.parallel, hardParallel))
	}
	return errors.Join(problems...)
}
