package yaml

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

// SmallestInput is what is left of a source's records in an input that was made small.
type SmallestInput struct {
	Source  string `json:"source"`
	Records int    `json:"records"`
	Of      int    `json:"of"`
	// File is where its lines were written, and Positions are where they stand in what the
	// source reads, if both are known.
	File      string   `json:"file,omitzero"`
	Positions []string `json:"positions,omitempty"`
	from      *Recorded
	keep      []int
}

// Smaller says that records could be taken away from the input, and the difference is still there.
func (d *Difference) Smaller() bool {
	return slices.ContainsFunc(d.Smallest, func(s SmallestInput) bool { return s.Records < s.Of })
}

// Lines gives the records on lines, for Inputs of [Options]: as they came if they were JSON on
// lines, or text; otherwise as JSON objects. Positions say where they stand, if that is known.
func (s *SmallestInput) Lines(ctx context.Context) (lines []byte, positions []string, err error) {
	table := s.from.table()
	numbers := make([]int64, len(s.keep))
	for i, k := range s.keep {
		numbers[i] = s.from.Records[k].Number
	}
	raw := map[int64]rowio.RawRecord{}
	if table != nil && len(numbers) > 0 {
		if found, err := table.Raw(ctx, s.from.Names, numbers); err == nil {
			for _, r := range found {
				raw[r.Number] = r
			}
		}
	}
	whole := map[int64]record.Row{}
	names := s.from.Names
	format := s.from.format()
	if table != nil && format != "json" && format != "text" && !s.from.standardInput() {
		names = table.Schema().Names()
		if whole, err = rowsWith(ctx, table.Source(s.Source, names), numbers); err != nil {
			return nil, nil, err
		}
	}
	for i, n := range numbers {
		r, there := raw[n]
		row := whole[n]
		if row == nil {
			row = s.from.Records[s.keep[i]].Row
		}
		switch {
		case there && (format == "json" || format == "text"):
			lines = append(lines, r.Text...)
		case format == "text":
			lines = append(lines, row[0].Str()...)
		default:
			lines = record.AppendObject(lines, names, row)
		}
		lines = append(lines, '\n')
		if there {
			positions = append(positions, r.Position)
		}
	}
	return lines, positions, nil
}

// rowsWith gives the rows of a source that have these numbers.
func rowsWith(ctx context.Context, from connector.Source[record.Row], numbers []int64) (map[int64]record.Row, error) {
	all := &Recorded{from: from}
	if err := all.read(ctx, nil); err != nil {
		return nil, err
	}
	rows := map[int64]record.Row{}
	for _, r := range all.Records {
		if slices.Contains(numbers, r.Number) {
			rows[r.Number] = r.Row
		}
	}
	return rows, nil
}

// table is what the source reads; nil if it makes its rows itself.
func (r *Recorded) table() *rowio.Table {
	if r.replaced {
		return nil
	}
	return r.p.tables[r.step]
}

// format is how rows of the source stand on lines when they take the place of what it reads.
func (r *Recorded) format() string {
	switch lines, given := r.step.settings.flag("lines"); {
	case r.step.kind == "ReadFromText":
		return "text"
	case r.step.kind == "ReadFromJson" && (lines || !given):
		return "json"
	}
	return "rows"
}

// standardInput says whether the source reads that.
func (r *Recorded) standardInput() bool { return r.step.standardInput() }

func (s *step) standardInput() bool {
	paths := scalars(s.settings.at("path"))
	return len(paths) == 1 && paths[0].Value == "-"
}

// Recordable keeps what a [SmallestInput] needs of the rows of sources. It comes before
// [Pipeline.Check].
func (p *Pipeline) Recordable() { p.timesKept, p.rowsKept = true, true }

// ReadsStandardInput names a step that reads the standard input: "NAME (line N)"; empty if none does.
func (p *Pipeline) ReadsStandardInput() string {
	for _, s := range p.inOrder {
		if s.def.reads && s.standardInput() {
			return fmt.Sprintf("%s (line %d)", s.id, s.kindNode.Line)
		}
	}
	return ""
}

// replace puts the lines of files in the place of what sources read.
func (r *Recording) replace(ctx context.Context, inputs map[string]string) error {
	for name, path := range inputs {
		i := slices.IndexFunc(r.Sources, func(s *Recorded) bool { return s.Step == name })
		if i < 0 {
			return fmt.Errorf("there is no source %q, but %s", name, strings.Join(r.names(), ", "))
		}
		s := r.Sources[i]
		cfg := rowio.Config{Format: "json", Paths: []string{path}, Schema: s.step.outs[""].schema}
		if t := r.p.tables[s.step]; t != nil {
			cfg.Schema = t.Schema()
		}
		if s.format() == "text" {
			cfg.Format = "text"
		}
		cfg.Schema = slices.Clone(cfg.Schema)
		for i := range cfg.Schema {
			if s.step.settings.at("schema") == nil {
				cfg.Schema[i].Type.Nullable = true
			}
		}
		if m := s.step.marks; m != nil && m.field != "" {
			cfg.Time = &rowio.TimeField{Field: m.field, Layout: m.layout, AcceptUnlikely: true}
		} else if s.step.kind == "Generate" {
			cfg.Time = &rowio.TimeField{Field: "at", Layout: timestamp.RFC3339}
		}
		table, err := rowio.Open(ctx, cfg)
		if err != nil {
			return err
		}
		s.from, s.replaced = table.Source(s.Step, s.Names), true
	}
	return nil
}
