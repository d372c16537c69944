package rowio_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

// BenchmarkParquet reads three of eight columns, a time, text of 1,000 values and a float, of
// 1,000,000 rows.
func BenchmarkParquet(b *testing.B) {
	const n = 1_000_000
	b.Chdir(b.TempDir())
	schema := types("id:integer", "vehicle:string", "at:timestamp", "ms:integer", "speed:number?", "lat:number", "lon:number", "note:string?")
	batch, batches := make([]record.Row, 0, 1000), [][]record.Row{}
	for i := range n {
		at := 1_772_323_200_000_000 + int64(i)*7000
		batch = append(batch, record.Row{
			record.OfInt(int64(i)), record.OfString(fmt.Sprintf("vehicle-%04d", i*7919%1000)), record.OfTime(at), record.OfInt(at / 1000),
			record.OfFloat(float64(i%130) / 3), record.OfFloat(50 + float64(i)/1e6), record.OfFloat(8 + float64(i)/1e6), record.OfString("ok"),
		})
		if len(batch) == cap(batch) {
			batches, batch = append(batches, batch), make([]record.Row, 0, 1000)
		}
	}
	written(b, "a.parquet", schema, batches...)
	batches = nil
	for _, fields := range [][]string{{"vehicle", "at", "speed"}, schema.Names()} {
		b.Run(fmt.Sprintf("columns=%d", len(fields)), func(b *testing.B) {
			table, err := rowio.Open(b.Context(), rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}, Time: &rowio.TimeField{Field: "at"}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			before := cpu()
			for b.Loop() {
				splits, err := table.Source("", fields).Splits(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				r, err := splits[0].Open(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				rows := 0
				for err == nil {
					var batch connector.Batch[record.Row]
					err = r.Read(b.Context(), &batch)
					rows += len(batch.Values)
				}
				if r.Close(); err != io.EOF || rows != n {
					b.Fatal(rows, err)
				}
			}
			b.ReportMetric(float64(cpu()-before)/float64(b.N)/n, "cpu-ns/row")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
