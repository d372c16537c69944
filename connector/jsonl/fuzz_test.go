package jsonl

import (
	"bytes"
	"database/sql"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/lines"
)

type fuzzed struct {
	I   int64            `json:"i"`
	U   uint8            `json:"u"`
	F   float64          `json:"f"`
	S   string           `json:"s"`
	L   []int32          `json:"l"`
	Any any              `json:"any"`
	M   map[string]int64 `json:"m"`
	P   *fuzzed          `json:"p"`
}

func seeds(f *testing.F) {
	for _, s := range []string{
		"", " ", "null", "{}", "[]", "nonsense", `{"i":12.0,"u":1e2,"l":[1,2.0]}`, `{"i":1.5}`, `{"i":1e400}`, `{"i":-0.0e99999999999}`, `{"f":9007199254740993}`,
		`{"any":[12345678901234567890,{"at":1}]}`, `{"at":1700000000.5}`, `{"at":"x","at":1}`, `{"\u0061t":7}`, `{"s":"\\\"","at":1}`, `{"p":{"p":{"at":1}}}`,
		"{\"s\":\"\xff\"}", "{\"s\":\"\x00\"}", `{"a.b":1,"a":{"b":2}}`, strings.Repeat("[", 200), `{"x":"[[[[[[[[`, `"`, `"\`, `\"`, `{"i":00}`, `{"m":{"x":1.0}}`,
	} {
		f.Add([]byte(s))
	}
}

// FuzzDecode: whatever the bytes, a line becomes a record, a malformed record with a reason,
// or nothing; and a record is what encoding/json/v2 makes of the line, unless a number in it
// is one that json/v2 and the rules see differently (S13.2).
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		d := newDecoder[fuzzed](config{maxDepth: 20, timed: true, field: "at", layout: timestamp.Seconds, accept: true})
		before := bytes.Clone(line)
		var got, want fuzzed
		_, err := d.Decode(line, &got)
		if !bytes.Equal(line, before) {
			t.Fatalf("the line was changed from %q to %q", before, line)
		}
		if err == lines.ErrSkip {
			if len(bytes.Trim(line, " \t\r\n")) > 0 {
				t.Fatalf("%q was passed over", line)
			}
			return
		}
		if err != nil && (err.Error() == "" || len(err.Error()) > 1000) {
			t.Fatalf("%q: a reason of %d bytes", line, len(err.Error()))
		}
		if !jsontext.Value(line).IsValid() {
			if err == nil {
				t.Fatalf("%q is no JSON, and became %+v", line, got)
			}
			return
		}
		d.timed = false
		got = fuzzed{}
		_, err = d.Decode(line, &got)
		theirs := json.Unmarshal(line, &want)
		if err == nil && theirs == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %+v, and for json/v2 it is %+v", line, got, want)
		}
		if err == nil && theirs != nil && !mayBeWhole(theirs) {
			t.Fatalf("%q became %+v, and for json/v2 it is %v", line, got, theirs)
		}
	})
}

// FuzzFind compares the scanner with a decoder that knows JSON.
func FuzzFind(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		var object map[string]jsontext.Value
		if json.Unmarshal(line, &object) != nil || object == nil {
			tooDeep(line, 3) // must not panic on anything
			return
		}
		for name, value := range object {
			if got := find(line, name); !bytes.Equal(got, value) {
				t.Fatalf("%q in %q is %q, want %q", name, line, got, value)
			}
			var within map[string]jsontext.Value
			if json.Unmarshal(value, &within) != nil || name == "" {
				continue
			}
			for inner, value := range within {
				if _, whole := object[name+"."+inner]; whole || strings.Contains(name, ".") || strings.Contains(inner, ".") {
					continue
				}
				if got := find(line, name+"."+inner); !bytes.Equal(got, value) {
					t.Fatalf("%q in %q is %q, want %q", name+"."+inner, line, got, value)
				}
			}
		}
		if _, there := object["no such field"]; !there && find(line, "no such field") != nil {
			t.Fatalf("found what is not there in %q", line)
		}
	})
}

