package watermark

import (
	"errors"
	"fmt"

	"github.com/strandline-stream/strandline/internal/etime"
)

// ErrBackwards is what every attempt to move a watermark backwards is, for [errors.Is] (S3.1).
var ErrBackwards = errors.New("watermark moved backwards")

// BackwardsError is an attempt to move a watermark backwards.
type BackwardsError struct {
	// Record is the index within its batch of the record that tried to, or negative if the
	// attempt was not a record's.
	Record int
	// From is where the watermark stood and To where it was to go, To < From, both in
	// microseconds since 1970-01-01T00:00:00Z.
	From, To int64
}

// Error names both values, and the record if it was one.
func (e *BackwardsError) Error() string {
	by := ""
	if e.Record >= 0 {
		by = fmt.Sprintf(" by record %d of the batch", e.Record)
	}
	return fmt.Sprintf("%v%s: from %s to %s", ErrBackwards, by, etime.Format(e.From), etime.Format(e.To))
}

// Unwrap gives [ErrBackwards].
func (e *BackwardsError) Unwrap() error { return ErrBackwards }
