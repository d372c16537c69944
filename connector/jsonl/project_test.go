package jsonl_test

import (
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

type site struct {
	Sensor string   `json:"sensor"`
	Value  *float64 `json:"value,omitempty"`
	Where  struct {
		Name  string `json:"name"`
		Floor int8
	} `json:"where"`
	At   time.Time `json:"at"`
	Tags []string
	Kept int `json:"-"`
	placed
}

type placed struct{ Room uint16 }

func TestProjectReadsWhatIsOfUse(t *testing.T) {
	value := 21.5
	got := read(t, from[site](
		`{"x":[{"sensor":"no"}],"sensor":"a","value":21.5,"where":{"name":"x","Floor":-1.0,"y":{}},"at":"2026-03-01T12:00:00+01:00","Tags":["b"],"Kept":5,"Room":7}`,
		`{"value":null,"sensor":"caf\u00e9 \ud83d\ude00","where":null}`,
		`  {}`,
	).Project())
	want := []site{{Sensor: "a", Value: &value, Tags: []string{"b"}, placed: placed{7}}, {Sensor: "café 😀"}, {}}
	want[0].Where.Name, want[0].Where.Floor = "x", -1
	want[0].At = time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	if got.err != nil || len(got.malformed) > 0 || len(got.values) != 3 || !got.values[0].At.Equal(want[0].At) {
		t.Fatalf("got %+v", got)
	}
	got.values[0].At = want[0].At
	if !reflect.DeepEqual(got.values, want) {
		t.Errorf("got %+v, want %+v", got.values, want)
	}
}

func TestProjectRefusesWhatTheDefaultRefusesInTheSameWords(t *testing.T) {
	lines := []string{
		`{"sensor":1}`, `{"where":{"Floor":128}}`, `{"where":{"Floor":1.5}}`, `{"value":9007199254740993}`, `{"at":"yesterday"}`, `{"sensor":"a","sensor":"b"}`,
		`{"where":{"name":"a","name":"b"}}`, `{"Tags":[1]}`, `{"x":tru}`, `{"x":"` + "\xff" + `"}`, `{"x":"\ud800"}`, `{"x":1`, `{"x":01}`, `{}{}`, `[]`, `null`, `{"x":` + strings.Repeat("[", 128) + strings.Repeat("]", 128) + `}`, "{\"x\":\"\t\"}",
	}
	got, want := read(t, from[site](lines...).Project()), read(t, from[site](lines...))
	if !reflect.DeepEqual(got.malformed, want.malformed) || len(got.malformed) != len(lines) {
		for i := range lines {
			if i >= len(got.malformed) || i >= len(want.malformed) || got.malformed[i] != want.malformed[i] {
				t.Fatalf("%s\ngot  %q\nwant %q", lines[i], got.malformed[i:], want.malformed[i:])
			}
		}
	}
}

func TestAKeyOfNoUseMayBeGivenTwiceToAProjection(t *testing.T) {
	s := func(line string) jsonl.Source[site] { return from[site](line).Project() }
	for _, line := range []string{`{"x":1,"x":2}`, `{"x":{"y":1,"y":2}}`, `{"where":{"x":1,"x":2}}`, `{"x":{"sensor":1,"sensor":2}}`} {
		if got := read(t, s(line)); len(got.values) != 1 {
			t.Errorf("%s: got %+v", line, got)
		}
		if err := reason(t, from[site](line)); !errors.Is(err, jsonl.ErrDuplicateKey) {
			t.Errorf("%s by default: %v", line, err)
		}
	}
	for line, s := range map[string]jsonl.Source[site]{
		`{"ts":1,"ts":1}`:              s(`{"ts":1,"ts":1}`).EventTime("ts", timestamp.Seconds),
		`{"m":{},"m":{"ts":1}}`:        s(`{"m":{},"m":{"ts":1}}`).EventTime("m.ts", timestamp.Seconds),
		`{"y":1,"y":1}`:                s(`{"y":1,"y":1}`).Require("y"),
		`{"\u0073ensor":1,"sensor":2}`: s(`{"\u0073ensor":"1","sensor":"2"}`),
	} {
		if err := reason(t, s); !errors.Is(err, jsonl.ErrDuplicateKey) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestProjectGivesEventTimesAndWhatIsRequired(t *testing.T) {
	lines := []string{
		`{"sensor":"a","ts":1,"m":{"ts":2},"z":1}`, `{"sensor":"a","m":{"ts":2}}`, `{"sensor":"a","ts":1,"m":5}`, `{"ts":1,"m":{"ts":2}}`, `{"sensor":null,"ts":1,"m":{"ts":2}}`,
		`{"sensor":"a","ts":1,"m.ts":3,"m":{"ts":2}}`, `{"sensor":"a","ts":"x","m.ts":3}`,
	}
	for _, field := range []string{"ts", "m.ts"} {
		source := func() jsonl.Source[site] {
			return from[site](lines...).EventTime(field, timestamp.Seconds).Require("sensor").Require("m.ts", "ts")
		}
		got, want := read(t, source().Project()), read(t, source())
		if !reflect.DeepEqual(got, want) || len(got.times) == 0 || len(got.malformed) == 0 {
			t.Errorf("%s: got  %+v\nwant %+v", field, got, want)
		}
	}
	if got := read(t, from[site](`{"ts":1700000000}`).EventTime("ts", timestamp.Millis).Project()); !errors.Is(got.err, jsonl.ErrUnlikelyTimes) {
		t.Errorf("a wrong unit: got %v", got.err)
	}
}

func TestWhatCannotBeProjectedIsRefusedAtTheStart(t *testing.T) {
	type quoted struct {
		N int `json:",string"`
	}
	type inlined struct {
		X jsontext.Value `json:",inline"`
	}
	type twice struct {
		placed
		R int `json:"Room"`
	}
	type embedded struct{ *placed }
	type odd struct {
		A int `json:"'a,b'"`
	}
	type within struct{ Q quoted }
	for want, err := range map[string]error{
		"jsonl: Project reads into structs, and int is none":                                                                    splits(t, from[int]().Project()),
		"jsonl: Project reads into structs, and map[string]interface {} is none":                                                splits(t, from[map[string]any]().Project()),
		"jsonl: Project: time.Time decodes itself":                                                                              splits(t, from[time.Time]().Project()),
		"jsonl: Project cannot read field N of jsonl_test.quoted: of the option string":                                         splits(t, from[quoted]().Project()),
		"jsonl: Project cannot read field X of jsonl_test.inlined: of the option inline":                                        splits(t, from[inlined]().Project()),
		`jsonl: Project cannot read field R of jsonl_test.twice: there are two of the name "Room"`:                              splits(t, from[twice]().Project()),
		"jsonl: Project cannot read field placed of jsonl_test.embedded: it is embedded, and no plain struct":                   splits(t, from[embedded]().Project()),
		"jsonl: Project cannot read field A of jsonl_test.odd: its name is quoted":                                              splits(t, from[odd]().Project()),
		"jsonl: MaxLine(0): a line has a byte at least\nProject cannot read field N of jsonl_test.quoted: of the option string": splits(t, from[within]().MaxLine(0).Project()),
	} {
		if fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func splits[T any](t *testing.T, s jsonl.Source[T]) error {
	_, err := s.Splits(t.Context())
	return err
}