func TestDigitRunsAreFoundWhereverTheyStand(t *testing.T) {
	const long = "9007199254740993" // 2^53 + 1
	for pad := range 40 {
		line := strings.Repeat(" ", pad) + `{"x":` + long + `}` + strings.Repeat(" ", 7)
		if !floats64.mayRound([]byte(line)) {
			t.Errorf("not found behind %d blanks", pad)
		}
		for _, harmless := range []string{`"` + long + `"`, "0." + long, long + ".5", long + "e1", "9007199254740992", "123456789012345"} {
			if line := strings.Repeat(" ", pad) + `{"x":` + harmless + `}`; floats64.mayRound([]byte(line)) {
				t.Errorf("%s was suspected behind %d blanks", harmless, pad)
			}
		}
	}
	if !floats64.mayRound([]byte(`[0.1234567890123456789, -90071992547409930]`)) {
		t.Error("not found behind a fraction")
	}
	for _, c := range []struct {
		of   any
		want int
	}{{0, 0}, {"", 0}, {1.5, 16}, {float32(1), 8}, {map[string]any{}, 16}, {struct{ X []*float64 }{}, 16}, {struct {
		X float32
		Y float64
	}{}, 8}, {fuzzed{}, 16}} {
		if got := floatsIn(reflect.TypeOf(c.of)).digits; got != c.want {
			t.Errorf("%T: %d digits, want %d", c.of, got, c.want)
		}
	}
}

type projected struct {
	I      int64   `json:"i"`
	U      uint8   `json:"u"`
	F      float64 `json:"f"`
	G      float32
	S      string  `json:"s,omitempty"`
	B      bool    `json:"b"`
	L      []int32 `json:"l"`
	Any    any     `json:"any"`
	P      *int    `json:"p"`
	Text   *string
	Within struct {
		I    int8 `json:"i"`
		Deep struct{ F *float64 }
	} `json:"w"`
	At     time.Time `json:"t"`
	Null   sql.Null[int64]
	Hidden int `json:"-"`
	part
}

type part struct {
	Long int32  `json:"a_name_of_more_than_sixty-three_bytes_which_is_where_lengths_are_no_longer_told_apart"`
	Dot  string `json:"a.b"`
}

