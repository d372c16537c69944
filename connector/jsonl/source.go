package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/internal/lines"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

// Source is a [connector.Source] of JSON lines. Its methods give changed copies; problems
// with what they ask for are reported when a run starts.
type Source[T any] struct {
	origin lines.Origin
	config config
}

// config is what the options ask for.
type config struct {
	name     string
	timed    bool
	field    string // of the event time
	layout   timestamp.Layout
	accept   bool // unlikely times
	require  []string
	maxLine  int // bytes
	maxDepth int
}

// DefaultMaxDepth is how deep values may be nested by default.
const DefaultMaxDepth = 128

// DefaultMaxLine is how long a line may be by default, in bytes: 16 MiB.
const DefaultMaxLine = lines.MaxDefault

func from[T any](o lines.Origin) Source[T] {
	return Source[T]{origin: o, config: config{name: o.Name(), maxLine: DefaultMaxLine, maxDepth: DefaultMaxDepth}}
}

// File reads a file, or the files that a glob such as "data/*.jsonl" matches, in the order
// of their names as bytes. They are one split (S3.2). A path that finds nothing, a directory
// and a file that may not be read are errors at the start of a run.
func File[T any](path string) Source[T] { return from[T](lines.Files(path)) }

// Stdin reads the standard input of the process, decompressed if it is gzip. It is
// unbounded: see [Source.Ends]. Waiting for a pipe or a terminal ends with the run's context;
// where the system cannot interrupt that Read (Linux can), its goroutine stays until the
// process ends.
func Stdin[T any]() Source[T] { return from[T](lines.Stdin()) }

// Reader reads r, once: a second run is refused. It is unbounded: see [Source.Ends]. If r is
// an [io.Closer] it is closed with the run; a Read that waits must then return.
func Reader[T any](name string, r io.Reader) Source[T] { return from[T](lines.Reader(name, r)) }

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

// Name is the file's name without its directory, "stdin", or the reader's name.
func (s Source[T]) Name() string { return s.origin.Name() }

// Bounded says whether the source ends by itself.
func (s Source[T]) Bounded() bool { return s.origin.Bounded() }

// Timed says whether the source gives event times: see [Source.EventTime].
func (s Source[T]) Timed() bool { return s.config.timed }

// Splits finds the files.
func (s Source[T]) Splits(context.Context) ([]connector.Split[T], error) {
	if err := errors.Join(s.config.check(), s.origin.Check()); err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	groups, err := s.origin.Groups()
	if err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	splits := make([]connector.Split[T], len(groups))
	for i, group := range groups {
		splits[i] = &lines.Split[T]{
			Group:   group,
			Max:     s.config.maxLine,
			Timed:   s.config.timed,
			Decoder: func() lines.Decoder[T] { return newDecoder[T](s.config) },
		}
	}
	return splits, nil
}

const hardDepth = 10_000 // of encoding/json/jsontext

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
	return errors.Join(problems...)
}
