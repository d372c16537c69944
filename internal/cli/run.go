package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/yaml"
)

// running are the flags of commands that read a pipeline.
type running struct {
	set       []string
	met       []string // the parameters of the pipelines that were loaded
	workers   int
	batch     bool
	streaming bool
	replay    bool
	json      bool
	table     bool
	limit     int
	ledger    string
	inputs    map[string]string // files in the place of sources
	control   string
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
	if err := r.sane(); err != nil {
		return nil, err
	}
	text, err := readPipeline(s, path)
	if err != nil {
		return nil, &coded{exitError, err}
	}
	set, err := r.parameters()
	if err != nil {
		return nil, err
	}
	p, err := yaml.Parse(path, text, yaml.Options{
		Set: set, Stdin: s.in, Stdout: s.out, Stderr: s.err, Table: (s.terminal || r.table) && !r.json, Parallel: r.workers, Inputs: r.inputs,
	})
	r.met = append(r.met, p.Parameters()...)
	if err != nil {
		if more := p.Check(ctx); more != nil { // says what Parse found, too
			err = more
		}
		return nil, &coded{exitError, err}
	}
	return p, nil
}

// parameters are the values that --set gives, by name.
func (r *running) parameters() (map[string]string, error) {
	set := map[string]string{}
	for _, kv := range r.set {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return nil, fmt.Errorf("--set %s: write --set NAME=VALUE", kv)
		}
		set[k] = v
	}
	return set, nil
}

// loadOne is load of the only pipeline of a command.
func (r *running) loadOne(ctx context.Context, s *streams, path string) (*yaml.Pipeline, error) {
	p, err := r.load(ctx, s, path)
	if err == nil {
		err = r.spent()
	}
	return p, err
}

// spent says whether each parameter that is set is one of a pipeline that was loaded.
func (r *running) spent() error {
	met := slices.Compact(slices.Sorted(slices.Values(r.met)))
	for _, kv := range r.set {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(met, name) {
			has := "there are none"
			if len(met) > 0 {
				has = "there is {{" + strings.Join(met, "}}, {{") + "}}"
			}
			return fmt.Errorf("--set %s: no parameter {{%s}} is in the pipeline: %s", kv, name, has)
		}
	}
	return nil
}

const (
	maxPipeline = 1 << 20 // bytes
	maxWorkers  = 1024
)

// sane refuses numbers that no run can have.
func (r *running) sane() error {
	if r.workers < 0 || r.workers > maxWorkers {
		return fmt.Errorf("--workers %d: from 1 to %d, or 0 for what the pipeline says", r.workers, maxWorkers)
	}
	if r.limit < 0 {
		return fmt.Errorf("--limit %d: it is 1 or more, or 0 for no limit", r.limit)
	}
	return nil
}

// readPipeline gives the text of a pipeline, or of a suite of tests; what has no end, or is too
// large to be one, is refused.
func readPipeline(s *streams, path string) (string, error) {
	if path == "-" {
		return readText("the standard input", s.in)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "", fmt.Errorf("%s is a directory: name a file in it", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readText(path, f)
}

func readText(name string, from io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(from, maxPipeline+1))
	if err == nil && len(b) > maxPipeline {
		return "", fmt.Errorf("%s: no pipeline is larger than %d bytes", name, maxPipeline)
	}
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
			p, err := r.loadOne(c.Context(), s, args[0])
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
	c.Flags().StringVar(&r.control, "control", "", "answer strandline why on a socket at this path (a pipeline with a source that does not end does so anyway)")
	c.Flags().BoolVar(&r.table, "table", false, "print rows as a table, also to a file or a pipe")
	c.MarkFlagsMutuallyExclusive("json", "table")
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
		if whole := p.Whole(); whole != "" {
			return &coded{exitUsage, fmt.Errorf("--limit %d: %s needs all rows; strandline tap --limit looks at the first rows of a step, and | head at those that are printed", r.limit, whole)}
		}
		p.Limit(r.limit, func() { stop(errEnough) })
	}
	built, err := p.Build()
	if err != nil {
		return &coded{exitError, err}
	}
	running := built.Start(limited, r.options(p)...)
	socket, err := r.listen(limited, s, p, concealed{running, built})
	if err != nil {
		stop(err)
		_, _ = running.Wait()
		return &coded{exitError, built.Hide(err)}
	}
	defer socket()
	done := func() {}
	if s.progress {
		done = watch(s.err, running, p.BytesRead)
	}
	report, err := running.Wait()
	done()
	if errors.Is(context.Cause(limited), errEnough) && (errors.Is(err, errEnough) || errors.Is(err, context.Canceled)) {
		err = nil // the limit has ended it, and nothing else
	}
	err = built.Hide(err)
	if ferr := built.Flush(); err == nil {
		err = ferr
	}
	err = outcome(ctx, err, built.Verdict)
	if c, ok := errors.AsType[*coded](err); ok && c.err != nil { // so that the ledger is the last line
		fmt.Fprintln(s.err, "strandline:", explained(c.err))
		err = &coded{c.code, nil}
	}
	if r.ledger != "" {
		if werr := writeLedger(r.ledger, p.File(), report, built.Conceal); werr != nil {
			fmt.Fprintln(s.err, "strandline:", built.Hide(werr))
			err = cmp.Or(err, error(&coded{exitError, nil}))
		}
	}
	fmt.Fprintln(s.err, built.Conceal(strandline.Ledger(report)))
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
	case errors.Is(err, strandline.ErrMalformed):
		err = fmt.Errorf("%w\n  the rest is complete; a step with input: SOURCE.errors takes what cannot be read", err)
	case errors.Is(err, strandline.ErrPanesFailed):
	default:
		if data, ok := errors.AsType[*yaml.DataError](err); ok {
			return &coded{exitError, data}
		}
		return &coded{exitError, err}
	}
	// The run is complete. Rows that are wrong weigh more than rows that are missing.
	code := exitData
	errs := []error{err}
	for _, e := range verdict() {
		if _, bad := errors.AsType[*yaml.ThresholdError](e); !bad {
			code = exitError
		}
		errs = append(errs, e)
	}
	if err = errors.Join(errs...); err == nil {
		return nil
	}
	return &coded{code, err}
}
