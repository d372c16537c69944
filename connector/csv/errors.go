package csv

import (
	"errors"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/lines"
)

// The reasons of malformed records, for [errors.Is].
var (
	// ErrFields: not as many fields as there are columns.
	ErrFields = delimited.ErrFields
	// ErrQuote: a quote that is not closed, is followed by text, or stands within a field.
	ErrQuote = delimited.ErrQuote
	// ErrType: a field that is not of its Go type, or text that is not UTF-8.
	ErrType = errors.New("wrong type")
	// ErrNumber: no number, or one that does not fit its Go type.
	ErrNumber = errors.New("number does not fit")
	// ErrTooLong: longer than [Source.MaxRecord].
	ErrTooLong = lines.ErrTooLong
	// ErrMissing: a required field, or that of the event time, is null.
	ErrMissing = errors.New("missing field")
	// ErrTime: the event time cannot be read.
	ErrTime = errors.New("event time cannot be read")
)

// ErrHeader stops a run: a header, or the declared columns, do not have what is asked for.
var ErrHeader = errors.New("columns are missing")

// ErrUnlikelyTimes stops a run whose first event times look like another unit than the
// declared one (S1.5).
var ErrUnlikelyTimes = timestamp.ErrUnlikely

// ErrExpands stops a run whose compressed input becomes more than [Source.MaxDecompressed] or
// [Source.MaxRatio] allow.
var ErrExpands = files.ErrExpands

// reason says why a record is malformed. It holds on to nothing of the record.
type reason struct {
	kind error
	text string
}

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.kind }

// shorten cuts text from a record down to what a message can bear.
func shorten(text []byte) string {
	const most = 60
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}
