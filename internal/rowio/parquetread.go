package rowio

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/jsonrow"
	"github.com/strandline-stream/strandline/internal/rowio/parquetrow"
)

// parquetReader reads files one after another. What it gives of a file that turns out to be
// damaged are the rows before the damage. What a Read gives is valid until the one after the next.
type parquetReader struct {
	source *parquetSource
	files  []string // those that have not been opened
	probe

	path  string
	file  *parquetFile // nil if none is open
	rows  *parquetrow.Rows
	done  int64 // rows of the file
	shown int64 // its bytes that count as read

	rooms [2]room
	room  *room // the one to be filled
	text  []byte
}

// room is the memory of a batch.
type room struct {
	batch  parquetrow.Batch
	times  []int64
	places []int64
}

func newParquetReader(s *parquetSplit) *parquetReader {
	r := &parquetReader{source: s.source, files: s.files, probe: newProbe(s.source.table.config.Time)}
	r.room = &r.rooms[0]
	return r
}

// Lend says that values are not kept beyond the next Read.
func (r *parquetReader) Lend() bool {
	for i := range r.rooms {
		r.rooms[i].batch.Lend()
	}
	return true
}

// turn takes the other room.
func (r *parquetReader) turn() {
	if r.room == &r.rooms[0] {
		r.room = &r.rooms[1]
	} else {
		r.room = &r.rooms[0]
	}
}

func (r *parquetReader) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	*b = connector.Batch[record.Row]{}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.file == nil {
			if len(r.files) == 0 {
				if _, err := r.Judge(true); err != nil {
					return err
				}
				return io.EOF
			}
			if err := r.open(); err != nil {
				return err
			}
		}
		err := r.rows.Read(connector.BatchSize, &r.room.batch)
		if err == io.EOF {
			r.show(r.file.size)
			if err := r.Close(); err != nil {
				return fmt.Errorf("%s: %w", r.path, err)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.path, err)
		}
		r.progress()
		r.give(b)
		if _, err := r.Judge(false); err != nil {
			*b = connector.Batch[record.Row]{}
			return err
		}
		if len(b.Values)+len(b.Malformed) > 0 {
			r.turn()
			return nil
		}
	}
}

// open opens the next file.
func (r *parquetReader) open() (err error) {
	r.path, r.files = r.files[0], r.files[1:]
	if r.file, err = openParquet(r.path); err != nil {
		return err
	}
	t := r.source.table
	o := parquetrow.Options{Schema: t.schema, Fields: r.source.fields}
	if t.config.Time != nil {
		o.Also = t.config.Time.Field
	}
	r.done, r.shown = 0, 0
	if r.rows, err = r.file.Rows(o); err != nil {
		r.Close()
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return nil
}

// progress counts the bytes of the file as read by how many of its rows are.
func (r *parquetReader) progress() {
	r.done += int64(len(r.room.batch.Rows) + len(r.room.batch.Bad))
	if n := r.file.NumRows(); n > 0 {
		r.show(int64(float64(r.file.size) * float64(r.done) / float64(n)))
	}
}

func (r *parquetReader) show(bytes int64) {
	r.source.table.bytes.Add(bytes - r.shown)
	r.shown = bytes
}

// give makes a batch of what was read.
func (r *parquetReader) give(b *connector.Batch[record.Row]) {
	room := r.room
	b.Values, b.Place, room.places = room.batch.Rows, r.path+": row ", room.places[:0]
	for i := range room.batch.Rows {
		room.places = append(room.places, room.batch.Number(i))
	}
	b.Places = room.places
	for _, bad := range room.batch.Bad {
		b.Malformed = append(b.Malformed, r.malformed(bad.Row, bad.Values, bad.Err))
	}
	at := r.source.table.config.Time
	if at == nil {
		return
	}
	room.times = room.times[:0]
	kept := 0
	for i, row := range room.batch.Rows {
		micros, err := r.micros(room.batch.Also[i])
		if err != nil {
			b.Malformed = append(b.Malformed, r.malformed(room.batch.Number(i), row, err))
			continue
		}
		room.times = append(room.times, micros)
		if kept < i {
			b.Values[kept], room.places[kept] = row, room.places[i]
		}
		kept++
	}
	b.Values, b.Times, b.Places = b.Values[:kept], room.times, room.places[:kept]
}

// Position is that of the last row.
func (r *parquetReader) Position() string {
	if r.done == 0 {
		return ""
	}
	return fmt.Sprintf("%s: row %d", r.path, r.done)
}

// malformed is a row as JSON, without what could not be read of it.
func (r *parquetReader) malformed(number int64, row record.Row, reason error) connector.Malformed {
	return connector.Malformed{
		Raw:      record.AppendObject(nil, r.source.fields, row),
		Position: fmt.Sprintf("%s: row %d", r.path, number),
		Reason:   reason,
	}
}

// micros is the event time that a value holds.
func (r *parquetReader) micros(v record.Value) (int64, error) {
	at := r.source.table.config.Time
	text := r.text[:0]
	switch v.Kind() {
	case record.Null:
		return 0, fmt.Errorf("%w: event time %q is null", jsonrow.ErrMissing, at.Field)
	case record.Time:
		return v.Time(), nil
	case record.Int:
		text = strconv.AppendInt(text, v.Int(), 10)
	case record.Float:
		text = strconv.AppendFloat(text, v.Float(), 'f', -1, 64)
	default:
		text = append(text, v.Str()...)
	}
	r.text = text
	r.add(text)
	micros, err := at.Layout.ParseMicros(text)
	if err != nil {
		return 0, fmt.Errorf("%w: event time %q: %w", jsonrow.ErrTime, at.Field, err)
	}
	return micros, nil
}

// Close closes the file that is open.
func (r *parquetReader) Close() error {
	if r.file == nil {
		return nil
	}
	if r.rows != nil {
		r.rows.Close()
	}
	err := r.file.close()
	r.file, r.rows = nil, nil
	return err
}
