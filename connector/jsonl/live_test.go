package jsonl_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

// mixed is a text of good, bad and blank lines of all lengths.
func mixed(lines int) []byte {
	var text bytes.Buffer
	for i := range lines {
		switch {
		case i%97 == 5:
			fmt.Fprintf(&text, "broken %d\r\n", i)
		case i%89 == 3:
			text.WriteString(" \n")
		case i%1009 == 7:
			fmt.Fprintf(&text, `{"sensor":"%s"}`+"\n", strings.Repeat("x", i%1500))
		default:
			fmt.Fprintf(&text, `{"x":{"y":[%d]},"sensor":"s%d","count":%d,"at":%d}`+"\n", i, i%10, i, 1_700_000_000+i)
		}
	}
	return text.Bytes()
}

func TestDecodingInParallelGivesTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(mixed(5000))
	z.Close()
	for name, text := range map[string][]byte{"1.jsonl": mixed(12_000), "2.jsonl.gz": zipped.Bytes(), "3.jsonl": []byte("{}"), "4.jsonl": nil} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	source := func() jsonl.Source[reading] {
		return jsonl.File[reading]("*.jsonl*").EventTime("at", timestamp.Seconds).MaxLine(1000)
	}
	want := read(t, source())
	if want.err != nil || len(want.values) < 16_000 || len(want.malformed) < 150 {
		t.Fatalf("%d values, %d malformed, %v", len(want.values), len(want.malformed), want.err)
	}
	for _, n := range []int{2, 5} {
		for name, s := range map[string]jsonl.Source[reading]{"default": source().Parallel(n), "projecting": source().Project().Parallel(n)} {
			got := read(t, s)
			if got.err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d: %d values, %d malformed, %v", name, n, len(got.values), len(got.malformed), got.err)
			}
		}
	}
	wrong := source().EventTime("at", timestamp.Millis).Parallel(3)
	if got := read(t, wrong); !errors.Is(got.err, jsonl.ErrUnlikelyTimes) || len(got.values) > 0 {
		t.Errorf("a wrong unit: %d values, %v", len(got.values), got.err)
	}
}

func TestParallelAndProjectingSourcesKeepTheContract(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.jsonl.zst")
	var want []reading
	for i := range 6_000 {
		want = append(want, reading{Sensor: fmt.Sprint("s", i), Count: int64(i), Extra: fmt.Sprint(i)})
	}
	if err := write(t, jsonl.Create(path), want...); err != nil {
		t.Fatal(err)
	}
	want = normal(want)
	for name, s := range map[string]jsonl.Source[reading]{
		"zstd": jsonl.File[reading](path), "parallel": jsonl.File[reading](path).Parallel(4), "projecting": jsonl.File[reading](path).Project(),
		"both": jsonl.File[reading](path).Project().Parallel(4).EventTime("count", timestamp.Seconds),
	} {
		t.Run(name, func(t *testing.T) {
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[reading] { return s }, want)
		})
	}
	t.Run("tail", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "in.jsonl")
		if err := write(t, jsonl.Create(path), want...); err != nil {
			t.Fatal(err)
		}
		connectortest.ExerciseSource(t, func(*testing.T) connector.Source[reading] { return jsonl.Tail[reading](path).Poll(time.Millisecond) }, want)
		connectortest.ExerciseSource(t, func(*testing.T) connector.Source[reading] { return jsonl.Tail[reading](path).Parallel(2) }, want)
	})
}

func TestATailFollowsAFileThroughRotation(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(text string) {
		f, err := os.OpenFile("app.jsonl", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	put(`{"count":1}` + "\n" + `{"cou`)
	synctest.Test(t, func(t *testing.T) {
		s := jsonl.Tail[reading]("app.jsonl").Poll(time.Second)
		if s.Bounded() || s.Name() != "app.jsonl" {
			t.Errorf("%s, bounded %v", s.Name(), s.Bounded())
		}
		splits, err := s.Splits(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r, err := splits[0].Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		go func() {
			<-time.After(500 * time.Millisecond)
			put(`nt":2}` + "\n")
			<-time.After(time.Second)
			if err := os.Rename("app.jsonl", "app.jsonl.1"); err != nil {
				t.Error(err)
			}
			put("broken\n" + `{"count":3}` + "\n")
		}()
		var counts []int64
		var malformed []string
		for len(counts) < 3 {
			var b connector.Batch[reading]
			if err := r.Read(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			for _, v := range b.Values {
				counts = append(counts, v.Count)
			}
			for _, m := range b.Malformed {
				malformed = append(malformed, m.Position)
			}
		}
		if !slices.Equal(counts, []int64{1, 2, 3}) || !slices.Equal(malformed, []string{"app.jsonl:1"}) {
			t.Errorf("got %v, malformed %v", counts, malformed)
		}
	})
}

func TestWhatATailCannotDoIsRefusedAtTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("app.jsonl", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, s := range map[string]jsonl.Source[reading]{
		"jsonl: app.jsonl: a file that is followed does not end: use File":        jsonl.Tail[reading]("app.jsonl").Ends(),
		"jsonl: app.jsonl: is no set of files, and cannot be split by file":       jsonl.Tail[reading]("app.jsonl").SplitPerFile(),
		"jsonl: Poll(0s): a time between two looks is above zero":                 jsonl.Tail[reading]("app.jsonl").Poll(0),
		"jsonl: Poll(1s): app.jsonl is not followed: use Tail":                    jsonl.File[reading]("app.jsonl").Poll(time.Second),
		"jsonl: *.jsonl: no such file (Tail follows one file, and takes no glob)": jsonl.Tail[reading]("*.jsonl"),
		"jsonl: Parallel(0): from 1 to 1024":                                      jsonl.File[reading]("app.jsonl").Parallel(0),
		"jsonl: MaxRatio(-1): 0 is no bound, and less has no meaning":             jsonl.File[reading]("app.jsonl").MaxRatio(-1),
	} {
		if _, err := s.Splits(t.Context()); fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestCompressedInputIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.jsonl.zst")
	if err := write(t, jsonl.Create(path), make([]reading, 10_000)...); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 3} {
		got := read(t, jsonl.File[reading](path).MaxDecompressed(300_000).Parallel(n))
		// A line has 67 bytes with its end: {"sensor":"","value":0,"count":0,"level":0,"Tags":[],"Extra":null}
		if want := fmt.Sprintf("%s:%d: the compressed data decompresses to too much: more than 300000 bytes (see MaxDecompressed)", path, len(got.values)+1); !errors.Is(got.err, jsonl.ErrExpands) || got.err.Error() != want || len(got.values) != 300_000/67 {
			t.Errorf("%d values, %v", len(got.values), got.err)
		}
	}
	if got := read(t, jsonl.File[reading](path).MaxDecompressed(1<<20).MaxRatio(0)); got.err != nil || len(got.values) != 10_000 {
		t.Errorf("%d values, %v", len(got.values), got.err)
	}
}
