package cli

import (
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/yaml"
)

func validateCommand(s *streams) *cobra.Command {
	r := &running{}
	c := &cobra.Command{
		Use:   "validate FILE...",
		Short: "report all that is wrong with pipelines, without running them",
		Long: `Checks pipelines: their form, the names, and the types of every step, for which
the beginning of the sources is read. All mistakes are reported, with line and
caret. A directory stands for the .yaml and .yml files in it that are pipelines.

Exit code 1 if anything is wrong.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			files, err := pipelinesIn(args)
			if err != nil {
				return &coded{exitError, err}
			}
			bad := 0
			for _, f := range files {
				p, err := r.load(c.Context(), s, f)
				if err == nil {
					err = p.Check(c.Context())
				}
				if cd, ok := errors.AsType[*coded](err); ok {
					err = cd.err
				}
				if err != nil {
					bad++
					fmt.Fprintln(s.err, explained(err))
					continue
				}
				fmt.Fprintf(s.out, "%s: no problems\n", f)
			}
			if bad > 0 {
				return &coded{exitError, nil}
			}
			return r.spent()
		},
	}
	r.flags(c)
	return c
}

// pipelinesIn lists files, and of directories those that are pipelines.
func pipelinesIn(args []string) ([]string, error) {
	var files []string
	for _, a := range args {
		info, err := os.Stat(a)
		if a == "-" || err == nil && !info.IsDir() {
			files = append(files, a)
			continue
		}
		if err != nil {
			return nil, err
		}
		before := len(files)
		err = filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
				return err
			}
			text, err := readPipeline(nil, path)
			if err == nil && (strings.HasPrefix(text, "pipeline:") || strings.Contains(text, "\npipeline:")) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: there are no pipelines in this directory", a)
		}
	}
	return files, nil
}

func explainCommand(s *streams) *cobra.Command {
	r := &running{}
	var asJSON, dot, engine bool
	c := &cobra.Command{
		Use:   "explain FILE",
		Short: "show what a pipeline was understood to be",
		Long: `Prints the steps of a pipeline with their schemas, keys, windows and watermarks,
without running it. The beginning of the sources is read to learn their schemas.
With --engine it prints what the engine makes of them, too: which steps are
fused, where rows are exchanged between workers, how aggregations keep state.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := r.loadOne(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			if err := p.Check(c.Context()); err != nil {
				return &coded{exitError, err}
			}
			plan := p.Explain(r.options(p)...)
			switch {
			case dot:
				_, err = fmt.Fprint(s.out, plan.Dot())
			case asJSON:
				err = printIndented(s, plan)
			default:
				text := plan.String()
				if engine {
					text += "\n" + plan.Engine.String()
				}
				_, err = fmt.Fprint(s.out, text)
			}
			return err
		},
	}
	r.flags(c)
	r.modes(c)
	c.Flags().BoolVar(&engine, "engine", false, "print what the engine makes of it, too")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&dot, "dot", false, "print a graph for Graphviz")
	c.MarkFlagsMutuallyExclusive("json", "dot")
	return c
}

func printIndented(s *streams, v any) error {
	b, err := json.Marshal(v, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(b, '\n'))
	return err
}

func tapCommand(s *streams) *cobra.Command {
	r := &running{}
	c := &cobra.Command{
		Use:   "tap FILE STEP",
		Short: "print what flows through one step",
		Long: `Runs a pipeline and prints the rows that a step gives, one on a line: event time,
window and pane, and the row. STEP is the name of a transform, or
TRANSFORM.OUTPUT for an output such as late or errors. Sinks write as in a run.`,
		Example: `  strandline tap pipeline.yaml Combine.late`,
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := r.loadOne(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			ctx, stop := context.WithCancel(c.Context())
			defer stop()
			var failed error
			n := 0
			err = p.Watch(args[1], func(row yaml.Row) {
				if r.limit > 0 && n >= r.limit {
					return
				}
				if n++; n == r.limit {
					stop()
				}
				if _, err := fmt.Fprintln(s.out, row); err != nil && failed == nil {
					failed = err
					stop()
				}
			})
			if err != nil {
				return &coded{exitError, err}
			}
			if err := p.Check(ctx); err != nil {
				return &coded{exitError, err}
			}
			built, err := p.Build()
			if err != nil {
				return &coded{exitError, err}
			}
			_, err = built.Start(ctx, r.options(p)...).Wait()
			err = built.Hide(err)
			if ferr := built.Flush(); err == nil {
				err = ferr
			}
			if failed != nil {
				return failed
			}
			if r.limit > 0 && n >= r.limit {
				return nil
			}
			return outcome(c.Context(), err, built.Verdict)
		},
	}
	r.flags(c)
	r.modes(c)
	c.Flags().IntVar(&r.limit, "limit", 0, "stop after so many rows")
	return c
}

