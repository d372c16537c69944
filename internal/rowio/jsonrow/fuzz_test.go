package jsonrow

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/number"
	"github.com/strandline-stream/strandline/internal/record"
)

// schema is that of the fuzzed lines: fields of every type, some within others, keys of many
// lengths, and one that is declared by a path.
func schema() record.Schema {
	nullable := func(k record.Kind) record.Type { return record.Type{Kind: k, Nullable: true} }
	integer := nullable(record.Int)
	return record.Schema{
		{Name: "n", Type: integer},
		{Name: "x", Type: nullable(record.Float)},
		{Name: "s", Type: nullable(record.String)},
		{Name: "ok", Type: nullable(record.Bool)},
		{Name: "a key of more than 16 bytes", Type: nullable(record.String)},
		{Name: "any", Type: record.Type{Kind: record.Any, Nullable: true}},
		{Name: "list", Type: record.Type{Kind: record.List, Nullable: true, Elem: &integer}},
		{Name: "o", Type: record.Type{Kind: record.Struct, Nullable: true, Fields: record.Schema{{Name: "n", Type: integer}, {Name: "s", Type: nullable(record.String)}}}},
	}
}

// errUnfit is the oracle's: not of the type.
var errUnfit = errors.New("unfit")

// oracle reads a line with encoding/json/v2: a value for each field, an error if one cannot
// be had. Only the keys of the fields must be unique.
func oracle(line []byte, s record.Schema) (record.Row, error) {
	o, err := members(line, s)
	if err != nil {
		return nil, err
	}
	row := make(record.Row, len(s))
	for i, f := range s {
		if raw := o[f.Name]; raw != nil {
			if row[i], err = value(raw, f.Type); err != nil {
				return nil, err
			}
		}
	}
	return row, nil
}

