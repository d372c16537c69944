package jsonl_test

import (
	"bufio"
	"bytes"
	"encoding/json/v2"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

type trip struct {
	ID      int64   `json:"id"`
	Vehicle string  `json:"vehicle"`
	At      string  `json:"at"`
	Speed   float64 `json:"speed"`
	Lat     float64 `json:"lat"`
	Lon     float64 `json:"lon"`
	City    string  `json:"city"`
	Driver  string  `json:"driver"`
}

// trips writes a file of lines of about 200 bytes.
func trips(b *testing.B) (path string, lines int) {
	lines = 50_000
	var text bytes.Buffer
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range lines {
		fmt.Fprintf(&text, `{"id":%d,"vehicle":"vehicle-%04d","at":"%s","speed":%.2f,"lat":%.5f,"lon":%.5f,"city":"Frankfurt am Main","driver":"driver number %d","note":"nothing of note"}`+"\n",
			i, i%1000, start.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano), float64(i%130)/3, 50+float64(i)/1e6, 8+float64(i)/1e6, i%500)
	}
	path = filepath.Join(b.TempDir(), "trips.jsonl")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	return path, lines
}

// leg is what a job takes of a trip that uses two fields.
type leg struct {
	Vehicle string  `json:"vehicle"`
	Speed   float64 `json:"speed"`
}

// handWritten is what one writes without a library: a scanner and json/v2.
func handWritten[T any](b *testing.B, also func(*T) error) {
	path, want := trips(b)
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for s := bufio.NewScanner(f); s.Scan(); n++ {
			var v T
			if err := json.Unmarshal(s.Bytes(), &v); err != nil {
				b.Fatal(err)
			}
			if err := also(&v); err != nil {
				b.Fatal(err)
			}
		}
		f.Close()
		if n != want {
			b.Fatal(n)
		}
	}
	perLine(b, want)
}

func perLine(b *testing.B, lines int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lines), "ns/line")
}

func BenchmarkHandWritten(b *testing.B) { handWritten(b, func(*trip) error { return nil }) }

// BenchmarkHandWrittenWithTime also reads the event time.
func BenchmarkHandWrittenWithTime(b *testing.B) {
	handWritten(b, func(v *trip) error {
		_, err := time.Parse(time.RFC3339, v.At)
		return err
	})
}

func BenchmarkHandWrittenTwoFields(b *testing.B) { handWritten(b, func(*leg) error { return nil }) }

func benchmark[T any](b *testing.B, option func(jsonl.Source[T]) jsonl.Source[T]) {
	path, want := trips(b)
	for b.Loop() {
		splits, err := option(jsonl.File[T](path)).Splits(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		r, err := splits[0].Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for {
			var batch connector.Batch[T]
			if err := r.Read(b.Context(), &batch); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
			n += len(batch.Values)
		}
		r.Close()
		if n != want {
			b.Fatal(n)
		}
	}
	perLine(b, want)
}

func BenchmarkFile(b *testing.B) {
	benchmark(b, func(s jsonl.Source[trip]) jsonl.Source[trip] { return s })
}

func BenchmarkFileWithTime(b *testing.B) {
	benchmark(b, func(s jsonl.Source[trip]) jsonl.Source[trip] { return s.EventTime("at", timestamp.RFC3339) })
}

func BenchmarkFileTwoFields(b *testing.B) {
	benchmark(b, func(s jsonl.Source[leg]) jsonl.Source[leg] { return s })
}

func BenchmarkProjectTwoFields(b *testing.B) {
	benchmark(b, func(s jsonl.Source[leg]) jsonl.Source[leg] { return s.Project() })
}

func BenchmarkProjectTwoFieldsWithTime(b *testing.B) {
	benchmark(b, func(s jsonl.Source[leg]) jsonl.Source[leg] { return s.Project().EventTime("at", timestamp.RFC3339) })
}

func BenchmarkProjectAllFields(b *testing.B) {
	benchmark(b, func(s jsonl.Source[trip]) jsonl.Source[trip] { return s.Project() })
}

func BenchmarkParallel(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("default/%d", n), func(b *testing.B) {
			benchmark(b, func(s jsonl.Source[leg]) jsonl.Source[leg] { return s.Parallel(n) })
		})
		b.Run(fmt.Sprintf("projecting/%d", n), func(b *testing.B) {
			benchmark(b, func(s jsonl.Source[leg]) jsonl.Source[leg] { return s.Project().Parallel(n) })
		})
	}
}
