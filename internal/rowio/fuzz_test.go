package rowio_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/rowio"
)

// plain says whether a reader takes text as it is: what begins like gzip or zstd is
// decompressed, or found to be damaged, before there are records.
func plain(text string) bool {
	out, err := io.ReadAll(files.Decompress(strings.NewReader(text), files.Limits{}))
	return err == nil && string(out) == text
}

// FuzzCSV: what encoding/csv reads is read the same, but for CR LF within quotes, which it
// changes, and for empty fields, of which it does not say which are null.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"", "a,b\n", "\"a\nb\",c\n", "a,\n,\n\"\",\"\"\"\"\n", "#a\n\na,b", "a,b,c\n", "a\nb,c\n", "ä,\"ö\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\r") || len(text) > 1<<14 || strings.HasPrefix(text, "\xef\xbb\xbf") || !utf8.ValidString(text) || !plain(text) {
			return
		}
		theirs := csv.NewReader(strings.NewReader(text))
		theirs.FieldsPerRecord, theirs.Comment = 2, '#'
		records, err := theirs.ReadAll()
		if err != nil {
			return
		}
		var want []string
		for _, r := range records {
			want = append(want, fmt.Sprintf("%q", []string{r[1], r[0]}))
		}
		table, err := rowio.Open(t.Context(), rowio.Config{
			Format: "csv", Paths: []string{"-"}, Stdin: strings.NewReader(text), Comment: '#',
			Columns: []string{"a", "b"}, Schema: types("a:string?", "b:string?"),
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range rows(t, table.Source("", []string{"b", "a"})) {
			got = append(got, fmt.Sprintf("%q", []string{row[0].Str(), row[1].Str()}))
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %s, want %s", text, got, want)
		}
	})
}

// FuzzOpen: whatever the bytes are, there is an error or there are rows, the same whether one
// or several goroutines read.
func FuzzOpen(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"t":3}`, "{\"a\":1,\"t\":1}\n{\"a\":\"x\",\"t\":2}\n{\"b\":null}\n", `[{"a":{"b":[1,2.5]},"t":1},{"a":3}]`, "a,b,t\n1,2.5,3\n\"x\",,4\n", "line\n\nline", "[[1]\n]",
		"\x1f\x8b\x08", "[{\"a\":\"\n\"}]", "[ ]", "a\n01\n1e3\nNaN\n", `{"a":{}}` + "\n" + `{"a":{"a":1}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		for _, format := range rowio.Formats() {
			for _, timed := range []bool{false, true} {
				var all []string
				for _, parallel := range []int{1, 2} {
					c := rowio.Config{Format: format, Paths: []string{"-"}, Stdin: strings.NewReader(text), Parallel: parallel}
					if timed {
						c.Time = &rowio.TimeField{Field: "t", AcceptUnlikely: true}
					}
					table, err := rowio.Open(t.Context(), c)
					if err != nil {
						all = append(all, err.Error())
						continue
					}
					got := read(t, table.Source("", table.Schema().Names()))
					all = append(all, fmt.Sprint(got.rows, got.times, got.malformed, got.err))
				}
				if all[0] != all[1] {
					t.Fatalf("%q as %s: %s, and in parallel %s", text, format, all[0], all[1])
				}
			}
		}
	})
}