// members gives the values of an object whose keys the schema names, or of all keys.
func members(raw jsontext.Value, s record.Schema) (map[string]jsontext.Value, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	if dec.PeekKind() != '{' {
		return nil, errUnfit
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	o := map[string]jsontext.Value{}
	for dec.PeekKind() != '}' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		v, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		if s == nil || s.Index(name) >= 0 {
			if o[name] != nil {
				return nil, errUnfit
			}
			o[name] = v.Clone()
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, errUnfit
	}
	return o, nil
}

func value(raw jsontext.Value, t record.Type) (v record.Value, err error) {
	kind := raw.Kind()
	if kind == 'n' {
		return v, nil
	}
	switch t.Kind {
	case record.Int:
		if kind != '0' {
			return v, errUnfit
		}
		digits, ok := number.WholeDigits(string(raw))
		if !ok {
			return v, errUnfit
		}
		var n int64
		err = json.Unmarshal([]byte(digits), &n)
		return record.OfInt(n), err
	case record.Float:
		if kind != '0' {
			return v, errUnfit
		}
		var x float64
		if err = json.Unmarshal(raw, &x); err != nil {
			return v, err
		}
		_, err = number.Float(raw, 64) // a whole number that would be rounded
		return record.OfFloat(x), err
	case record.String:
		var s string
		err = json.Unmarshal(raw, &s)
		return record.OfString(s), err
	case record.Bool:
		var b bool
		err = json.Unmarshal(raw, &b)
		return record.OfBool(b), err
	case record.List:
		var list []jsontext.Value
		if err = json.Unmarshal(raw, &list, jsontext.AllowDuplicateNames(true)); err != nil {
			return v, err
		}
		vs := make([]record.Value, len(list))
		elem := record.Type{Kind: record.Any}
		if t.Elem != nil {
			elem = *t.Elem
		}
		for i, raw := range list {
			if vs[i], err = value(raw, elem); err != nil {
				return v, err
			}
		}
		return record.OfList(vs), nil
	case record.Struct:
		row, err := oracle(raw, t.Fields)
		return record.OfStruct(record.Schema(t.Fields).Names(), row), err
	}
	switch kind {
	case '"':
		return value(raw, record.Type{Kind: record.String})
	case 't', 'f':
		return value(raw, record.Type{Kind: record.Bool})
	case '[':
		return value(raw, record.Type{Kind: record.List})
	case '0':
		if !strings.ContainsAny(string(raw), ".eE") {
			if v, err := value(raw, record.Type{Kind: record.Int}); err == nil {
				return v, nil
			}
		}
		return value(raw, record.Type{Kind: record.Float})
	}
	o, err := members(raw, nil)
	if err != nil {
		return v, err
	}
	var names []string
	var vs []record.Value
	for name, raw := range o {
		v, err := value(raw, record.Type{Kind: record.Any})
		if err != nil {
			return v, err
		}
		names, vs = append(names, name), append(vs, v)
	}
	return record.OfStruct(names, vs), nil
}

// same is equality that knows -0 from 0.
func same(a, b record.Value) bool {
	if a.Kind() == record.Float && b.Kind() == record.Float {
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	}
	return a.Kind() == b.Kind() && record.Equal(a, b)
}

var seeds = []string{
	`{"n":1,"x":-0.5,"s":"text","ok":true,"a key of more than 16 bytes":"v","any":{"a":[1,2.5,null,"x"]},"list":[1,2,3],"o":{"n":1,"s":"y"}}`,
	`{ "n" : 12.0 , "x" : 1e3 , "s" : "\u00e4\ud83d\ude00\n" , "ok" : null , "list" : [ ] , "any" : [ { } ] } `,
	`{"n":9007199254740993,"x":1e400}`,
	`{"n":-9223372036854775808,"x":123456789012345678}`,
	`{"n":01}`, `{"n":-}`, `{"n":1.}`, `{"x":.5}`, `{"x":1e}`, `{"x":-0}`, `{"x":1.7976931348623157e308}`,
	`{"s":"a","s":"b"}`, `{"s":"a","\u0073":"b"}`, `{"z":1,"z":{"s":1,"s":2}}`, `{"o":{"n":1,"n":2}}`, `{"any":{"a":1,"a":2}}`,
	`{"n":1}x`, `{"n":1`, `{"n":1,}`, `{,}`, `{}`, `[]`, `"x"`, ``, ` `, `{"n" 1}`, `{"n":1 "x":2}`, `{"skipped":[1,{"n":"]"}],"n":2}`,
	"{\"s\":\"\xff\"}", "{\"s\":\"\x01\"}", `{"s":"\ud800"}`, `{"s":"\x"}`, `{"skipped":"\\\"","n":3}`, `{"skipped":-1e+5,"n":3}`, `{"skipped":tru,"n":3}`,
	`{"skipped": {"a": 1, "b": {"c": "]}", "d": [1, {"e": 2}]}}, "n": 1}`, `{"skipped":{"a":1,"b":{"c":"x"}},"n":2}`, `{"skipped":{},"n":1}`, `{"skipped":{"a":1},"n":3,"z":{"n":4}}`,
	`{"list":[1,null,3.0]}`, `{"list":{"n":1}}`, `{"any":` + strings.Repeat("[", 127) + strings.Repeat("]", 127) + `}`, `{"skipped":` + strings.Repeat("[", 128) + strings.Repeat("]", 128) + `}`,
	`{"s":"` + strings.Repeat("long ", 100) + `"}`, `{"s":"1234567"}`, `{"s":"12345678"}`, `{"s":"ä2345678901234567"}`, `{"a key of more than 16 byteS":1}`, `{"a key of more than 16 bytes":"x"}`,
}

// check holds a line against the oracle: what json/v2 takes is taken, with the same values,
// and what it refuses is refused, unless only what is not in use is wrong.
func check(t *testing.T, d *Decoder, line []byte, fields []string) {
	t.Helper()
	used := record.Schema{} // and not nil, which is all keys
	for _, f := range fields {
		all := schema()
		used = append(used, all[all.Index(f)])
	}
	kept := bytes.Clone(line)
	got, _, blank, err := d.Decode(line)
	if !bytes.Equal(line, kept) {
		t.Fatalf("%q was changed", kept)
	}
	if blank != (len(bytes.Trim(line, " \t\r\n")) == 0) {
		t.Fatalf("%q: blank is %v", line, blank)
	}
	if blank {
		return
	}
	want, wrong := oracle(line, used)
	if errors.Is(err, ErrTooDeep) {
		if bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) <= MaxDepth {
			t.Fatalf("%q: %v", line, err)
		}
		return
	}
	switch {
	case err == nil && wrong == nil:
		for i := range got {
			if !same(got[i], want[i]) {
				t.Fatalf("%q: field %s is %v, want %v", line, fields[i], got[i], want[i])
			}
		}
	case wrong == nil:
		t.Fatalf("%q: %v, want %v", line, err, want)
	case err == nil && jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true)):
		t.Fatalf("%q: got %v, want an error: %v", line, got, wrong)
	}
}

