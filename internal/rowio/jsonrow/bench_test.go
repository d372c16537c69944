package jsonrow

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
)

// BenchmarkDecode reads two fields and the event time of lines of about 200 bytes.
func BenchmarkDecode(b *testing.B) {
	const lines = 1000
	var text [][]byte
	var buf bytes.Buffer
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range lines {
		at := start.Add(time.Duration(i) * 7 * time.Millisecond)
		from := buf.Len()
		fmt.Fprintf(&buf, `{"id":%d,"vehicle":"vehicle-%04d","at":"%s","ms":%d,"speed":%.2f,"pos":{"lat":%.5f,"lon":%.5f},"city":"Frankfurt am Main","driver":"driver number %d","note":"ok"}`+"\n",
			i, i*7919%1000, at.Format("2006-01-02T15:04:05.000Z07:00"), at.UnixMilli(), float64(i%130)/3, 50+float64(i)/1e6, 8+float64(i)/1e6, i%500)
		text = append(text, []byte{})
		text[i] = make([]byte, buf.Len()-from-1, buf.Len()-from+pad)
		copy(text[i], buf.Bytes()[from:])
	}
	for _, c := range []struct {
		name   string
		time   string
		layout timestamp.Layout
	}{{"untimed", "", timestamp.RFC3339}, {"millis", "ms", timestamp.Millis}, {"rfc3339", "at", timestamp.RFC3339}} {
		b.Run(c.name, func(b *testing.B) {
			s := record.Schema{{Name: "vehicle", Type: record.Type{Kind: record.String}}, {Name: "speed", Type: record.Type{Kind: record.Float}}}
			d, err := New(Options{Schema: s, Fields: []string{"vehicle", "speed"}, Time: c.time, Layout: c.layout})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(buf.Len()))
			for b.Loop() {
				for _, line := range text {
					if _, _, _, err := d.Decode(line); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
		})
	}
}
