package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/lines"
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
	parallel int
	project  bool
	program  *program // made when a run starts; nil if the type takes package json
}

// named are the fields that the options name: first the required ones, then the event time's.
func (c config) named() []string {
	names := c.require[:len(c.require):len(c.require)]
	if c.timed {
		names = append(names, c.field)
	}
	return names
}

// DefaultMaxDepth is how deep values may be nested by default.
const DefaultMaxDepth = 128

func from[T any](o lines.Origin) Source[T] {
	return Source[T]{origin: o, config: config{name: o.Name(), maxLine: DefaultMaxLine, maxDepth: DefaultMaxDepth, parallel: 1}}
}

// File reads a file, or the files that a glob such as "data/*.jsonl" matches, in the order
// of their names as bytes. They are one split (S3.2). A path that finds nothing, a directory
// and a file that may not be read are errors at the start of a run.
func File[T any](path string) Source[T] { return from[T](lines.Files(path)) }

// Tail follows a file that somebody appends to: it gives what is there, and then what comes,
// and is unbounded. A line counts when its end is written.
//
// If the path comes to name another file (rotation by renaming and creating) the old one is
// read on until it has been silent for a whole time between two looks, then the new one from
// its start; lines are counted anew. So it is if the file becomes shorter (rotation by copying
// and truncating); a file that is truncated and has grown beyond where it was read to by the
// next look is taken for one that has grown. The file must be there at the start of a run, and
// be plain: it is not decompressed. See [Source.Poll].
func Tail[T any](path string) Source[T] { return from[T](lines.Tail(path)) }

// Stdin reads the standard input of the process, decompressed if it is gzip or zstd. It is
// unbounded: see [Source.Ends]. Waiting for a pipe or a terminal ends with the run's context;
// where the system cannot interrupt that Read (Linux can), its goroutine stays until the
// process ends.
func Stdin[T any]() Source[T] { return from[T](lines.Stdin()) }

// Reader reads r, once: a second run is refused. It is unbounded: see [Source.Ends]. If r is
// an [io.Closer] it is closed with the run; a Read that waits must then return.
func Reader[T any](name string, r io.Reader) Source[T] { return from[T](lines.Reader(name, r)) }

// Name is the file's name without its directory, "stdin", or the reader's name.
func (s Source[T]) Name() string { return s.origin.Name() }

// Bounded says whether the source ends by itself.
func (s Source[T]) Bounded() bool { return s.origin.Bounded() }

// Timed says whether the source gives event times: see [Source.EventTime].
func (s Source[T]) Timed() bool { return s.config.timed }

// Splits finds the files.
func (s Source[T]) Splits(context.Context) ([]connector.Split[T], error) {
	program, unprojectable := compile(reflect.TypeFor[T](), s.config.named())
	if unprojectable == nil {
		s.config.program = program
	} else if !s.config.project {
		unprojectable = nil // package json reads it
	}
	if err := errors.Join(s.config.check(), s.origin.Check(), unprojectable); err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	groups, err := s.origin.Groups()
	if err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	splits := make([]connector.Split[T], len(groups))
	for i, group := range groups {
		splits[i] = &lines.Split[T]{
			Group:    group,
			Max:      s.config.maxLine,
			Timed:    s.config.timed,
			Parallel: s.config.parallel,
			Decoder:  func() lines.Decoder[T] { return newDecoder[T](s.config) },
		}
	}
	return splits, nil
}
