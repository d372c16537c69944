package rowio

import (
	"errors"

	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/output"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/parquetrow"
)

// checkParquet gives what is in the way of a Parquet file.
func (s *sink) checkParquet() error {
	problems := []error{parquetrow.CheckSchema(s.types)}
	switch c := s.config; {
	case c.Path == "-":
		problems = append(problems, errors.New("Parquet is no text to be shown: name a file"))
	case c.InPlace:
		problems = append(problems, errors.New("a Parquet file can be read once it is complete, and this run does not end: write json or csv"))
	case files.Compressed(c.Path):
		problems = append(problems, errors.New("Parquet compresses within itself: leave the ending that asks for it out of the name"))
	}
	return errors.Join(problems...)
}

// with is the schema with the fields that are added after those of the row.
func (c *SinkConfig) with(schema record.Schema) record.Schema {
	all := append(record.Schema(nil), schema...)
	add := func(name string, t record.Type) {
		if name != "" {
			all = append(all, record.Field{Name: name, Type: t})
		}
	}
	add(c.WindowStart, record.Type{Kind: record.Time, Nullable: true})
	add(c.WindowEnd, record.Type{Kind: record.Time, Nullable: true})
	add(c.EventTime, record.Type{Kind: record.Time})
	add(c.Pane, record.Type{Kind: record.String})
	return all
}

// spilling is an output as a writer.
type spilling struct{ *output.Output }

func (s spilling) Write(b []byte) (int, error) {
	s.Buffer.Write(b)
	return len(b), s.Spill()
}
