package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/yaml"
)

// verifying are the flags of verify.
type verifying struct {
	running
	runs     int
	seed     uint64
	input    []string
	bound    []string
	smallest string
	patience time.Duration
}

func verifyCommand(s *streams) *cobra.Command {
	v := &verifying{}
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "show that a pipeline gives one answer, whatever the run is like",
		Long: `Reads the sources of a pipeline once, runs it over their records in many ways, and
compares what the runs end with, cell by cell: in batch mode and in replay, with
one worker and with up to four, in large batches and small ones, from one split
and from several, in other orders of arrival, and twice the same. Nothing is
written or printed by the pipeline.

In other orders no record is further behind another than the bound of its
source's watermark, or than it is in the file if that is more; and watermarks
wait for that long, so that nothing is late. Integers must be the same, floats to
a part in 1e9, lists in any order.

If two runs differ it says in which step first, in which key and window, which
values and which runs; and it writes the smallest input that it finds to show it
to a file, with the command that shows it again.

Exit code 0 if all runs agree, 1 if they do not.`,
		Example: `  strandline verify pipeline.yaml
  strandline verify pipeline.yaml --runs 100 --seed 7`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return v.run(c.Context(), s, args[0]) },
	}
	v.flags(c)
	c.Flags().IntVar(&v.runs, "runs", yaml.DefaultRuns, "how many runs are compared; the more, the more orders of arrival")
	c.Flags().Uint64Var(&v.seed, "seed", 0, "choose other orders of arrival")
	c.Flags().StringArrayVar(&v.bound, "bound", nil, "by how much a record of a source may be behind another, as SOURCE=DURATION (may be repeated)")
	c.Flags().StringArrayVar(&v.input, "input", nil, "read the JSON lines of a file instead of a source, as SOURCE=FILE (may be repeated)")
	c.Flags().StringVar(&v.smallest, "smallest", "", "where the smallest input is written (default: FILE without its extension, and .smallest.jsonl)")
	c.Flags().DurationVar(&v.patience, "patience", 30*time.Second, "how long to look for a smaller input; 0 for not at all")
	c.Flags().BoolVar(&v.json, "json", false, "print JSON")
	return c
}

func (v *verifying) run(ctx context.Context, s *streams, file string) error {
	if v.runs < 2 {
		return fmt.Errorf("--runs %d: two runs can be compared, one cannot", v.runs)
	}
	if v.patience < 0 {
		return fmt.Errorf("--patience %v: it is 0 or more", v.patience)
	}
	v.inputs = map[string]string{}
	for _, in := range v.input {
		name, path, ok := strings.Cut(in, "=")
		if !ok || name == "" || path == "" {
			return fmt.Errorf("--input %s: write --input SOURCE=FILE", in)
		}
		v.inputs[name] = path
	}
	how := yaml.Verification{Runs: v.runs, Seed: v.seed, Bound: map[string]time.Duration{}, Patience: v.patience}
	for _, b := range v.bound {
		i := strings.LastIndexByte(b, '=')
		if i < 1 {
			return fmt.Errorf("--bound %s: write --bound SOURCE=10s", b)
		}
		d, err := time.ParseDuration(b[i+1:])
		if err != nil || d < 0 {
			return fmt.Errorf("--bound %s: %q is no duration, such as 10s or 1h30m", b, b[i+1:])
		}
		how.Bound[b[:i]] = d
	}
	if v.patience == 0 {
		how.Patience = -1 // none, and not the default
	}
	p, err := v.loadOne(ctx, s, file)
	if err != nil {
		return err
	}
	if step := p.ReadsStandardInput(); file == "-" && step != "" {
		return &coded{exitError, fmt.Errorf("the pipeline itself comes from the standard input, so %s cannot read it, too: name a file for one of them", step)}
	}
	p.Recordable()
	if err := p.Check(ctx); err != nil {
		return &coded{exitError, err}
	}
	r, err := p.Record(ctx)
	if err != nil {
		return &coded{exitError, err}
	}
	verdict, err := r.Verify(ctx, how)
	if ctx.Err() != nil {
		return &coded{exitInterrupted, nil}
	}
	if err != nil {
		return &coded{exitError, err}
	}
	var again string
	if d := verdict.Difference; d != nil && d.Smaller() {
		if again, err = v.write(ctx, file, p, verdict); err != nil {
			return &coded{exitError, err}
		}
	}
	if v.json {
		err = printIndented(s, struct {
			*yaml.Verdict
			Holds   bool   `json:"holds"`
			Command string `json:"command,omitzero"`
		}{verdict, verdict.Difference == nil, again})
	} else {
		_, err = io.WriteString(s.out, verdict.String())
		if err == nil && again != "" {
			_, err = fmt.Fprintf(s.out, "  %s\n", again)
		}
	}
	if err == nil && verdict.Difference != nil {
		return &coded{exitError, nil}
	}
	return err
}

// write writes the smallest input, a file for each source, and gives the command that shows the
// difference again.
func (v *verifying) write(ctx context.Context, file string, p *yaml.Pipeline, verdict *yaml.Verdict) (string, error) {
	base := v.smallest
	if base == "" {
		base = strings.TrimSuffix(file, filepath.Ext(file)) + ".smallest.jsonl"
		if file == "-" {
			base = "pipeline.smallest.jsonl"
		}
	}
	d := verdict.Difference
	args := []string{"strandline", "verify", file}
	for _, kv := range v.set {
		args = append(args, "--set", kv)
	}
	for i := range d.Smallest {
		in := &d.Smallest[i]
		lines, positions, err := in.Lines(ctx)
		if err != nil {
			return "", err
		}
		for _, at := range positions {
			in.Positions = append(in.Positions, p.Conceal(at))
		}
		in.File = base
		if len(d.Smallest) > 1 {
			ext := filepath.Ext(base)
			in.File = strings.TrimSuffix(base, ext) + "." + fileName(in.Source) + ext
		}
		if err := os.WriteFile(in.File, lines, 0o644); err != nil {
			return "", err
		}
		args = append(args, "--input", in.Source+"="+in.File)
	}
	for _, b := range verdict.Bounds() {
		args = append(args, "--bound", b)
	}
	if v.runs != yaml.DefaultRuns {
		args = append(args, "--runs", fmt.Sprint(v.runs))
	}
	if v.seed != 0 {
		args = append(args, "--seed", fmt.Sprint(v.seed))
	}
	for i, a := range args {
		args[i] = quoted(a)
	}
	return strings.Join(args, " "), nil
}

// fileName is a name without what file systems or shells take for something else.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
}

// quoted is an argument for a shell.
func quoted(a string) string {
	if strings.ContainsFunc(a, func(r rune) bool { return !strings.ContainsRune("/.=:,_-+@%", r) && fileName(string(r)) != string(r) }) {
		return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return a
}
