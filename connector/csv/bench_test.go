package csv_test

import (
	"bytes"
	encoding "encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/csv"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

type trip struct {
	ID      int64   `csv:"id"`
	Vehicle string  `csv:"vehicle"`
	At      string  `csv:"at"`
	Speed   float64 `csv:"speed"`
	Lat     float64 `csv:"lat"`
	Lon     float64 `csv:"lon"`
	City    string  `csv:"city"`
	Driver  string  `csv:"driver"`
}

// leg is what a job takes of a trip that uses two fields.
type leg struct {
	Vehicle string  `csv:"vehicle"`
	Speed   float64 `csv:"speed"`
}

// trips writes a file of records of about 110 bytes, all in quotes or none.
func trips(b *testing.B, quoted bool) (path string, records int) {
	records = 50_000
	var text bytes.Buffer
	text.WriteString("id,vehicle,at,speed,lat,lon,city,driver\n")
	format := "%d,vehicle-%04d,%s,%.2f,%.5f,%.5f,Frankfurt am Main,driver number %d\n"
	if quoted {
		format = `"%d","vehicle-%04d","%s","%.2f","%.5f","%.5f","Frankfurt am Main","driver number %d"` + "\n"
	}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range records {
		fmt.Fprintf(&text, format, i, i%1000, start.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano), float64(i%130)/3, 50+float64(i)/1e6, 8+float64(i)/1e6, i%500)
	}
	path = filepath.Join(b.TempDir(), "trips.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	return path, records
}

func perRecord(b *testing.B, records int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
}

// handWritten is what one writes with encoding/csv and strconv.
func handWritten[T any](b *testing.B, quoted bool, parse func([]string, *T) error) {
	path, want := trips(b, quoted)
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		r := encoding.NewReader(f)
		r.ReuseRecord = true
		if _, err := r.Read(); err != nil {
			b.Fatal(err)
		}
		n := 0
		for ; ; n++ {
			fields, err := r.Read()
			if err == io.EOF {
				break
			}
			var v T
			if err != nil || parse(fields, &v) != nil {
				b.Fatal(err)
			}
		}
		f.Close()
		if n != want {
			b.Fatal(n)
		}
	}
	perRecord(b, want)
}

func parseTrip(f []string, t *trip) (err error) {
	t.Vehicle, t.At, t.City, t.Driver = f[1], f[2], f[6], f[7]
	if t.ID, err = strconv.ParseInt(f[0], 10, 64); err != nil {
		return err
	}
	for i, to := range []*float64{&t.Speed, &t.Lat, &t.Lon} {
		if *to, err = strconv.ParseFloat(f[3+i], 64); err != nil {
			return err
		}
	}
	return nil
}

func parseLeg(f []string, l *leg) (err error) {
	l.Vehicle = f[1]
	l.Speed, err = strconv.ParseFloat(f[3], 64)
	return err
}

func benchmark[T any](b *testing.B, quoted bool, option func(csv.Source[T]) csv.Source[T]) {
	path, want := trips(b, quoted)
	for b.Loop() {
		splits, err := option(csv.File[T](path)).Splits(b.Context())
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
	perRecord(b, want)
}

func same[T any](s csv.Source[T]) csv.Source[T] { return s }

func BenchmarkRead(b *testing.B) {
	for _, quoted := range []bool{false, true} {
		b.Run(map[bool]string{false: "plain", true: "quoted"}[quoted], func(b *testing.B) {
			b.Run("all fields/encoding", func(b *testing.B) { handWritten(b, quoted, parseTrip) })
			b.Run("all fields/strandline", func(b *testing.B) { benchmark(b, quoted, same[trip]) })
			b.Run("two fields/encoding", func(b *testing.B) { handWritten(b, quoted, parseLeg) })
			b.Run("two fields/strandline", func(b *testing.B) { benchmark(b, quoted, same[leg]) })
			b.Run("two fields/with time", func(b *testing.B) {
				benchmark(b, quoted, func(s csv.Source[leg]) csv.Source[leg] { return s.EventTime("at", timestamp.RFC3339) })
			})
			b.Run("two fields/parallel 2", func(b *testing.B) {
				benchmark(b, quoted, func(s csv.Source[leg]) csv.Source[leg] { return s.Parallel(2) })
			})
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	rows := make([]trip, 1000)
	for i := range rows {
		rows[i] = trip{int64(i), "vehicle-0001", "2026-03-01T00:00:00Z", float64(i) / 3, 50.12345, 8.12345, "Frankfurt am Main", "driver number 5"}
	}
	b.Run("encoding", func(b *testing.B) {
		w := encoding.NewWriter(io.Discard)
		fields := make([]string, 8)
		for b.Loop() {
			for i := range rows {
				v := &rows[i]
				fields[0], fields[1], fields[2], fields[6], fields[7] = strconv.FormatInt(v.ID, 10), v.Vehicle, v.At, v.City, v.Driver
				for j, f := range []float64{v.Speed, v.Lat, v.Lon} {
					fields[3+j] = strconv.FormatFloat(f, 'f', -1, 64)
				}
				if err := w.Write(fields); err != nil {
					b.Fatal(err)
				}
			}
		}
		perRecord(b, len(rows))
	})
	b.Run("strandline", func(b *testing.B) {
		w, err := csv.Create(os.DevNull).Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := w.Write(b.Context(), connectortest.NewRows(rows)); err != nil {
				b.Fatal(err)
			}
		}
		w.Close()
		perRecord(b, len(rows))
	})
}
