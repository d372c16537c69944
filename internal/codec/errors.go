package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrCorrupt is what every [*DecodeError] is for errors.Is.
var ErrCorrupt = errors.New("codec: corrupt encoding")

// TypeError says that a type has no codec, at which place in it, and what to do.
type TypeError struct {
	Path string // from the type asked for: main.Reading.Source[].Conn
	Type string // the type found there
	Why  string
	Hint string
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("codec: %s: %s cannot be encoded: %s; %s", e.Path, e.Type, e.Why, e.Hint)
}

// EncodeError is what [Codec.Append] panics with.
type EncodeError struct {
	Type string
	Why  string
	Err  error // of the type's own marshalling, or nil
}

func (e *EncodeError) Error() string {
	s := fmt.Sprintf("codec: a %s cannot be encoded: %s", e.Type, e.Why)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *EncodeError) Unwrap() error { return e.Err }

// DecodeError says that bytes are no encoding of a value, and in which part of it.
type DecodeError struct {
	Why  string
	Err  error // of the type's own unmarshalling, or nil
	path []string
}

// pathShown is how much of a path an error shows: hostile input nests as deep as it likes.
const pathShown = 16

func (e *DecodeError) Error() string {
	s := ErrCorrupt.Error()
	if len(e.path) > 0 {
		at := slices.Clone(e.path[max(0, len(e.path)-pathShown):]) // innermost first
		slices.Reverse(at)
		if s += " at " + strings.TrimPrefix(strings.Join(at, ""), "."); len(e.path) > pathShown {
			s += "..."
		}
	}
	s += ": " + e.Why
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Is reports that a DecodeError is an [ErrCorrupt].
func (e *DecodeError) Is(target error) bool { return target == ErrCorrupt }

func (e *DecodeError) Unwrap() error { return e.Err }

func corrupt(format string, args ...any) error {
	return &DecodeError{Why: fmt.Sprintf(format, args...)}
}

// within adds to an error the step that led to its place.
func within(step string, err error) error {
	if e, ok := err.(*DecodeError); ok {
		e.path = append(e.path, step)
	}
	return err
}

func short() error { return &DecodeError{Why: "the input ends too early"} }

const tooDeep = "nested deeper than 10,000 levels" // maxDepth
