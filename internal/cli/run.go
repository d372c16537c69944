package cli

import (
	"cmp"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/yaml"
)

// running are the flags of commands that read a pipeline.
type running struct {
	set       []string
	workers   int
	batch     bool
	streaming bool
	replay    bool
	json      bool
	limit     int
	ledger    string
}

func (r *running) flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&r.set, "set", nil, "give a parameter {{NAME}} a value, as NAME=VALUE (may be repeated)")
}

// modes adds the flags that say how to run.
func (r *running) modes(c *cobra.Command) {
	c.Flags().IntVar(&r.workers, "workers", 0, "number of workers (default: what the pipeline says, or 1)")
	c.Flags().BoolVar(&r.batch, "batch", false, "hold the watermark until the end of the input: nothing is late")
	c.Flags().BoolVar(&r.streaming, "streaming", false, "judge records by the watermark as they come")
	c.Flags().BoolVar(&r.replay, "replay", false, "the same as --streaming, for files: they are read as they would have come")
	c.MarkFlagsMutuallyExclusive("batch", "streaming", "replay")
}

// load reads and parses a pipeline; "-" is standard input.
func (r *running) load(ctx context.Context, s *streams, path string) (*yaml.Pipeline, error) {
	text, err := readPipeline(s, path)
	if err != nil {
		return nil, &coded{exitError, err}
	}
	set := map[string]string{}
	for _, kv := range r.set {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return nil, fmt.Errorf("--set %s: write --set NAME=VALUE", kv)
		}
		set[k] = v
	}
	p, err := yaml.Parse(path, text, yaml.Options{
		Set: set, Stdin: s.in, Stdout: s.out, Stderr: s.err, Table: s.terminal && !r.json, Parallel: r.workers,
	})
	if err != nil {
		if more := p.Check(ctx); more != nil { // says what Parse found, too
			err = more
		}
		return nil, &coded{exitError, err}
	}
	return p, nil
}

func readPipeline(s *streams, path string) (string, error) {
	if path == "-" {
		b, err := io.ReadAll(io.LimitReader(s.in, 2<<20))
		return string(b), err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "", fmt.Errorf("%s is a directory: name a file in it", path)
	}
	b, err := os.ReadFile(path)
	return string(b), err
}

// options are those of the run.
func (r *running) options(p *yaml.Pipeline) []strandline.Option {
	workers := p.Workers()
	if r.workers > 0 {
		workers = r.workers
	}
	opts := []strandline.Option{strandline.Workers(workers)}
	if r.batch || !r.streaming && !r.replay && !p.Streaming() {
		opts = append(opts, strandline.Batch())
	}
	return opts
}

func runCommand(s *streams) *cobra.Command {
	r := &running{}
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "run a pipeline",
		Long: `Runs the pipeline of a file; - reads it from standard input.

Rows that no step consumes are printed: as a table to a terminal, else as JSON
lines. If a step writes to standard output only its rows are printed. The last
line on standard error is the ledger, which accounts for every record.

Files are read as a batch, in which nothing is late, unless the pipeline says
options: {streaming: true} or --streaming or --replay is given.

` + exitHelp,
		Example: `  strandline run pipeline.yaml
  strandline run pipeline.yaml --set day=2026-07-01 --workers 2
  zcat events.jsonl.gz | strandline run counts.yaml --json | jq .`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := r.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			return r.run(c.Context(), s, p)
		},
	}
	r.flags(c)
	r.modes(c)
	c.Flags().BoolVar(&r.json, "json", false, "print rows as JSON lines, also to a terminal")
	c.Flags().StringVar(&r.ledger, "ledger", "", "write the ledger, step by step, to a file as JSON")
	c.Flags().IntVar(&r.limit, "limit", 0, "stop once this many rows have been printed")
	return c
}

func (r *running) run(ctx context.Context, s *streams, p *yaml.Pipeline) error {
	if err := p.Check(ctx); err != nil {
		return &coded{exitError, err}
	}
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if r.limit > 0 {
		p.Limit(r.limit, func() { stop(errEnough) })
	}
	built, err := p.Build()
	if err != nil {
		return &coded{exitError, err}
	}
	running := built.Start(limited, r.options(p)...)
	done := func() {}
	if s.progress {
		done = watch(s.err, running, p.BytesRead)
	}
	report, err := running.Wait()
	done()
	err = built.Hide(err)
	if ferr := built.Flush(); err == nil {
		err = ferr
	}
	if errors.Is(context.Cause(limited), errEnough) {
		err = nil
	}
	err = outcome(ctx, err, built.Verdict)
	if c, ok := errors.AsType[*coded](err); ok && c.err != nil { // so that the ledger is the last line
		fmt.Fprintln(s.err, "strandline:", explained(c.err))
		err = &coded{c.code, nil}
	}
	if r.ledger != "" {
		if werr := writeLedger(r.ledger, p.File(), report); werr != nil {
			fmt.Fprintln(s.err, "strandline:", werr)
			err = cmp.Or(err, error(&coded{exitError, nil}))
		}
	}
	fmt.Fprintln(s.err, strandline.Ledger(report))
	return err
}

var errEnough = errors.New("enough rows")

// outcome gives the error of a run with its exit code.
func outcome(ctx context.Context, err error, verdict func() []error) error {
	switch {
	case err == nil:
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return &coded{exitInterrupted, nil}
	case errors.Is(err, connector.ErrReaderGone):
		return &coded{exitError, nil}
	case errors.Is(err, strandline.ErrMalformed), errors.Is(err, strandline.ErrPanesFailed):
		return &coded{exitData, err}
	default:
		if data, ok := errors.AsType[*yaml.DataError](err); ok {
			return &coded{exitError, data}
		}
		return &coded{exitError, err}
	}
	errs := verdict()
	code := exitError
	for _, e := range errs {
		if _, ok := errors.AsType[*yaml.ThresholdError](e); ok {
			code = exitData
		}
	}
	if len(errs) > 0 {
		return &coded{code, errors.Join(errs...)}
	}
	return nil
}

// printJSON prints v on lines.
func printJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
