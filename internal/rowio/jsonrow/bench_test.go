package jsonrow

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
)

const lines = 1000

// events are lines of about 200 bytes.
func events() (text [][]byte, size int64) {
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
	return text, int64(buf.Len())
}

// BenchmarkByHand is what one writes for these lines and no others: it walks along all fields,
// and believes what it sees.
func BenchmarkByHand(b *testing.B) {
	text, size := events()
	b.SetBytes(size)
	sum := 0.0
	for b.Loop() {
		for _, line := range text {
			vehicle, speed, at := byHand(line)
			sum += float64(len(vehicle)) + speed + float64(at)
		}
	}
	if sum == 0 {
		b.Fatal("nothing was read")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
}

func byHand(line []byte) (vehicle string, speed float64, at int64) {
	for i := 1; ; i++ {
		n := bytes.IndexByte(line[i+1:], '"')
		key := line[i+1 : i+1+n]
		i += n + 3 // behind the colon
		from := i
		switch line[i] {
		case '"':
			i += bytes.IndexByte(line[i+1:], '"') + 2
		case '{':
			for depth := 1; depth > 0; {
				switch i++; line[i] {
				case '{':
					depth++
				case '}':
					depth--
				}
			}
			i++
		default:
			for line[i] != ',' && line[i] != '}' {
				i++
			}
		}
		switch string(key) {
		case "vehicle":
			vehicle = string(line[from+1 : i-1])
		case "speed":
			speed, _ = strconv.ParseFloat(string(line[from:i]), 64)
		case "ms":
			at, _ = strconv.ParseInt(string(line[from:i]), 10, 64)
		}
		if line[i] == '}' {
			return vehicle, speed, at
		}
	}
}

// BenchmarkDecode reads two fields and the event time of such lines.
func BenchmarkDecode(b *testing.B) {
	text, size := events()
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
			b.SetBytes(size)
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
