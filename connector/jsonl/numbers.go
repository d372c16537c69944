package jsonl

import (
	"encoding"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/strandline-stream/strandline/internal/number"
)

// exactly makes [json.Unmarshal] take a whole number for an integer however it is written,
// and refuse a whole number, written out, that a float would round (S13.2).
var exactly = json.WithUnmarshalers(json.UnmarshalFromFunc(readExactly))

// mayBeWhole says whether an error is about a number that was not written as an integer is.
func mayBeWhole(err error) bool {
	var semantic *json.SemanticError
	return errors.As(err, &semantic) && semantic.JSONKind == '0' && errors.Is(semantic.Err, strconv.ErrSyntax)
}

// numberError is about a number that does not fit a type.
type numberError struct {
	raw    string
	goType reflect.Type
	what   string
}

func (e *numberError) Error() string {
	return fmt.Sprintf("%s does not fit a Go %v: %s", shorten(e.raw), e.goType, e.what)
}

// readExactly reads a number into an integer or float. It leaves everything else, and types
// that read themselves, to package json.
func readExactly(dec *jsontext.Decoder, v any) error {
	target := reflect.ValueOf(v).Elem()
	kind := target.Kind()
	switch {
	case reflect.Int <= kind && kind <= reflect.Float64 && kind != reflect.Uintptr:
	default:
		return errors.ErrUnsupported
	}
	if dec.PeekKind() != '0' || readsItself(v) {
		return errors.ErrUnsupported
	}
	if quoted, _ := json.GetOption(dec.Options(), json.StringifyNumbers); quoted {
		return errors.ErrUnsupported
	}
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch bits := target.Type().Bits(); {
	case kind >= reflect.Float32:
		var f float64
		if f, err = number.Float(value, bits); err == nil {
			target.SetFloat(f)
		}
	case kind >= reflect.Uint:
		var u uint64
		if u, err = number.Uint(value, bits); err == nil {
			target.SetUint(u)
		}
	default:
		var i int64
		if i, err = number.Int(value, bits); err == nil {
			target.SetInt(i)
		}
	}
	if err != nil {
		return &numberError{string(value), target.Type(), err.Error()}
	}
	return nil
}

func readsItself(v any) bool {
	switch v.(type) {
	case json.Unmarshaler, json.UnmarshalerFrom, encoding.TextUnmarshaler, *time.Duration:
		return true
	}
	return false
}