// FuzzProject: the scanner takes what package json takes, with the same values and event times, and
// refuses what that refuses for the same reason; but that a projection's key of no use may be given
// twice.
func FuzzProject(f *testing.F) {
	seeds(f)
	for _, s := range []string{
		`{"i":-9223372036854775808,"u":255,"f":1.5e3,"G":0.1,"s":"text","b":true,"l":[1,2],"any":{"x":[1]},"p":5,"Text":"t","w":{"i":-128,"Deep":{"F":null}},"t":"2026-03-01T12:00:00.5+01:00","Null":{"V":1,"Valid":true},"Hidden":3,"Long":1,"a.b":"c","at":7}`,
		`{"x":1,"x":2,"at":1}`, manyKeys(maxRest, ""), manyKeys(maxRest+1, ""), manyKeys(maxRest, `"k3":1`), manyKeys(maxRest+1, `"k3":1`), `{"longer than eight":1,"longer than 8ight":2,"x":{"longer than eight":{"x":1}},"y":[{"y":1},{"y":1}]}`,
		`{"i":1,"i":1}`, `{"w":{"i":1,"i":2}}`, `{"w":{"x":1,"x":2}}`, `{"x":{"i":1,"i":2}}`, `{"any":{"x":1,"x":2}}`, `{"meta":1,"meta":{"at":1}}`, `{"a_name_of_more_than_sixty-three_bytes_which_is_where_lengths_are_no_longer_told_apart":1}`,
		`{"b":null,"p":null,"w":null,"t":null,"Null":null,"any":null,"s":null}`, `{"\u0069":1,"i":2}`, `{"s":"\ud83d\ude00\ud83d"}`, `{"s":"\ud83d\ude00","x":"\udc00"}`, `{"x":"\u00zz"}`, "{\"x\":\"\x1f\"}", "{\"x\":\"0123456\xff\"}", "{\"x\":\"01234567\u00e9\",\"s\":\"\u00e9\"}",
		`{"x":01}`, `{"x":1.}`, `{"x":-}`, `{"x":1e}`, `{"x":tru}`, `{"x":[1,]}`, `{"x":[,1]}`, `{"x":{,}}`, `{"x":1,}`, `{"x" 1}`, `{x:1}`, `{}x`, `{} {}`, "\t{ \"i\" : 1 , \"x\" : [ ] , \"w\" : { } }\r", `{"x":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}`, `{"x":[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]}`,
		`{"t":"2026-02-30T00:00:00Z"}`, `{"t":"2026-02-03T24:00:00Z"}`, `{"t":"2026-02-03 00:00:00Z"}`, `{"t":"2026-02-03T00:00:00,5Z"}`, `{"t":"2026-2-3T00:00:00Z"}`, `{"t":"2026-02-03T0:00:00Z"}`, `{"t":"2026-02-03T00:00:00+24:00"}`, `{"t":"2026-02-03T00:00:00+23:60"}`, `{"t":"2026-02-03T00:00:00.Z"}`, `{"t":"2026-02-03t00:00:00Z"}`, `{"t":"2026-02-03T00:00:00z"}`, `{"t":"2026-02-03T00:00:60Z"}`, `{"t":"\u0032026-02-03T00:00:00Z"}`, `{"G":16777217}`, `{"G":1e39}`, `{"u":-0.0}`, `{"at":{"x":1}}`, `[]`, `"x"`,
	} {
		f.Add([]byte(s))
	}
	c := config{maxDepth: 20, timed: true, field: "at", layout: timestamp.Seconds, accept: true, require: []string{"at", "meta.at"}}
	plain := newDecoder[projected](c)
	var err error
	if c.program, err = compile(reflect.TypeFor[projected](), c.named()); err != nil {
		f.Fatal(err)
	}
	fast := newDecoder[projected](c)
	c.project = true
	lax := newDecoder[projected](c)
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, required := range []bool{false, true} {
			plain.require, fast.require, lax.require = nil, nil, nil
			if required {
				plain.require, fast.require, lax.require = c.require, c.require, c.require
			}
			compareDecoders(t, plain, fast, line)
			compareDecoders(t, plain, lax, line)
		}
	})
}

// manyKeys is an object of n keys of no use, and the rest.
func manyKeys(n int, rest string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"k%d":%d`, i, i))
	}
	if rest != "" {
		all = append(all, rest)
	}
	return "{" + strings.Join(all, ",") + "}"
}

func compareDecoders(t *testing.T, plain, fast *decoder[projected], line []byte) {
	var got, want projected
	before := bytes.Clone(line)
	at, err := fast.Decode(line, &got)
	if !bytes.Equal(line, before) {
		t.Fatalf("the line was changed from %q to %q", before, line)
	}
	wantAt, theirs := plain.Decode(line, &want)
	switch {
	case theirs == nil:
		if err != nil || at != wantAt || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %+v at %d, %v; want %+v at %d", line, got, at, err, want, wantAt)
		}
		// In their brackets there may be too many keys to be compared.
		if bytes.Count(line, []byte(":")) <= maxRest && !fast.scanner.scan(line, skipBlank(line, 0), unsafe.Pointer(new(projected))) {
			t.Fatalf("%q was not scanned, and is good", line)
		}
	case fast.project && errors.Is(theirs, ErrDuplicateKey) && (err == nil || err.Error() != theirs.Error()):
		// A key of no use is given twice. Then all else counts.
		var want projected
		if ours := json.Unmarshal(line, &want, jsontext.AllowDuplicateNames(true), exactly); ours != nil || err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %+v, %v; json/v2 makes %+v of it, %v", line, got, err, want, ours)
		}
	case err == nil || err.Error() != theirs.Error():
		t.Fatalf("%q became %+v, %v; want %v", line, got, err, theirs)
	}
}
