package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

// sampleRows is how many rows a draft is guessed from.
const sampleRows = 10_000

// guess is what a file looks like.
type guess struct {
	path   string
	format string
	step   string
	cut    rune // between the fields of CSV; 0 for a comma
	schema record.Schema
	rows   []record.Row
	time   *timeGuess
	key    string // a field with few values; "" if there is none
	number string // a field with numbers; "" if there is none
}

// timeGuess is the field that looks most like an event time.
type timeGuess struct {
	field, setting string // the setting says how it is written: unit: ms, say; "" for RFC 3339
	what           string // for a comment
	from, to       time.Time
	bound          time.Duration // the most that a row was behind the greatest time before it
}

// draft writes a pipeline for a file.
func draft(ctx context.Context, path string) (string, error) {
	g, err := look(ctx, path)
	if err != nil {
		return "", err
	}
	return g.text(), nil
}

func look(ctx context.Context, path string) (*guess, error) {
	if path == "-" {
		return nil, errors.New("a draft needs a file: it says where the pipeline reads")
	}
	format, step, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	g := &guess{path: path, format: format, step: step}
	table, err := g.open(ctx, 0)
	if format == "csv" {
		for _, cut := range delimiters {
			if t, failed := g.open(ctx, cut); failed == nil && (err != nil || len(t.Schema()) > len(table.Schema())) {
				table, g.cut, err = t, cut, nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	g.schema = table.Schema()
	if g.rows, err = head(ctx, table.Source(path, g.schema.Names())); err != nil {
		return nil, err
	}
	if len(g.rows) == 0 {
		return nil, fmt.Errorf("%s: there are no records to look at", path)
	}
	g.guessTime()
	g.guessFields()
	return g, nil
}

// delimiters are what CSV is tried with beside a comma: what gives the most columns is taken.
var delimiters = []rune{';', '\t', '|'}

func (g *guess) open(ctx context.Context, cut rune) (*rowio.Table, error) {
	return rowio.Open(ctx, rowio.Config{Format: g.format, Paths: []string{g.path}, Delimiter: cut})
}

// formatOf tells a format by a file's name, or by how it begins.
func formatOf(path string) (format, step string, err error) {
	name := strings.ToLower(path)
	for _, s := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, s)
	}
	switch filepath.Ext(name) {
	case ".jsonl", ".ndjson":
		return "json", "ReadFromJson", nil
	case ".csv", ".tsv":
		return "csv", "ReadFromCsv", nil
	case ".parquet":
		return "parquet", "ReadFromParquet", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	begin := make([]byte, 512)
	n, _ := io.ReadFull(f, begin)
	switch text := strings.TrimLeft(string(begin[:n]), " \t\r\n\ufeff"); {
	case strings.HasPrefix(text, "["):
		return "jsonarray", "ReadFromJson", nil
	case strings.HasPrefix(text, "{"), filepath.Ext(name) == ".json":
		return "json", "ReadFromJson", nil
	case strings.HasPrefix(text, "PAR1"):
		return "parquet", "ReadFromParquet", nil
	case strings.ContainsAny(strings.SplitN(text, "\n", 2)[0], ",;\t"):
		return "csv", "ReadFromCsv", nil
	}
	return "", "", fmt.Errorf("%s looks like neither JSON lines nor CSV nor Parquet: write a pipeline with ReadFromText", path)
}

// head reads the first rows of a source.
func head(ctx context.Context, src connector.Source[record.Row]) ([]record.Row, error) {
	splits, err := src.Splits(ctx)
	if err != nil || len(splits) == 0 {
		return nil, err
	}
	r, err := splits[0].Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var rows []record.Row
	for len(rows) < sampleRows {
		var b connector.Batch[record.Row]
		if err := r.Read(ctx, &b); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		for _, row := range b.Values {
			rows = append(rows, slices.Clone(row))
		}
	}
	return rows, nil
}

// layouts are the ways to write a time that are tried, with the setting for each.
var layouts = []struct {
	layout        timestamp.Layout
	setting, what string
}{
	{timestamp.RFC3339, "", "RFC 3339"},
	{timestamp.Seconds, "unit: s", "seconds since 1970"},
	{timestamp.Millis, "unit: ms", "milliseconds since 1970"},
	{timestamp.Micros, "unit: us", "microseconds since 1970"},
	{timestamp.Nanos, "unit: ns", "nanoseconds since 1970"},
	{timestamp.Format("2006-01-02 15:04:05", time.UTC), `layout: "%Y-%m-%d %H:%M:%S"`, "date and time, taken as UTC"},
	{timestamp.Format("2006-01-02T15:04:05", time.UTC), `layout: "%Y-%m-%dT%H:%M:%S"`, "date and time, taken as UTC"},
	{timestamp.Format("2006-01-02", time.UTC), `layout: "%Y-%m-%d"`, "a day, taken as UTC"},
	{timestamp.Format("2006-01", time.UTC), `layout: "%Y-%m"`, "a month, taken as UTC"},
	{timestamp.Format("02/01/2006 15:04:05", time.UTC), `layout: "%d/%m/%Y %H:%M:%S"`, "date and time, taken as UTC"},
}

// likely are words in the names of fields with times, the likeliest first.
var likely = []string{"event_time", "eventtime", "timestamp", "ts", "time", "at", "date", "datetime", "created", "period", "day", "month"}

func (g *guess) guessTime() {
	best := len(likely) + 2
	for i, f := range g.schema {
		for _, l := range layouts {
			if l.layout.IsNumber() != (f.Type.Kind == record.Int || f.Type.Kind == record.Float) && f.Type.Kind != record.Time {
				continue
			}
			t, ok := g.times(i, l.layout)
			if !ok {
				continue
			}
			rank := len(likely)
			for r, word := range likely {
				if name := strings.ToLower(f.Name); name == word || rank == len(likely) && len(word) > 2 && strings.Contains(name, word) || strings.HasSuffix(name, "_"+word) {
					rank = min(rank, r)
				}
			}
			// A number is a time only if its name says so, or if it is of these years.
			modern := t.from.Year() >= 2000 && t.to.Year() < 2100
			if l.layout.IsNumber() && rank == len(likely) && !modern || l.layout.IsNumber() && !modern && l.layout != timestamp.Seconds {
				continue
			}
			if rank < best {
				best = rank
				t.field, t.setting, t.what = f.Name, l.setting, l.what
				g.time = t
			}
			break
		}
	}
}

// times reads a field as times; ok is false if any value is none.
func (g *guess) times(field int, l timestamp.Layout) (*timeGuess, bool) {
	var t *timeGuess
	var greatest time.Time
	for _, r := range g.rows {
		v := r[field]
		var us int64
		var err error
		switch v.Kind() {
		case record.Null:
			continue
		case record.Time:
			us = v.Time()
		case record.String:
			us, err = l.ParseMicros([]byte(v.Str()))
		default:
			us, err = l.ParseMicros(v.AppendJSON(nil))
		}
		if err != nil {
			return nil, false
		}
		at := time.UnixMicro(us).UTC()
		if t == nil {
			t = &timeGuess{from: at, to: at}
			greatest = at
		}
		if at.Before(t.from) {
			t.from = at
		}
		if at.After(t.to) {
			t.to = at
		}
		t.bound = max(t.bound, greatest.Sub(at))
		if at.After(greatest) {
			greatest = at
		}
	}
	return t, t != nil
}

func (g *guess) guessFields() {
	fewest := len(g.rows)/2 + 2
	for i, f := range g.schema {
		if g.time != nil && f.Name == g.time.field {
			continue
		}
		switch f.Type.Kind {
		case record.String:
			distinct := map[string]bool{}
			for _, r := range g.rows {
				distinct[r[i].String()] = true
			}
			if n := len(distinct); n > 1 && n < fewest && g.key == "" {
				g.key = f.Name
			}
		case record.Int, record.Float:
			if name := strings.ToLower(f.Name); g.number == "" && name != "id" && !strings.HasSuffix(name, "_id") {
				g.number = f.Name
			}
		}
	}
}

// sizes are sizes of windows.
var sizes = []struct {
	text string
	of   time.Duration
}{{"1s", time.Second}, {"10s", 10 * time.Second}, {"1m", time.Minute}, {"10m", 10 * time.Minute}, {"1h", time.Hour}, {"1d", 24 * time.Hour}}

// window gives a windowing that makes some windows of the time that the rows span.
func (g *guess) window() string {
	span := g.time.to.Sub(g.time.from)
	if span > 100*24*time.Hour {
		return "{type: calendar, unit: month}"
	}
	best := sizes[0].text
	for _, s := range sizes {
		if span/s.of >= 3 || s.of == time.Second {
			best = s.text
		}
	}
	if span <= time.Minute {
		best = "10s"
	}
	return "{type: fixed, size: " + best + "}"
}

// boundText is a round bound that is not less than what was seen.
func boundText(d time.Duration) string {
	for _, s := range []string{"0s", "1s", "5s", "10s", "30s", "1m", "5m", "15m", "1h", "6h", "24h"} {
		if b, _ := time.ParseDuration(s); b >= d {
			return s
		}
	}
	return fmt.Sprintf("%dh", int64(d.Hours())+1)
}

func (g *guess) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A pipeline for %s, written by strandline init. Run it with\n#   strandline run THIS_FILE\n", g.path)
	fmt.Fprintf(&b, "# and see what it was understood to be with strandline explain THIS_FILE.\n#\n# The fields, by the first %d records:\n", len(g.rows))
	for _, f := range g.schema {
		fmt.Fprintf(&b, "#   %-20s %s\n", f.Name, f.Type)
	}
	b.WriteString("pipeline:\n  type: chain\n  transforms:\n")
	fmt.Fprintf(&b, "    - type: %s\n      config:\n        path: %s\n", g.step, quotedYAML(g.path))
	if g.format == "jsonarray" {
		b.WriteString("        lines: false\n")
	}
	if g.cut != 0 {
		fmt.Fprintf(&b, "        delimiter: %q\n", string(g.cut))
	}
	if t := g.time; t != nil {
		fmt.Fprintf(&b, "      # Event times: %s, %s, from %s to %s.\n", t.field, t.what, t.from.Format(time.RFC3339), t.to.Format(time.RFC3339))
		fmt.Fprintf(&b, "      # Records come up to %v behind the greatest event time before them. What is\n      # further behind than bound, and too late for its window, goes to Combine.late.\n", t.bound)
		b.WriteString("      watermark:\n")
		fmt.Fprintf(&b, "        timestamp: %s\n", quotedYAML(t.field))
		if t.setting != "" {
			fmt.Fprintf(&b, "        %s\n", t.setting)
		}
		fmt.Fprintf(&b, "        bound: %s\n", boundText(t.bound))
	} else {
		b.WriteString("      # No field looks like an event time, so there are no windows. If one is, say so:\n      # watermark: {timestamp: FIELD, unit: ms, bound: 10s}\n")
	}
	b.WriteString("    # - type: Filter\n    #   config: {keep: EXPRESSION}     # strandline functions lists what it can use\n")
	b.WriteString("    - type: Combine\n")
	if g.time != nil {
		fmt.Fprintf(&b, "      windowing: %s\n", g.window())
	}
	b.WriteString("      config:\n")
	if g.key != "" {
		fmt.Fprintf(&b, "        group_by: %s\n", quotedYAML(g.key))
	} else {
		b.WriteString("        group_by: []\n")
	}
	b.WriteString("        combine:\n          records: count\n")
	if g.number != "" {
		fmt.Fprintf(&b, "          total: {value: %s, fn: sum}\n", quotedYAML(g.number))
	}
	if g.time != nil {
		b.WriteString("options:\n  # Judge records by the watermark as they come. Without it nothing is late.\n  streaming: true\n")
	}
	return b.String()
}

// quotedYAML writes text so that YAML reads it as text.
func quotedYAML(s string) string {
	plain := s != ""
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '/' || r == '.' && i > 0
		if !letter && !(i > 0 && (r >= '0' && r <= '9' || r == '-')) {
			plain = false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}
