package rowio_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

const benchLines = 100_000

// events writes a file of events of about 200 bytes a line.
func events(b *testing.B, format string) string {
	var text bytes.Buffer
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if format == "csv" {
		text.WriteString("id,vehicle,at,ms,speed,lat,lon,city,driver,note\n")
	}
	if format == "jsonarray" {
		text.WriteString("[")
	}
	for i := range benchLines {
		at := start.Add(time.Duration(i) * 7 * time.Millisecond)
		line := `{"id":%d,"vehicle":"vehicle-%04d","at":"%s","ms":%d,"speed":%.2f,"pos":{"lat":%.5f,"lon":%.5f},"city":"Frankfurt am Main","driver":"driver number %d","note":"ok"}` + "\n"
		switch format {
		case "jsonarray":
			line = strings.Replace(line, "\n", ",\n", 1)
		case "csv":
			line = "%d,vehicle-%04d,%s,%d,%.2f,%.5f,%.5f,Frankfurt am Main,driver number %d,ok\n"
		}
		fmt.Fprintf(&text, line, i, i*7919%1000, at.Format("2006-01-02T15:04:05.000Z07:00"), at.UnixMilli(), float64(i%130)/3, 50+float64(i)/1e6, 8+float64(i)/1e6, i%500)
	}
	if format == "jsonarray" {
		text.Truncate(text.Len() - len(",\n"))
		text.WriteString("]\n")
	}
	path := filepath.Join(b.TempDir(), "events."+format)
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	return path
}

// scan reads two fields and the event time of each line.
func scan(b *testing.B, c rowio.Config, fields ...string) {
	c.Paths = []string{events(b, c.Format)}
	table, err := rowio.Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	source := table.Source("", fields)
	b.ReportAllocs()
	before := cpu()
	for b.Loop() {
		splits, err := source.Splits(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		r, err := splits[0].Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for err == nil {
			var batch connector.Batch[record.Row]
			err = r.Read(b.Context(), &batch)
			n += len(batch.Values)
		}
		r.Close()
		if err != io.EOF || n != benchLines {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(cpu()-before)/float64(b.N)/benchLines, "cpu-ns/line")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchLines, "ns/line")
}

// cpu is the processor time of this process, which says more than the clock where others
// work too.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var (
	rfc3339 = &rowio.TimeField{Field: "at", Layout: timestamp.RFC3339}
	millis  = &rowio.TimeField{Field: "ms", Layout: timestamp.Millis}
)

// BenchmarkScan is what a pipeline reads that uses two fields: file to rows, in one goroutine
// unless it says so.
func BenchmarkScan(b *testing.B) {
	for _, format := range []string{"json", "jsonarray", "csv"} {
		b.Run(format+"/millis", func(b *testing.B) { scan(b, rowio.Config{Format: format, Time: millis}, "vehicle", "speed") })
		b.Run(format+"/rfc3339", func(b *testing.B) { scan(b, rowio.Config{Format: format, Time: rfc3339}, "vehicle", "speed") })
		b.Run(format+"/parallel", func(b *testing.B) {
			scan(b, rowio.Config{Format: format, Time: millis, Parallel: 2}, "vehicle", "speed")
		})
	}
	b.Run("json/all", func(b *testing.B) {
		scan(b, rowio.Config{Format: "json", Time: millis}, "id", "vehicle", "at", "ms", "speed", "pos", "city", "driver", "note")
	})
	b.Run("csv/all", func(b *testing.B) {
		scan(b, rowio.Config{Format: "csv", Time: millis}, "id", "vehicle", "at", "ms", "speed", "lat", "lon", "city", "driver", "note")
	})
}
