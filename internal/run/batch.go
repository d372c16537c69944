package run

import (
	"slices"
	"strconv"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Cols are the columns that every batch has beside its values: as many entries as there are
// values, each. A batch is valid during the call that hands it over, and nobody but its
// producer writes to it: values may lie in the user's own memory.
type Cols struct {
	// At is the event time of each value, in µs.
	At []int64
	// W is the watermark before each value: that of its origin along the path it came (S3.7).
	W []int64
	// Carried is the watermark that a value took with it when it was read, for values that
	// were behind it (S4.5), [etime.Min] for the others. A nil column says that no value
	// carries more than W says.
	Carried []int64
	// Win is the window of each value. A nil column says that they have none yet.
	Win []window.Interval
	// Pane is the pane of each value; nil for values that passed no trigger.
	Pane []trigger.Pane
	// Places say where each value was read, behind Place (see [connector.Batch]): nil if that is not
	// known, or none of the values can be late.
	Places []int64

	// Place is what Places stand behind.
	Place string
	// Origin is where the watermark comes from: a split, or a step that makes its own.
	Origin int
	// Close is the watermark after the last value.
	Close int64
	// Drained says that the run is being drained: what fires now is partial (S8.3).
	Drained bool
	// Ended says that the values are given because the input has ended.
	Ended bool
	// Idle says that the origin is idle from here on (S3.3).
	Idle bool
	// Clock says that Close is no word of the records': the watermark of an idle split has followed
	// the clock up to there (S3.3).
	Clock bool
	// Lent says that the values are lent (see lend.go).
	Lent bool
}

func (c *Cols) len() int { return len(c.At) }

// reset empties the columns, and takes over what c's producer says of the whole batch.
func (c *Cols) reset(like *Cols) {
	c.At, c.W = c.At[:0], c.W[:0]
	c.Carried, c.Win, c.Pane = resetColumn(c.Carried, like.Carried != nil), resetColumn(c.Win, like.Win != nil), resetColumn(c.Pane, like.Pane != nil)
	c.Places, c.Place = resetColumn(c.Places, like.Places != nil), like.Place
	c.Origin, c.Close, c.Idle, c.Drained, c.Ended, c.Clock = like.Origin, like.Close, like.Idle, like.Drained, like.Ended, like.Clock
	c.Lent = like.Lent
}

// resetColumn empties an optional column, which is nil unless wanted.
func resetColumn[E any](s []E, want bool) []E {
	switch {
	case !want:
		return nil
	case s == nil:
		return make([]E, 0, 64)
	}
	return s[:0]
}

// like says whether rows of other may stand behind those of c: the same columns, and the same that is
// said of all.
func (c *Cols) like(other *Cols) bool {
	return c.Origin == other.Origin && c.Clock == other.Clock && c.Ended == other.Ended && c.Place == other.Place &&
		(c.Carried == nil) == (other.Carried == nil) && (c.Win == nil) == (other.Win == nil) &&
		(c.Pane == nil) == (other.Pane == nil) && (c.Places == nil) == (other.Places == nil)
}

// take appends row i of like, whose optional columns must be those of c.
func (c *Cols) take(like *Cols, i int) {
	c.At = append(c.At, like.At[i])
	c.W = append(c.W, like.W[i])
	if like.Carried != nil {
		c.Carried = append(c.Carried, like.Carried[i])
	}
	if like.Win != nil {
		c.Win = append(c.Win, like.Win[i])
	}
	if like.Pane != nil {
		c.Pane = append(c.Pane, like.Pane[i])
	}
	if like.Places != nil {
		c.Places = append(c.Places, like.Places[i])
	}
}

// takeRows is take for several rows, column by column.
func (c *Cols) takeRows(like *Cols, rows []int32) {
	c.At, c.W = appendRows(c.At, like.At, rows), appendRows(c.W, like.W, rows)
	if like.Carried != nil {
		c.Carried = appendRows(c.Carried, like.Carried, rows)
	}
	if like.Win != nil {
		c.Win = appendRows(c.Win, like.Win, rows)
	}
	if like.Pane != nil {
		c.Pane = appendRows(c.Pane, like.Pane, rows)
	}
	if like.Places != nil {
		c.Places = appendRows(c.Places, like.Places, rows)
	}
}

// extend makes a column longer by n entries, which are still to be set.
func extend[E any](column []E, n int) (all, added []E) {
	all = slices.Grow(column, n)[:len(column)+n]
	return all, all[len(column):]
}

// appendRows appends rows of a column.
func appendRows[E any](to, from []E, rows []int32) []E {
	to, added := extend(to, len(rows))
	for i, row := range rows {
		added[i] = from[row]
	}
	return to
}

// appendSame appends n times x.
func appendSame[E any](to []E, x E, n int) []E {
	to, added := extend(to, n)
	for i := range added {
		added[i] = x
	}
	return to
}

// carried is the watermark that row i carries, [etime.Min] if it carries none.
func (c *Cols) carried(i int) int64 {
	if c.Carried != nil {
		return c.Carried[i]
	}
	if c.At[i] < c.W[i] {
		return c.W[i]
	}
	return etime.Min
}

// ahead is the number of rows before the first that carries a watermark: mostly all of them.
func (c *Cols) ahead() int {
	n := len(c.At)
	if c.Carried != nil {
		for i, w := range c.Carried {
			if w != etime.Min {
				return i
			}
		}
		return n
	}
	w := c.W[:n]
	for i, t := range c.At {
		if t < w[i] {
			return i
		}
	}
	return n
}

// position is where the i-th value was read, for a person; empty if that is not known.
func position(place string, places []int64, i int) string {
	if places == nil {
		return ""
	}
	return place + strconv.FormatInt(places[i], 10)
}

// Batch is a batch of values.
type Batch[T any] struct {
	V []T
	Cols
}

// KBatch is a batch of values with their keys.
type KBatch[K comparable, V any] struct {
	K []K
	V []V
	Cols
}

// KV is a key with a value.
type KV[K comparable, V any] struct {
	Key   K
	Value V
}

// Input is where batches enter an operator. Take handles one batch to the end; it is called
// by one goroutine at a time.
type Input[B any] interface{ Take(b *B) }

// Out is where batches leave an operator: to every operator that consumes them.
type Out[B any] struct{ to []Input[B] }

// Give hands b to every consumer.
func (o *Out[B]) Give(b *B) {
	for _, in := range o.to {
		in.Take(b)
	}
}

// Used says whether anybody consumes it.
func (o *Out[B]) Used() bool { return len(o.to) > 0 }