func testCommand(s *streams) *cobra.Command {
	r := &running{}
	var suite string
	var create, fix bool
	c := &cobra.Command{
		Use:   "test FILE...",
		Short: "run the tests that stand in pipelines",
		Long: `Runs the tests in the section tests of pipelines: rows are put in the place of
inputs and outputs of transforms, and those that come of them are compared.
Only the steps that a test needs are run.

Exit code 1 if a test fails.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if (create || fix) && len(args) > 1 {
				return errors.New("--create and --fix take one file")
			}
			if slices.Contains(args, "-") || suite == "-" {
				return errors.New("a pipeline is read once for each of its tests, which the standard input cannot be: name a file")
			}
			failed := 0
			for _, f := range args {
				n, err := r.test(c.Context(), s, f, suite, create, fix)
				if err != nil {
					return err
				}
				failed += n
			}
			if failed > 0 {
				return &coded{exitError, nil}
			}
			return r.spent()
		},
	}
	r.flags(c)
	c.Flags().StringVar(&suite, "suite", "", "a file with the tests, instead of those in the pipeline")
	c.Flags().BoolVar(&create, "create", false, "add a test made of the first rows of the sources, and what comes of them")
	c.Flags().BoolVar(&fix, "fix", false, "put the rows that there are in the place of those that were expected")
	c.MarkFlagsMutuallyExclusive("create", "fix")
	return c
}

func (r *running) test(ctx context.Context, s *streams, file, suite string, create, fix bool) (failed int, err error) {
	if _, err := r.load(ctx, s, file); err != nil && !create {
		return 0, err
	}
	text, err := readPipeline(s, file)
	if err != nil {
		return 0, &coded{exitError, err}
	}
	set, err := r.parameters()
	if err != nil {
		return 0, err
	}
	o := yaml.Options{Set: set, Stdin: s.in, Stdout: s.out, Stderr: s.err}
	if create {
		with, err := yaml.CreateTest(ctx, file, text, o)
		if err != nil {
			return 0, &coded{exitError, err}
		}
		if err := replaceFile(file, with); err != nil {
			return 0, &coded{exitError, err}
		}
		fmt.Fprintf(s.out, "%s: one more test; look whether its rows are right\n", file)
		return 0, nil
	}
	tests := ""
	if suite != "" {
		if tests, err = readPipeline(s, suite); err != nil {
			return 0, &coded{exitError, err}
		}
	}
	results, err := yaml.Test(ctx, file, text, tests, o)
	if err != nil {
		return 0, &coded{exitError, err}
	}
	if len(results) == 0 {
		return 0, &coded{exitError, fmt.Errorf("%s has no tests: strandline test --create %s makes one", file, file)}
	}
	if fix {
		target, from := file, text
		if suite != "" {
			target, from = suite, tests
		}
		with, err := yaml.FixTests(from, results)
		if err != nil {
			return 0, &coded{exitError, err}
		}
		if err := replaceFile(target, with); err != nil {
			return 0, &coded{exitError, err}
		}
		fmt.Fprintf(s.out, "%s: expectations rewritten; look whether they are right\n", target)
		return 0, nil
	}
	for _, t := range results {
		if t.Err == nil {
			fmt.Fprintf(s.out, "ok    %s: %s\n", file, t.Name)
			continue
		}
		failed++
		fmt.Fprintf(s.out, "FAIL  %s: %s (line %d)\n", file, t.Name, t.Line)
		for l := range strings.Lines(explained(t.Err) + "\n") {
			fmt.Fprint(s.out, "      "+l)
		}
	}
	fmt.Fprintf(s.out, "%d of %d passed\n", len(results)-failed, len(results))
	return failed, nil
}

// replaceFile gives a file another content, whole or not at all.
func replaceFile(path, content string) error {
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to)+".*.part")
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
