package csv

import (
	encoding "encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/lines"
)

// two are records of two columns of any bytes.
type two struct{ A, B []byte }

// outcome is what comes out of text: records as "ok" with their fields, malformed ones as
// "bad" with their raw bytes, both with the line on which they begin. Which of the two comes
// first within a batch is not kept.
type outcome struct{ good, bad []string }

func outcomeOf(t testing.TB, most, parallel, block int, in io.Reader) (got outcome) {
	t.Helper()
	groups, err := lines.Reader("in", in).Groups()
	if err != nil {
		t.Fatal(err)
	}
	c := from[two](lines.Reader("in", in)).Columns("A", "B").Comment('#').config
	fields, err := fieldsOf(reflect.TypeFor[two](), toRead)
	if err != nil {
		t.Fatal(err)
	}
	declared, err := (&planner{c, fields}).plan(c.columns, "there are declared")
	if err != nil {
		t.Fatal(err)
	}
	s := &lines.Split[two]{
		Group: groups[0], Max: most, Parallel: parallel, Block: block,
		Decoder: func() lines.Decoder[two] { return newDecoder[two](c) },
		Shape:   func() lines.Shape { return &delimited.Shape{Dialect: c.Dialect, Most: most, Columns: declared} },
	}
	r, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		var b connector.Batch[two]
		if err := r.Read(t.Context(), &b); err == io.EOF {
			return got
		} else if err != nil {
			t.Fatal(err)
		}
		for _, v := range b.Values {
			got.good = append(got.good, fmt.Sprintf("%q", []string{string(v.A), string(v.B)}))
		}
		for _, m := range b.Malformed {
			got.bad = append(got.bad, fmt.Sprintf("%s %q", m.Position, m.Raw))
		}
	}
}

// oracle does the same byte by byte, and over and over again, as the package's comment has it.
func oracle(text string, most int) (want outcome) {
	if text = strings.TrimPrefix(text, "\xef\xbb\xbf"); text == "" {
		return want
	}
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	trim := func(s string) string { return strings.TrimSuffix(s, "\r") }
	bad := func(i int, raw string) {
		raw = trim(raw)
		want.bad = append(want.bad, fmt.Sprintf("in:%d %q", i+1, raw[:min(len(raw), most)]))
	}
	good := func(fields []string) { want.good = append(want.good, fmt.Sprintf("%q", fields)) }
	for i := 0; i < len(all); i++ {
		line := trim(all[i])
		if len(line) > most {
			bad(i, all[i])
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		fields, state := machine(line)
		switch {
		case state == closed && len(fields) == 2:
			good(fields)
			continue
		case state != open || len(all[i])+1 > most+1:
			bad(i, all[i])
			continue
		}
		next := i + 1
		for j := i + 1; j < len(all); j++ {
			several := trim(strings.Join(all[i:j+1], "\n"))
			if len(several) > most {
				break
			}
			fields, state := machine(several)
			if state == open {
				continue
			}
			if next = j + 1; state == closed && len(fields) == 2 {
				good(fields)
				i = -i - 1 // nothing is bad
				break
			}
			for k := i + 1; k <= j; k++ {
				if fields, state := machine(trim(all[k])); state == open || state == closed && len(fields) == 2 {
					next = k
					break
				}
			}
			break
		}
		if i >= 0 {
			bad(i, strings.Join(all[i:next], "\n"))
		}
		i = next - 1
	}
	return want
}

const (
	closed = iota
	open
	broken
)

// machine reads a record byte by byte.
func machine(s string) (fields []string, state int) {
	field, start, within, after := "", true, false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case within && c == '"' && i+1 < len(s) && s[i+1] == '"':
			field += `"`
			i++
		case within && c == '"':
			within, after = false, true
		case within:
			field += string([]byte{c})
		case c == ',':
			fields, field, start, after = append(fields, field), "", true, false
			continue
		case after:
			return nil, broken
		case c == '"' && start:
			within = true
		case c == '"':
			return nil, broken
		default:
			field += string([]byte{c})
		}
		start = false
	}
	if within {
		return nil, open
	}
	return append(fields, field), closed
}

var texts = []string{
	"", "\n", "a,b", "a,b\r\nc,d\r\n", "\"a\nb\",c\n", "\"a\n,b\nc,d\n", "\"a\n\"\"\n\"\"\nx\",y\nz,z\n", "\"\n\"\n\"\n", "#\",\n\"#\n#\",x\n", "\"a,\"b\nc\"d,e\n\"f\n", "\xef\xbb\xbf\"a\",b", "\xef\xbb\xbf",
	"a,\"b\r\n\",\r\n\"\r\",x\r\n", "\"x\"\r\r\n", "a\rb,c\n", "\"a\n\",\"\nb\"\n\"c\n\",\"\n", "\x1f\x8b\x08,x", "\x28\xb5\x2f\xfd,x",
	"\"\"\"\n\"\"\",\"\"\nx", "0123456789012345678901234567890123456789,x\n\"a\nb\",c", "\"0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2\n3\n4\n\",x\n", ",,\n\"\n,,\n\",\"\n\",\n\"\",\"\"",
}

