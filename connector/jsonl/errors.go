package jsonl

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/lines"
)

// The reasons of malformed records, for [errors.Is].
var (
	// ErrSyntax: not JSON, or not UTF-8.
	ErrSyntax = errors.New("not valid JSON")
	// ErrDuplicateKey: a key is given twice in one object.
	ErrDuplicateKey = errors.New("duplicate key")
	// ErrType: JSON, but not of the record's Go type.
	ErrType = errors.New("wrong type")
	// ErrNumber: a number that does not fit its Go type.
	ErrNumber = errors.New("number does not fit")
	// ErrTooDeep: nested beyond [Source.MaxDepth].
	ErrTooDeep = errors.New("nested too deep")
	// ErrTooLong: longer than [Source.MaxLine].
	ErrTooLong = lines.ErrTooLong
	// ErrMissing: a required field, or that of the event time, is missing or null.
	ErrMissing = errors.New("missing field")
	// ErrTime: the event time cannot be read.
	ErrTime = errors.New("event time cannot be read")
)

// ErrUnlikelyTimes stops a run whose first event times look like another unit than the
// declared one (S1.5).
var ErrUnlikelyTimes = timestamp.ErrUnlikely

// ErrExpands stops a run whose compressed input becomes more than [Source.MaxDecompressed] or
// [Source.MaxRatio] allow.
var ErrExpands = files.ErrExpands

// reason says why a record is malformed, in words of the record and not of the decoder.
// It holds on to nothing of the line.
type reason struct {
	kind error
	text string
}

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.kind }

// explain turns an error of encoding/json/v2 into a reason.
func explain(err error) error {
	var number *numberError
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	at := func(p jsontext.Pointer) string {
		if p == "" {
			return "the record"
		}
		return "field " + shorten(strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", "."))
	}
	switch {
	case errors.As(err, &syntactic):
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return reason{ErrDuplicateKey, fmt.Sprintf("key %q is given twice", shorten(syntactic.JSONPointer.LastToken()))}
		}
		return reason{ErrSyntax, fmt.Sprintf("%v: %v after %d bytes", ErrSyntax, syntactic.Err, syntactic.ByteOffset)}
	case errors.As(err, &semantic):
		switch {
		case errors.As(err, &number):
			return reason{ErrNumber, fmt.Sprintf("%s: %v", at(semantic.JSONPointer), number)}
		case semantic.JSONKind == '0' && errors.Is(semantic.Err, strconv.ErrRange):
			n := numberError{string(semantic.JSONValue), semantic.GoType, "out of range"}
			return reason{ErrNumber, fmt.Sprintf("%s: %v", at(semantic.JSONPointer), &n)}
		case semantic.GoType != nil && semantic.JSONKind != 0 && semantic.Err == nil:
			return reason{ErrType, fmt.Sprintf("%s: JSON %v is no Go %v", at(semantic.JSONPointer), kindName(semantic.JSONKind), semantic.GoType)}
		case semantic.Err != nil:
			return reason{ErrType, fmt.Sprintf("%s: %v", at(semantic.JSONPointer), semantic.Err)}
		}
	}
	return reason{ErrType, strings.TrimPrefix(err.Error(), "json: ")}
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	}
	return k.String()
}

// shorten cuts text from a record down to what a message can bear.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
