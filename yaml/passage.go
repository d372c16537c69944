package yaml

import (
	"context"
	"errors"
	"slices"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
)

// errOutOfLine says that records cannot be gone over as they are read: they do not come in the order
// of arrival, are not timed, or come in several splits.
var errOutOfLine = errors.New("the records cannot be gone over as they are read")

// passage follows the records of one split as they are read: of those of the batch at hand it knows
// how far the front had come before each. The front is the watermark under the bound 0.
type passage struct {
	gen     watermark.Generator
	arrival func(*record.Row) int64 // nil if nothing tells when a record came
	by      int                     // the field by which delays are told apart; -1 if there is none

	first  int // how many records came in batches before
	rows   []record.Row
	times  []int64
	fronts []int64 // before each record, and behind the last
	highs  []int64 // the greatest event time up to each record
	came   []int64 // the latest arrival up to each record

	high, latest int64 // of all records
	malformed    int
}

// passage starts to follow the records of a source.
func (l *latenessRun) passage(from *Recorded) *passage {
	by := -1
	if l.o.By != "" {
		by = slices.Index(from.Names, l.o.By)
	}
	return &passage{gen: from.step.bounded(0).Start(), arrival: from.step.arrivalOf(), by: by, high: etime.Min, latest: etime.Min}
}

// records is how many there were.
func (p *passage) records() int { return p.first + len(p.rows) }

// take goes on to the next batch.
func (p *passage) take(b *connector.Batch[record.Row]) error {
	p.malformed += len(b.Malformed)
	p.first += len(p.rows)
	p.rows, p.times = b.Values, b.Times
	n := len(p.rows)
	if n == 0 {
		return nil
	}
	if len(p.times) != n {
		return errOutOfLine
	}
	if len(p.highs) < n {
		p.fronts, p.highs, p.came = make([]int64, n+1), make([]int64, n), make([]int64, n)
	}
	after, err := p.gen.Observe(watermark.Columns{At: p.times, Now: etime.Min}, p.fronts[:n])
	if err != nil {
		return errOutOfLine
	}
	p.fronts[n] = after
	for i, t := range p.times {
		if t == etime.Min {
			return errOutOfLine
		}
		if p.arrival != nil {
			at := p.arrival(&p.rows[i])
			if at < p.latest {
				return errOutOfLine
			}
			p.latest = at
		}
		p.high = max(p.high, t)
		p.highs[i], p.came[i] = p.high, p.latest
	}
	return nil
}

// lag is how far the i-th record of the batch is behind the front.
func (p *passage) lag(i int) int64 {
	if p.fronts[i] == etime.Min {
		return 0
	}
	return max(0, etime.Sub(p.fronts[i], p.times[i]))
}

// group is the i-th record's value of the field by which delays are told apart; empty if there is none.
func (p *passage) group(i int) string {
	if p.by < 0 {
		return ""
	}
	return groupName(p.rows[i][p.by])
}

// groupName is a value by which delays are told apart.
func groupName(v record.Value) string {
	if v.Kind() == record.String {
		return v.Str()
	}
	return v.String()
}

// follow reads a source to its end, and tells do of each batch.
func (p *passage) follow(ctx context.Context, from connector.Source[record.Row], do func()) error {
	splits, err := from.Splits(ctx)
	if err != nil {
		return err
	}
	if len(splits) != 1 {
		return errOutOfLine
	}
	return batches(ctx, splits[0], func(b *connector.Batch[record.Row]) error {
		err := p.take(b)
		if err == nil {
			do()
		}
		return err
	})
}