// FuzzRecords: the records of a text are those of the rule in the package's comment, whatever
// the sizes in which it is read, and as many as decode it.
func FuzzRecords(f *testing.F) {
	for _, s := range texts {
		f.Add(s, 1000)
		f.Add(s, 12)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 1 || most > 1<<16 || len(text) > 1<<10 || !plain(text) {
			return
		}
		check(t, text, most)
	})
}

func check(t *testing.T, text string, most int) {
	t.Helper()
	want := oracle(text, most)
	if got := outcomeOf(t, most, 1, 0, strings.NewReader(text)); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q within %d:\ngot  %+q\nwant %+q", text, most, got, want)
	}
	if got := outcomeOf(t, most, 1, 0, iotest.OneByteReader(strings.NewReader(text))); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q within %d, byte by byte:\ngot  %+q\nwant %+q", text, most, got, want)
	}
	// So much before it that the goroutines have begun.
	head := strings.Repeat("x,y\n", connector.BatchSize)
	for i := range want.bad {
		var line int
		var raw string
		fmt.Sscanf(want.bad[i], "in:%d %q", &line, &raw)
		want.bad[i] = fmt.Sprintf("in:%d %q", line+connector.BatchSize, raw)
	}
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	if most >= len("x,y") {
		block := []int{1, 5, 30}[len(text)%3]
		got := outcomeOf(t, most, 2, block, strings.NewReader(head+text))
		if got.good = got.good[connector.BatchSize:]; len(got.good) == 0 {
			got.good = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q within %d, in blocks of %d:\ngot  %+q\nwant %+q", text, most, block, got, want)
		}
	}
}

func TestRandomTextsGiveTheRecordsOfTheRule(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", ",", ",", `"`, `"`, "\n", "\r\n", "#"} // all that matters
	const cases = 2000
	for range cases {
		var text strings.Builder
		for range random.IntN(16) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		most := []int{4, 10, 100}[random.IntN(3)]
		want := oracle(text.String(), most)
		if got := outcomeOf(t, most, 1, 0, strings.NewReader(text.String())); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q within %d:\ngot  %+q\nwant %+q", text.String(), most, got, want)
		}
	}
	t.Attr("cases", fmt.Sprint(cases))
}

// plain says whether a reader takes text as it is: what begins like gzip or zstd is
// decompressed, or found to be damaged, before there are records.
func plain(text string) bool {
	out, err := io.ReadAll(files.Decompress(strings.NewReader(text), files.Limits{}))
	return err == nil && string(out) == text
}

// FuzzFields: what encoding/csv reads is read the same, but for CR LF within quotes, which it
// changes.
func FuzzFields(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\r") || len(text) > 1<<16 || strings.HasPrefix(text, "\xef\xbb\xbf") || !plain(text) {
			return
		}
		theirs := encoding.NewReader(strings.NewReader(text))
		theirs.FieldsPerRecord, theirs.Comment = 2, '#'
		records, err := theirs.ReadAll()
		if err != nil {
			return
		}
		got := outcomeOf(t, 1<<20, 1, 0, strings.NewReader(text))
		if len(got.bad) > 0 || len(got.good) != len(records) {
			t.Fatalf("%q: %+q, want %+q", text, got, records)
		}
		for i, r := range records {
			if want := fmt.Sprintf("%q", r); got.good[i] != want {
				t.Fatalf("%q: record %d is %s, want %s", text, i, got.good[i], want)
			}
		}
	})
}

// An input made to be looked at again and again must not take more than linear time.
func TestNoTextIsLookedAtTooOften(t *testing.T) {
	for name, line := range map[string]string{
		"a quote that opens": "x,\"\n", "pairs": "\"\"\n", "fields over lines": "\",\"\n", "one open, the rest pairs": "\"\"\"\"\n", "odd pairs": "\"\"\"\n",
	} {
		s := &delimited.Shape{Dialect: delimited.Dialect{Delimiter: ','}, Most: 1 << 20, Columns: &plan{columns: make([]column, 3)}}
		text := []byte("\"\n" + strings.Repeat(line, 50_000))
		frames, finds := 0, 0
		for len(text) > 0 {
			finds++
			f, verdict := s.Find(text, true)
			if verdict == lines.None {
				break
			}
			frames++
			text = text[f.To:]
		}
		if finds > 75_000 {
			t.Errorf("%s: %d finds, %d frames", name, finds, frames)
		}
	}
}
