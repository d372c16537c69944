package main

import (
	"bufio"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	p4Lines   = flag.Int("lines", 10*million, "how many lines the files of P4, P4c and P4p have")
	p4Program = flag.String("strandline", "", "the program that P4, P4c, P4p and P11 run; by default it is built")
)

// p4, p4c and p4p: a pipeline in YAML, run by the program strandline, against the same query in
// DuckDB: from a file to a file, counts and sums per vehicle and minute. The time of the one is
// that of the process, from its start to its end; of the other that of the query alone. There is
// no goal for Parquet, which DuckDB itself makes of the lines of CSV.
func p4(b *board)  { b.p4(p4JSON) }
func p4c(b *board) { b.p4(p4Case{"P4c", "csv", "ReadFromCsv", p4Schema, 1.5}) }
func p4p(b *board) { b.p4(p4Case{"P4p", "parquet", "ReadFromParquet", "", 0}) }

var p4JSON = p4Case{"P4", "json", "ReadFromJson", p4Schema, 1.5}

// p4Case is one of them.
type p4Case struct {
	id, format, read string
	declared         string // what the pipeline says of its fields
	goal             float64
}

// pipeline is the pipeline from one file to another.
func (c p4Case) pipeline(in, out string) []byte {
	return []byte(strings.NewReplacer("READ", c.read, "DECLARED", c.declared, "IN", in, "OUT", out).Replace(p4Pipeline))
}

const p4Schema = "schema: {type: object, properties: {vehicle: {type: string}, speed: {type: number}, at: {type: string}}}"

var (
	//go:embed duckdb/query.py
	duckScript []byte
	//go:embed duckdb/convert.py
	duckConvert []byte
	//go:embed duckdb/pipeline.yaml
	p4Pipeline string
)

func (b *board) p4(c p4Case) {
	dir, err := os.MkdirTemp("", "bench-p4-*")
	if err == nil {
		defer os.RemoveAll(dir)
		err = b.p4In(dir, c)
	}
	if err != nil {
		b.skip(c.id, err)
	}
}

func (b *board) p4In(dir string, c p4Case) error {
	python, err := duckdb(dir)
	if err != nil {
		return err
	}
	program, err := strandlineIn(dir)
	if err != nil {
		return err
	}
	in, err := p4Input(dir, python, c.format)
	if err != nil {
		return err
	}
	pipeline := filepath.Join(dir, "pipeline.yaml")
	ours, theirs := filepath.Join(dir, "ours.csv"), filepath.Join(dir, "theirs.csv")
	if err := errors.Join(
		os.WriteFile(pipeline, c.pipeline(in, ours), 0o666),
		os.WriteFile(filepath.Join(dir, "query.py"), duckScript, 0o666),
	); err != nil {
		return err
	}
	for _, threads := range []string{"1", "2"} {
		var failed error
		var megabytes float64
		run := func(name string, args ...string) []byte {
			cmd := exec.Command(name, args...)
			cmd.Env = append(os.Environ(), "GOMAXPROCS="+threads)
			out, err := cmd.Output()
			if name == program && err == nil {
				megabytes = max(megabytes, maxRSS(cmd.ProcessState))
			}
			if err != nil && failed == nil {
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					out = exit.Stderr
				}
				failed = fmt.Errorf("%s: %w: %s", filepath.Base(name), err, out)
			}
			return out
		}
		times := duel(b.turns, clocked(func() {
			run(program, "run", "--workers", threads, pipeline)
		}), func() (took time.Duration) {
			out := run(python, filepath.Join(dir, "query.py"), c.format, in, theirs, threads)
			if _, err := fmt.Sscan(string(out), &took); err != nil && failed == nil {
				failed = fmt.Errorf("DuckDB said %q: %w", out, err)
			}
			return took
		})
		if failed != nil {
			return failed
		}
		if a, b, err := p4Digests(ours, theirs); err != nil {
			return err
		} else {
			same(c.id, a, b)
		}
		if c.goal > 0 {
			b.limit(c.id, "memory x "+threads, "RSS", "MB", megabytes, 64)
		}
		if c.goal > 0 && threads == "1" {
			if err := b.p4Start(c.id, dir, program, pipeline, in); err != nil {
				return err
			}
		}
		b.compare(c.id, c.format+" x "+threads, *p4Lines, "strandline", "DuckDB", c.goal, times)
	}
	return nil
}

