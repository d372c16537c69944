package csv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/lines"
)

// Source is a [connector.Source] of CSV records. Its methods give changed copies; problems
// with what they ask for are reported when a run starts.
type Source[T any] struct {
	origin lines.Origin
	config config
}

// config is what the options ask for.
type config struct {
	delimited.Dialect
	name      string
	columns   []string // declared; nil if files have headers
	declared  bool
	timed     bool
	field     string // the column of the event time
	layout    timestamp.Layout
	accept    bool // unlikely times
	require   []string
	maxRecord int // bytes
	parallel  int
}

// DefaultMaxRecord is how long a record may be by default, in bytes: 1 MiB.
const DefaultMaxRecord = 1 << 20

func from[T any](o lines.Origin) Source[T] {
	return Source[T]{origin: o, config: config{Dialect: delimited.Dialect{Delimiter: ','}, name: o.Name(), maxRecord: DefaultMaxRecord, parallel: 1}}
}

// File reads a file, or the files that a glob such as "data/*.csv" matches, in the order of
// their names as bytes; each has a header of its own. They are one split (S3.2). A path that
// finds nothing, a directory and a file that may not be read are errors at the start of a run.
func File[T any](path string) Source[T] { return from[T](lines.Files(path)) }

// Tail follows a file that somebody appends to: it gives what is there, and then what comes,
// and is unbounded. A record counts when its line's end is written. A file that takes its
// place, or the same one after it was truncated, begins with a header again. All else is as in
// the Tail of package jsonl.
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
	fields, unfit := fieldsOf(reflect.TypeFor[T](), toRead)
	planner := &planner{s.config, fields}
	var declared *plan
	if unfit == nil && s.config.declared {
		declared, unfit = planner.plan(s.config.columns, "there are declared")
	}
	if err := errors.Join(s.config.check(), s.origin.Check(), unfit); err != nil {
		return nil, fmt.Errorf("csv: %w", err)
	}
	groups, err := s.origin.Groups()
	if err != nil {
		return nil, fmt.Errorf("csv: %w", err)
	}
	newShape := func() lines.Shape {
		if declared != nil {
			return &delimited.Shape{Dialect: s.config.Dialect, Most: s.config.maxRecord, Columns: declared}
		}
		return &delimited.Shape{Dialect: s.config.Dialect, Most: s.config.maxRecord, Header: planner.header}
	}
	splits := make([]connector.Split[T], len(groups))
	for i, group := range groups {
		splits[i] = &lines.Split[T]{
			Group:    group,
			Max:      s.config.maxRecord,
			Timed:    s.config.timed,
			Parallel: s.config.parallel,
			Decoder:  func() lines.Decoder[T] { return newDecoder[T](s.config) },
			Shape:    newShape,
		}
	}
	return splits, nil
}
