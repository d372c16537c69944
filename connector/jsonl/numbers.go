package jsonl

import (
	"encoding"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
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
	raw := string(value)
	problem := func(what string) error { return &numberError{raw, target.Type(), what} }
	bits := target.Type().Bits()
	if kind == reflect.Float32 || kind == reflect.Float64 {
		f, err := strconv.ParseFloat(raw, bits)
		if err != nil {
			return problem("out of range")
		}
		if rounds(raw, f) {
			return problem("it would be rounded")
		}
		target.SetFloat(f)
		return nil
	}
	digits, ok := wholeDigits(raw)
	if !ok {
		return problem("not a whole number")
	}
	if kind >= reflect.Uint {
		u, err := strconv.ParseUint(digits, 10, bits)
		if err != nil {
			return problem("out of range")
		}
		target.SetUint(u)
		return nil
	}
	i, err := strconv.ParseInt(digits, 10, bits)
	if err != nil {
		return problem("out of range")
	}
	target.SetInt(i)
	return nil
}

func readsItself(v any) bool {
	switch v.(type) {
	case json.Unmarshaler, json.UnmarshalerFrom, encoding.TextUnmarshaler, *time.Duration:
		return true
	}
	return false
}

// rounds says whether f is another number than a whole one that is written out.
func rounds(raw string, f float64) bool {
	if strings.ContainsAny(raw, ".eE") {
		return false
	}
	written, ok := new(big.Int).SetString(raw, 10)
	held, _ := new(big.Float).SetFloat64(f).Int(nil)
	return !ok || written.Cmp(held) != 0
}

// wholeDigits writes a JSON number without point and exponent. It gives false if the number
// is not whole.
func wholeDigits(raw string) (digits string, ok bool) {
	sign := ""
	if strings.HasPrefix(raw, "-") {
		sign, raw = "-", raw[1:]
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}
	shift := int64(0)
	if exponent != "" {
		shift, _ = strconv.ParseInt(exponent, 10, 64) // clamped if it is out of range
		shift = min(max(shift, -1<<40), 1<<40)
	}
	// So many zeros more than the digits have; negative if they end with a fraction.
	zeros := shift - int64(len(fraction))
	trimmed := strings.TrimRight(digits, "0")
	zeros += int64(len(digits) - len(trimmed))
	if zeros < 0 {
		return "", false
	}
	// Beyond 20 digits nothing fits, and how many more there are does not matter.
	zeros = min(zeros, 20)
	return sign + trimmed + strings.Repeat("0", int(zeros)), true
}
