package lateness

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/strandline-stream/strandline/internal/prose"
)

// Text is the result as tables and sentences. details adds the cells that are polluted.
func (r *Result) Text(details bool) string {
	var b strings.Builder
	malformed := ""
	if r.Malformed > 0 {
		malformed = fmt.Sprintf(" (and %d malformed)", r.Malformed)
	}
	fmt.Fprintf(&b, "%s: %d records%s, %d cells in the complete answer, watermark %s\n", r.Pipeline, r.Records, malformed, r.Complete, r.Strategy)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	b.WriteString("\n")
	delays := [][]string{{"delays of", "records", "behind", "p50", "p90", "p99", "p99.9", "max"}}
	for _, d := range r.Delays {
		delays = append(delays, d.row())
	}
	for _, d := range r.ByGroup {
		d.Name = r.By + " " + d.Name
		delays = append(delays, d.row())
	}
	b.WriteString(aligned(delays))
	b.WriteString("\n")

	b.WriteString(aligned(r.settings()))
	if outs := r.outputs(); len(outs) > 0 {
		b.WriteString("\n" + aligned(outs))
	}
	if details {
		b.WriteString(r.details())
	}
	fmt.Fprintf(&b, "\n%s\n", r.Advice.Text)
	if r.Advice.Sureness != "" {
		b.WriteString(r.Advice.Sureness + "\n")
	}
	return b.String()
}

// Time says how long all took.
func (r *Result) Time() string {
	text := prose.Several(len(r.Settings), "setting") + " by " + prose.Several(r.Passes, "pass")
	if r.Seconds < 1 {
		return text + " in less than 1 s"
	}
	text = fmt.Sprintf("%s in %.1f s", text, r.Seconds)
	if r.Plain > 0 {
		text += fmt.Sprintf("; one run of the pipeline takes %.1f s", r.Plain)
	}
	return text
}

func (d *Delays) row() []string {
	row := []string{d.Name, strconv.Itoa(d.Records), strconv.Itoa(d.Behind)}
	for _, s := range []Span{d.P50, d.P90, d.P99, d.P999, d.Max} {
		if d.Unit == "" {
			row = append(row, s.String())
		} else {
			row = append(row, strconv.FormatInt(int64(s), 10))
		}
	}
	return row
}

// settings is the table of settings.
func (r *Result) settings() [][]string {
	head := []string{string(r.Kind), "allowed", "dropped", "share", "polluted", "panes", "corrected"}
	event, processing := false, false
	for i := range r.Settings {
		f := &r.Settings[i].Freshness
		event, processing = event || f.Event != nil, processing || f.Processing != nil
	}
	if event {
		head = append(head, "final p50", "p99", "max")
	}
	if processing {
		head = append(head, "by clock p50", "p99", "max")
	}
	table := [][]string{append(head, "state", "bytes", "")}
	for i := range r.Settings {
		x := &r.Settings[i]
		share := 0.0
		if r.Records > 0 {
			share = float64(x.Dropped) / float64(r.Records)
		}
		row := []string{x.Setting.BehindText(), x.Setting.Allowed.String(), strconv.FormatInt(x.Dropped, 10), Percent(share),
			x.pollution(r.Complete), strconv.FormatInt(x.Panes, 10), strconv.FormatInt(x.Corrected, 10)}
		spread := func(s *Spread) {
			if s == nil {
				row = append(row, "-", "-", "-")
			} else {
				row = append(row, s.P50.String(), s.P99.String(), s.Max.String())
			}
		}
		if event {
			spread(x.Freshness.Event)
		}
		if processing {
			spread(x.Freshness.Processing)
		}
		mark := ""
		if x.Setting.AsWritten {
			mark = "as the pipeline says"
		}
		if a := r.Advice.Setting; a != nil && a.Behind == x.Setting.Behind && a.Allowed == x.Setting.Allowed {
			mark = strings.TrimPrefix(mark+", to be taken", ", ")
		}
		table = append(table, append(row, strconv.FormatInt(x.State, 10), Bytes(x.StateBytes), mark))
	}
	return table
}

// pollution is how many cells are polluted, if any output is compared.
func (x *Outcome) pollution(of int) string {
	if !x.Compared() {
		return "-"
	}
	return fmt.Sprintf("%d of %d", x.Polluted, of)
}

// outputs is the table of polluted cells by output, if there are several outputs.
func (r *Result) outputs() [][]string {
	if len(r.Settings) == 0 || len(r.Settings[0].Outputs) < 2 {
		return nil
	}
	head := []string{"polluted cells of", "cells"}
	for i := range r.Settings {
		head = append(head, r.Settings[i].Setting.BehindText()+"+"+r.Settings[i].Setting.Allowed.String())
	}
	if r.Kind == Periods {
		for i := range r.Settings {
			head[2+i] = r.Settings[i].Setting.String()
		}
	}
	table := [][]string{head}
	for j, o := range r.Settings[0].Outputs {
		row := []string{o.Step, strconv.Itoa(o.Complete)}
		for i := range r.Settings {
			row = append(row, strconv.Itoa(r.Settings[i].Outputs[j].Polluted))
		}
		table = append(table, row)
	}
	return table
}

// details lists samples of what is polluted.
func (r *Result) details() string {
	var b strings.Builder
	for i := range r.Settings {
		x := &r.Settings[i]
		if x.Polluted == 0 && len(x.Missed) == 0 && len(x.Written) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", x.Setting)
		for _, w := range x.Written {
			fmt.Fprintf(&b, "  the window from %s was written in the period from %s\n", w.Window, w.In)
		}
		for _, o := range x.Outputs {
			for _, c := range o.Sample {
				where := strings.TrimSpace(c.Window + " " + c.Key)
				switch {
				case c.Got == "":
					fmt.Fprintf(&b, "  %s %s: missing, should be %s\n", o.Step, where, c.Want)
				case c.Want == "":
					fmt.Fprintf(&b, "  %s %s: %s should not be there\n", o.Step, where, c.Got)
				default:
					fmt.Fprintf(&b, "  %s %s: %s, should be %s\n", o.Step, where, c.Got, c.Want)
				}
			}
			if more := o.Polluted - len(o.Sample); more > 0 {
				fmt.Fprintf(&b, "  and %d more of %s\n", more, o.Step)
			}
		}
		for _, m := range x.Missed {
			fmt.Fprintf(&b, "  dropped by %s: record %d of %s, %s behind: %s\n", m.Step, m.Number, m.Source, m.Behind, m.Record)
		}
		if more := x.Dropped - int64(len(x.Missed)); more > 0 {
			fmt.Fprintf(&b, "  and %d more were dropped\n", more)
		}
	}
	return b.String()
}

// aligned sets a table in columns: the first and the last to the left, numbers to the right.
func aligned(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, c := range row {
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, row := range table {
		line := ""
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(c)))
			switch {
			case i == 0 && len(row) > 2:
				line += c + pad
			case i == len(row)-1 && widths[i] > 0 && table[0][i] == "":
				line += "  " + c
			default:
				line += "  " + pad + c
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
