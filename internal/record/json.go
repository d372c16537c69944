package record

import (
	"encoding/base64"
	"encoding/json/jsontext"
	"math"
	"strconv"
)

// AppendJSON appends v as JSON: an instant as RFC 3339 in UTC, bytes as base64, and NaN and
// the infinities as the strings "NaN", "Infinity" and "-Infinity", since JSON has no numbers
// for them.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.Kind() {
	case Bool:
		return strconv.AppendBool(dst, v.Bool())
	case Int:
		return strconv.AppendInt(dst, v.Int(), 10)
	case Float:
		return appendFloat(dst, v.Float())
	case String:
		return AppendQuoted(dst, v.Str())
	case Bytes:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v.Bytes())
		return append(dst, '"')
	case Time:
		dst = append(dst, '"')
		dst = formatTime(dst, v.Time())
		return append(dst, '"')
	case List:
		dst = append(dst, '[')
		for i, e := range v.List() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.AppendJSON(dst)
		}
		return append(dst, ']')
	case Struct:
		return AppendObject(dst, v.Struct().Names, v.Struct().Values)
	}
	return append(dst, "null"...)
}

// MarshalJSON is [Value.AppendJSON] for package json.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendObject appends an object of named values.
func AppendObject(dst []byte, names []string, vs []Value) []byte {
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendQuoted(dst, name)
		dst = append(dst, ':')
		dst = vs[i].AppendJSON(dst)
	}
	return append(dst, '}')
}

// AppendQuoted appends s as a JSON string; invalid UTF-8 becomes U+FFFD.
func AppendQuoted(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			dst, _ = jsontext.AppendQuote(dst, s) // the error is about invalid UTF-8, which it replaced
			return dst
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// appendFloat writes the shortest number that reads back the same, in the form of ES6.
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if format == 'e' { // e-09 is written e-9
		if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
	}
	return dst
}