// checkTime holds the event time of a line, in seconds in the field n of o, against the oracle.
func checkTime(t *testing.T, d *Decoder, line []byte) {
	t.Helper()
	_, at, blank, err := d.Decode(line)
	if blank || errors.Is(err, ErrTooDeep) {
		return
	}
	raw := jsontext.Value(line)
	var wrong error
	for _, key := range []string{"o", "n"} {
		var o map[string]jsontext.Value
		if o, wrong = members(raw, record.Schema{{Name: key}}); wrong != nil {
			break
		}
		if raw = o[key]; raw == nil {
			wrong = errUnfit
			break
		}
	}
	want := int64(0)
	if wrong == nil {
		if want, wrong = timestamp.Seconds.ParseMicros(raw); raw.Kind() != '0' {
			wrong = errUnfit
		}
	}
	switch {
	case (err == nil) == (wrong == nil) && at != want && err == nil:
		t.Fatalf("%q: event time %d, want %d", line, at, want)
	case wrong == nil && err != nil:
		t.Fatalf("%q: %v, want the event time %d", line, err, want)
	case wrong != nil && err == nil && jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true)):
		t.Fatalf("%q: event time %d, want an error: %v", line, at, wrong)
	}
}

// FuzzScan holds lines against encoding/json/v2, each after others, so that keys are expected
// where they are and where they are not.
func FuzzScan(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i*7+3)%len(seeds)], uint8(0xff))
		f.Add(s, s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, first, second string, use uint8) {
		var fields []string
		for i, field := range schema() {
			if use>>i&1 != 0 {
				fields = append(fields, field.Name)
			}
		}
		d, err := New(Options{Schema: schema(), Fields: fields})
		if err != nil {
			t.Fatal(err)
		}
		timed, err := New(Options{Schema: schema(), Time: "o.n", Layout: timestamp.Seconds})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{first, second, first} {
			check(t, d, []byte(line), fields)
			checkTime(t, timed, []byte(line))
			// What stands behind a line does not matter.
			behind := []byte(line + `"}],"n":1}` + strings.Repeat("1", pad))
			check(t, d, behind[:len(line)], fields)
		}
	})
}

// TestLinesWithOneByteChanged is a smaller world than the fuzzer's, and all of it.
func TestLinesWithOneByteChanged(t *testing.T) {
	var fields []string
	for _, f := range schema() {
		fields = append(fields, f.Name)
	}
	d, err := New(Options{Schema: schema(), Fields: fields})
	if err != nil {
		t.Fatal(err)
	}
	part, err := New(Options{Schema: schema(), Fields: fields[2:3]})
	if err != nil {
		t.Fatal(err)
	}
	timed, err := New(Options{Schema: schema(), Time: "o.n", Layout: timestamp.Seconds})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range seeds {
		if len(line) > 250 {
			continue
		}
		for i := range line {
			for _, c := range "\"\\{}[],:01.-+eEtn \x00\x80" {
				changed := []byte(line)
				changed[i] = byte(c)
				check(t, d, changed, fields)
				check(t, part, changed, fields[2:3])
				checkTime(t, timed, changed)
				check(t, d, changed[:i], fields)
				n++
			}
		}
	}
	t.Attr("cases", strconv.Itoa(n))
}
