package connector

import (
	"context"
	"fmt"
)

// Source says where records of type T come from. It is an inert value: nothing is opened
// before a run asks for its splits.
type Source[T any] interface {
	// Name is short text for step ids and messages, such as "readings.jsonl".
	Name() string
	// Bounded says whether the source ends by itself.
	Bounded() bool
	// Splits lists the parts that can be read independently of each other, each with a
	// watermark of its own (S3.2). It is called once, at the start of a run; an error there
	// (a missing file, say) ends the run before anything was read.
	Splits(ctx context.Context) ([]Split[T], error)
}

// Split is one independently readable part of a source.
type Split[T any] interface {
	// Name identifies the split within its source, the same in every run.
	Name() string
	// Open starts reading at the beginning.
	Open(ctx context.Context) (Reader[T], error)
}

// Reader reads one split in order. It is used by one goroutine at a time.
type Reader[T any] interface {
	// Read replaces the contents of b with the next records. It blocks until there is at
	// least one record or malformed record, and then returns what is at hand without waiting
	// for a full batch, so that latency does not wait for throughput. It returns io.EOF, with
	// an empty batch, after the last record; and ctx's error promptly once ctx is done. Any
	// other error ends the run; it names the position.
	//
	// The one empty batch without an error is news that a live split has run dry: it says
	// CaughtUp, and comes only if the batch before did not. So a partition that is empty from
	// the start can become idle too.
	//
	// The reader owns the memory of the batch and of what its values point to until the next
	// call of Read or Close; values themselves may be kept (strings and slices within them are
	// not overwritten). The caller does not write to them: Values may be the user's own slice.
	// Nor does the reader write to what b held before the call, which may be another's.
	Read(ctx context.Context, b *Batch[T]) error
	Close() error
}

// Positioner is a [Reader] that says how far it has come, for the books of a run.
type Positioner interface {
	// Position says where the last record that was given out is, for a person, as
	// [Malformed.Position] does; empty before the first. It is called between calls of Read, and
	// before Close.
	Position() string
}

// BatchSize is the number of records that readers should aim for in a batch.
const BatchSize = 1024

// Batch is what one Read gives.
type Batch[T any] struct {
	// Values are the records, in the order of the split.
	Values []T
	// Times are the event times of Values in microseconds since 1970 (S1.1) if the source
	// itself knows them, nil otherwise.
	Times []int64
	// Places say where each of Values lies, if the source knows: they are numbers that belong behind
	// Place. For a person the two are put together, as in "readings.jsonl:17", where Place is
	// "readings.jsonl:".
	Places []int64
	Place  string
	// Malformed are the records of this batch that could not be read.
	Malformed []Malformed
	// CaughtUp says that the split had nothing more at hand when Read returned. Only a split
	// that says so may become idle (S3.3).
	CaughtUp bool
}

// Malformed is a record that could not be read (S13.2). Nothing of it is lost: it goes to the
// malformed output of the step that read it.
type Malformed struct {
	// Raw is the record as it came, cut to the source's limit if it is larger than that.
	Raw []byte
	// Position says where it is, for a person: "readings.jsonl:17".
	Position string
	// Reason says why it could not be read.
	Reason error
}

func (m Malformed) String() string { return fmt.Sprintf("%s: %v", m.Position, m.Reason) }
