package main

import (
	"bufio"
	"context"
	"encoding/json/v2"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/watermark"
)

// p10: a file of JSON lines of 200 bytes, of which a job uses two fields, through the typed source
// against a scanner and encoding/json/v2. Either decodes on one goroutine.
func p10(b *board) {
	const n = 200_000
	path, remove := trips(n)
	defer remove()
	b.compare("P10", "two fields", n, "default", "json/v2", 1, p10Duel(b.turns, path, false))
	b.compare("P10", "two fields", n, "projecting", "json/v2", 3, p10Duel(b.turns, path, true))
}

func p10Duel(turns int, path string, project bool) [2]time.Duration {
	var ours, theirs legs
	return duel(turns, clocked(func() { ours = p10Engine(path, project) }), clocked(func() {
		if theirs = p10Loop(path); ours != theirs {
			panic(fmt.Sprintf("P10: the answers differ: %+v and %+v", ours, theirs))
		}
	}))
}

// trips writes lines to a file that remove removes.
func trips(n int) (path string, remove func()) {
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		panic(err)
	}
	path = filepath.Join(dir, "trips.jsonl")
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var text []byte
	for i := range n {
		text = fmt.Appendf(text, `{"id":%d,"vehicle":"vehicle-%04d","at":"%s","speed":%.2f,"lat":%.5f,"lon":%.5f,"city":"Frankfurt am Main","driver":"driver number %d","note":"nothing of note"}`+"\n",
			i, i%1000, start.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano), float64(i%130)/3, 50+float64(i)/1e6, 8+float64(i)/1e6, i%500)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		panic(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

// leg is what the job takes of a trip.
type leg struct {
	Vehicle string  `json:"vehicle"`
	Speed   float64 `json:"speed"`
}

// legs adds them up, in the order of the file.
type legs struct {
	n, hash int64
	speed   float64
}

func (s *legs) add(v *leg) {
	s.n++
	s.speed += v.Speed
	s.hash = s.hash*31 + int64(v.Vehicle[len(v.Vehicle)-1])
}

func p10Engine(path string, project bool) (s legs) {
	from := jsonl.File[leg](path)
	if project {
		from = from.Project()
	}
	p := strandline.New("p10")
	strandline.Read(p, from, watermark.Ascending(), nil).WriteTo(legSink{&s})
	if _, err := p.Run(context.Background()); err != nil {
		panic(err)
	}
	return s
}

func p10Loop(path string) (s legs) {
	f, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v leg
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			panic(err)
		}
		s.add(&v)
	}
	return s
}

// legSink adds legs up.
type legSink struct{ s *legs }

func (s legSink) Name() string                                   { return "legs" }
func (s legSink) Open(context.Context) (connector.Writer, error) { return s, nil }
func (s legSink) Flush(context.Context) error                    { return nil }
func (s legSink) Close() error                                   { return nil }

func (s legSink) Write(_ context.Context, rows connector.Rows) error {
	vs := rows.Values().([]leg)
	for i := range vs {
		s.s.add(&vs[i])
	}
	return nil
}
