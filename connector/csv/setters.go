package csv

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/number"
)

// setter reads a field that is not null into the variable at p, which is zero. It keeps
// nothing of text. An error says what text is not.
type setter func(p unsafe.Pointer, text []byte) error

var (
	errUTF8     = errors.New("not UTF-8")
	errBool     = errors.New("not true or false")
	errDuration = errors.New("not a duration such as 1m30s")
	errTime     = errors.New("not a time such as 2026-03-29T01:30:00Z")
)

// setterOf gives what reads text into variables of a type.
func setterOf(t reflect.Type) (setter, error) {
	switch t {
	case reflect.TypeFor[time.Time]():
		return setTime, nil
	case reflect.TypeFor[time.Duration]():
		return setDuration, nil
	case reflect.TypeFor[[]byte]():
		return setBytes, nil
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return setText(t), nil
	}
	switch k := t.Kind(); k {
	case reflect.String:
		return setString, nil
	case reflect.Bool:
		return setBool, nil
	case reflect.Float32:
		return setFloat[float32], nil
	case reflect.Float64:
		return setFloat[float64], nil
	case reflect.Pointer:
		return setPointer(t.Elem())
	case reflect.Struct:
		if n := nullable(t); n != nil {
			return n.setter()
		}
	default:
		if set := number.Setter(k); set != nil {
			return setter(set), nil
		}
	}
	return nil, fmt.Errorf("a column cannot be read into a Go %v", t)
}

func setString(p unsafe.Pointer, text []byte) error {
	if !utf8.Valid(text) {
		return errUTF8
	}
	*(*string)(p) = string(text)
	return nil
}

func setBytes(p unsafe.Pointer, text []byte) error {
	*(*[]byte)(p) = append([]byte{}, text...)
	return nil
}

func setBool(p unsafe.Pointer, text []byte) error {
	switch string(text) {
	case "1", "t", "T", "true", "TRUE", "True":
		*(*bool)(p) = true
	case "0", "f", "F", "false", "FALSE", "False":
		*(*bool)(p) = false
	default:
		return errBool
	}
	return nil
}

func setFloat[F float32 | float64](p unsafe.Pointer, text []byte) error {
	v, err := number.Float(text, int(unsafe.Sizeof(F(0)))*8)
	if err == number.ErrSyntax {
		v, err = special(text)
	}
	*(*F)(p) = F(v)
	return err
}

// special reads what is no number and yet a float.
func special(text []byte) (float64, error) {
	word, sign := text, 1
	if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
		if word[0] == '-' {
			sign = -1
		}
		word = word[1:]
	}
	switch {
	case bytes.EqualFold(word, []byte("inf")), bytes.EqualFold(word, []byte("infinity")):
		return math.Inf(sign), nil
	case bytes.EqualFold(text, []byte("nan")):
		return math.NaN(), nil
	}
	return 0, number.ErrSyntax
}

func setTime(p unsafe.Pointer, text []byte) error {
	if (*time.Time)(p).UnmarshalText(text) != nil {
		return errTime
	}
	return nil
}

func setDuration(p unsafe.Pointer, text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return errDuration
	}
	*(*time.Duration)(p) = d
	return nil
}

// setText asks the type itself. Only that needs reflection for each record.
func setText(t reflect.Type) setter {
	return func(p unsafe.Pointer, text []byte) error {
		return reflect.NewAt(t, p).Interface().(encoding.TextUnmarshaler).UnmarshalText(text)
	}
}

func setPointer(elem reflect.Type) (setter, error) {
	set, err := setterOf(elem)
	if err != nil {
		return nil, err
	}
	return func(p unsafe.Pointer, text []byte) error {
		v := reflect.New(elem).UnsafePointer()
		*(*unsafe.Pointer)(p) = v
		return set(v, text)
	}, nil
}

// isText says whether a type has a textual form of its own.
func isText(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// null is a type that holds a value or null: a struct with a flag Valid and one other field.
type null struct {
	value  reflect.Type
	offset uintptr
	valid  uintptr
}

// nullable gives how a type holds null, or nil if it is none.
func nullable(t reflect.Type) *null {
	if t.Kind() != reflect.Struct || t.NumField() != 2 {
		return nil
	}
	for i := range 2 {
		flag, value := t.Field(i), t.Field(1-i)
		if flag.Name == "Valid" && flag.Type.Kind() == reflect.Bool && value.IsExported() {
			return &null{value: value.Type, offset: value.Offset, valid: flag.Offset}
		}
	}
	return nil
}

func (n *null) setter() (setter, error) {
	set, err := setterOf(n.value)
	if err != nil {
		return nil, err
	}
	return func(p unsafe.Pointer, text []byte) error {
		*(*bool)(unsafe.Add(p, n.valid)) = true
		return set(unsafe.Add(p, n.offset), text)
	}, nil
}
