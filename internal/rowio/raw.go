package rowio

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
)

// RawRecord is a record as it stands in its file.
type RawRecord struct {
	Number int64 // among the records that can be read, from 0
	Text   []byte
	// Position is for people, as "readings.jsonl:17".
	Position string
}

// Raw finds records again by their numbers among those that [Table.Source] gives for these fields,
// and gives them in the order of the files, which it reads once more. It is an error for the
// standard input, which cannot be read again, and for formats that are not made of lines.
func (t *Table) Raw(ctx context.Context, fields []string, numbers []int64) ([]RawRecord, error) {
	if t.files == nil || t.format.plan == nil {
		return nil, fmt.Errorf("%s: its records cannot be read again as they stand there", t.origin.Name())
	}
	plan, err := t.format.plan(t, fields)
	if err != nil {
		return nil, err
	}
	groups, err := t.origin.Groups()
	if err != nil {
		return nil, err
	}
	p := &picking{wanted: map[int64]bool{}}
	for _, n := range numbers {
		p.wanted[n] = true
	}
	var all []RawRecord
	for _, g := range groups {
		split := lines.Split[record.Row]{Group: g, Max: t.config.MaxLine, Timed: t.config.Time != nil, Shape: plan.shape, Decoder: func() lines.Decoder[record.Row] {
			p.Decoder = plan.decoder()
			return p
		}}
		in, err := split.Open(ctx)
		if err != nil {
			return nil, err
		}
		for err == nil && len(all) < len(p.wanted) {
			var b connector.Batch[record.Row]
			if err = in.Read(ctx, &b); err != nil {
				break
			}
			for _, m := range b.Malformed {
				if picked, ok := errors.AsType[picked](m.Reason); ok {
					all = append(all, RawRecord{int64(picked), m.Raw, m.Position})
				}
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// picking is a decoder to which the wanted records are malformed: so they come out as they are.
type picking struct {
	lines.Decoder[record.Row]
	wanted map[int64]bool
	next   int64
}

func (p *picking) Decode(line []byte, row *record.Row) (int64, error) {
	at, err := p.Decoder.Decode(line, row)
	if err == nil {
		if p.next++; p.wanted[p.next-1] {
			err = picked(p.next - 1)
		}
	}
	return at, err
}

// Under passes the head of a file on to a decoder that goes by it.
func (p *picking) Under(head any) { p.Decoder.(lines.Headed).Under(head) }

// Foresee passes text on to a decoder that looks at it.
func (p *picking) Foresee(text []byte) {
	if d, ok := p.Decoder.(lines.Foreseeing); ok {
		d.Foresee(text)
	}
}

// picked is the number of a record that is wanted.
type picked int64

func (p picked) Error() string { return fmt.Sprintf("record %d is wanted", int64(p)) }