// p4Input makes the file to read in a directory.
func p4Input(dir, python, format string) (path string, err error) {
	path = filepath.Join(dir, "events."+format)
	if format != "parquet" {
		return path, p4File(path, format, *p4Lines)
	}
	lines, script := filepath.Join(dir, "events.csv"), filepath.Join(dir, "convert.py")
	if err := errors.Join(p4File(lines, "csv", *p4Lines), os.WriteFile(script, duckConvert, 0o666)); err != nil {
		return "", err
	}
	if out, err := exec.Command(python, script, lines, path).CombinedOutput(); err != nil {
		return "", fmt.Errorf("DuckDB makes no Parquet: %w: %s", err, out)
	}
	return path, os.Remove(lines)
}

// strandlineIn gives the program that was named, or builds it in a directory.
func strandlineIn(dir string) (program string, err error) {
	if *p4Program != "" {
		return *p4Program, nil
	}
	program = filepath.Join(dir, "strandline")
	build := exec.Command("go", "build", "-o", program, "./cmd/strandline")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return program, nil
}

// limit puts a line for what must stay below a limit.
func (b *board) limit(id, name, side, unit string, ours, most float64) {
	b.put(result{id: id, name: name, side: side, rival: "limit", unit: unit, ours: ours, theirs: most, ratio: most / ours, goal: 1})
}

// p4Start measures how long the program takes to its first pane of a small file, and how large it
// is.
func (b *board) p4Start(id, dir, program, pipeline, in string) error {
	text, err := os.ReadFile(pipeline)
	if err != nil {
		return err
	}
	all, err := os.Open(in)
	if err != nil {
		return err
	}
	defer all.Close()
	small := filepath.Join(dir, "small"+filepath.Ext(in))
	var head strings.Builder
	lines := bufio.NewScanner(all)
	for n := 0; n < 100 && lines.Scan(); n++ {
		head.WriteString(lines.Text() + "\n")
	}
	printing, _, _ := strings.Cut(strings.ReplaceAll(string(text), in, small), "    - type: WriteToCsv")
	first := filepath.Join(dir, "first.yaml")
	if err := errors.Join(os.WriteFile(small, []byte(head.String()), 0o666), os.WriteFile(first, []byte(printing), 0o666)); err != nil {
		return err
	}
	var took []time.Duration
	for range 21 {
		cmd := exec.Command(program, "run", first)
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		start := time.Now()
		if err := cmd.Start(); err != nil {
			return err
		}
		_, err = out.Read(make([]byte, 1))
		took = append(took, time.Since(start))
		if _, rest := io.Copy(io.Discard, out); err != nil || rest != nil {
			return fmt.Errorf("no pane of the small file: %w", errors.Join(err, rest))
		}
		if err := cmd.Wait(); err != nil {
			return err
		}
	}
	slices.Sort(took)
	b.limit(id, "first pane", "median", "ms", float64(took[len(took)/2])/1e6, 50)
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	b.limit(id, "program", "size", "MB", float64(info.Size())/1e6, 40)
	return nil
}

// duckdb makes a virtual environment with DuckDB, and gives its Python.
func duckdb(dir string) (python string, err error) {
	venv := filepath.Join(dir, "venv")
	python = filepath.Join(venv, "bin", "python")
	for _, args := range [][]string{{"python3", "-m", "venv", venv}, {python, "-m", "pip", "install", "-q", "duckdb==2.0.1"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("there is no DuckDB (python3 with venv, and PyPI, bring it): %s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return python, nil
}

// p4Digests reads results: vehicle, start of the minute, count, sum, in whatever order.
func p4Digests(paths ...string) (a, b digest, err error) {
	var all [2]digest
	for i, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return a, b, err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			fields := strings.Split(lines.Text(), ",")
			if len(fields) != 4 {
				return a, b, fmt.Errorf("%s: %q has not four fields", path, lines.Text())
			}
			var vehicle, count int64
			var sum float64
			if _, err := fmt.Sscanf(strings.Join(fields, " "), "vehicle-%d "+fields[1]+" %d %g", &vehicle, &count, &sum); err != nil {
				return a, b, fmt.Errorf("%s: %q: %w", path, lines.Text(), err)
			}
			at, err := time.Parse(time.RFC3339, fields[1])
			if err != nil {
				return a, b, err
			}
			all[i].add(at.UnixMicro(), agg{Count: count, Sum: int64(sum * 4)})
			all[i].Keys += vehicle
		}
		if err := lines.Err(); err != nil {
			return a, b, err
		}
	}
	return all[0], all[1], nil
}
