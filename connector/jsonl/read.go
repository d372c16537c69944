package jsonl

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"reflect"
	"time"
	"unsafe"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/number"
)

// The functions of this file read values into variables without reflection, but for readAny,
// which has package json do it.

func readNumber(set number.Set) read {
	return func(s *scanner, i int, p unsafe.Pointer) int {
		end := s.number(i)
		if end < 0 || set(p, s.line[i:end]) != nil {
			return -1
		}
		return end
	}
}

func readString(s *scanner, i int, p unsafe.Pointer) int {
	text, end := s.string(i)
	if end >= 0 {
		*(*string)(p) = string(text)
	}
	return end
}

func readBool(s *scanner, i int, p unsafe.Pointer) int {
	if i < len(s.line) && s.line[i] == 't' {
		*(*bool)(p) = true
		return s.literal(i, "true")
	}
	*(*bool)(p) = false
	return s.literal(i, "false")
}

func readTime(s *scanner, i int, p unsafe.Pointer) int {
	text, end := s.string(i)
	if end < 0 {
		return -1
	}
	// Package json is stricter than package time: an hour has two digits, a fraction begins with
	// a point, and an offset is less than a day.
	if _, err := timestamp.RFC3339.ParseMicros(text); err != nil || (*time.Time)(p).UnmarshalText(text) != nil {
		return -1
	}
	return end
}

// readNew reads into a new variable of a type that holds no pointer but a string's, and sets
// a pointer to it.
func readNew(t reflect.Type, into read) read {
	return func(s *scanner, i int, p unsafe.Pointer) int {
		v := reflect.New(t).UnsafePointer()
		end := into(s, i, v)
		if end >= 0 {
			*(*unsafe.Pointer)(p) = v
		}
		return end
	}
}

func readAny(t reflect.Type) read {
	floats := floatsIn(t)
	return func(s *scanner, i int, p unsafe.Pointer) int {
		end := s.value(i)
		if end < 0 {
			return -1
		}
		raw, v := jsontext.Value(s.line[i:end]), reflect.NewAt(t, p)
		var err error
		if floats.mayRound(raw) {
			err = json.Unmarshal(raw, v.Interface(), exactly)
		} else if err = json.Unmarshal(raw, v.Interface()); err != nil && mayBeWhole(err) {
			v.Elem().SetZero()
			err = json.Unmarshal(raw, v.Interface(), exactly)
		}
		if err != nil {
			return -1
		}
		return end
	}
}
