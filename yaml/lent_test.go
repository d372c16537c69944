package yaml_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Rows go from large files straight into an aggregation, by readers that use their memory again: what a
// loop over the same records gives must come out, of values that an accumulator keeps and of rows
// that are late, whatever the format and however many read and count.
func TestRowsOfLargeFilesAreWhatALoopSeesOfThem(t *testing.T) {
	type cell struct {
		n, sum int64
		lo, hi string
	}
	const size, bound = 60, 5
	r := rand.New(rand.NewPCG(1, 2))
	var csv, jsonl strings.Builder
	csv.WriteString("k,s,n,at\n")
	cells, late := map[string]*cell{}, []string{}
	front := int64(-1 << 40)
	for i := range int64(150_000) {
		at := 1000 + i/75 - r.Int64N(bound)
		if r.IntN(100) == 0 {
			at -= 200
		}
		k, s, n := fmt.Sprintf("k%d", r.IntN(50)), fmt.Sprintf("text %d of %d", r.IntN(1000), i), r.Int64N(1000)
		fmt.Fprintf(&csv, "%s,%s,%d,%d\n", k, s, n, at)
		fmt.Fprintf(&jsonl, `{"k":%q,"skipped":[%d],"s":%q,"n":%d,"at":%d}`+"\n", k, i, s, n, at)
		begin := at / size * size
		if begin+size <= front-bound {
			late = append(late, s)
		} else {
			key := fmt.Sprintf("%s %d", k, begin)
			c := cells[key]
			if c == nil {
				c = &cell{lo: s, hi: s}
				cells[key] = c
			}
			c.n, c.sum, c.lo, c.hi = c.n+1, c.sum+n, min(c.lo, s), max(c.hi, s)
		}
		front = max(front, at)
	}
	var want []string
	for key, c := range cells {
		want = append(want, fmt.Sprintf("%s: %d %d %q %q", key, c.n, c.sum, c.lo, c.hi))
	}
	slices.Sort(want)
	slices.Sort(late)
	if len(want) < 1000 || len(late) < 200 {
		t.Fatalf("%d cells and %d late records: this shows little", len(want), len(late))
	}
	for _, in := range []struct{ read, name, text string }{{"ReadFromCsv", "in.csv", csv.String()}, {"ReadFromJson", "in.jsonl", jsonl.String()}} {
		for _, parallel := range []int{1, 2, 4} {
			p, err := playWith(t, fmt.Sprintf(`
pipeline:
  transforms:
    - type: %s
      name: Read
      config:
        path: "{{dir}}/%s"
        schema: {type: object, properties: {k: {type: string}, s: {type: string}, n: {type: integer}, at: {type: integer}}}
      watermark: {timestamp: at, unit: s, bound: %ds, guard: false}
    - type: Combine
      input: Read
      windowing: {type: fixed, size: %ds}
      config:
        group_by: k
        combine: {count: {value: n, fn: count}, sum: {value: n, fn: sum}, lo: {value: s, fn: min}, hi: {value: s, fn: max}}
    - type: ExtractWindowingInfo
      input: Combine
      config: {fields: {begin: window_start}}
    - type: WriteToJson
      input: ExtractWindowingInfo
      config: {path: "{{dir}}/cells.jsonl"}
    - type: WriteToJson
      input: Combine.late
      config: {path: "{{dir}}/late.jsonl"}
options: {streaming: true, workers: %d}
`, in.read, in.name, bound, size, parallel), parallel, in.name, in.text)
			if err != nil {
				t.Fatal(err)
			}
			var got, gotLate []string
			for _, line := range lines(p.file(t, "cells.jsonl")) {
				var c struct {
					K, Lo, Hi  string
					Count, Sum int64
					Begin      string
				}
				if err := json.Unmarshal([]byte(line), &c); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%s %d: %d %d %q %q", c.K, seconds(t, c.Begin), c.Count, c.Sum, c.Lo, c.Hi))
			}
			for _, line := range lines(p.file(t, "late.jsonl")) {
				var l struct{ Element struct{ S string } }
				if err := json.Unmarshal([]byte(line), &l); err != nil {
					t.Fatal(err)
				}
				gotLate = append(gotLate, l.Element.S)
			}
			slices.Sort(got)
			slices.Sort(gotLate)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d workers: %d cells that are not the %d of a loop", in.read, parallel, len(got), len(want))
			}
			if !slices.Equal(gotLate, late) {
				t.Errorf("%s, %d workers: %d late records that are not the %d of a loop", in.read, parallel, len(gotLate), len(late))
			}
		}
	}
}

func seconds(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Unix()
}
