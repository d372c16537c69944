package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// p3: the job of p1a against Flink's DataStream API in a local environment, which makes its events
// itself. Each side has as many workers as it is fastest with, of one and two. Flink runs in a virtual
// machine of its own that stays up, has object reuse on, and is warm: it has run the job several times
// before the first that counts.
func p3(b *board) {
	f, err := startFlink()
	if err != nil {
		b.skip("P3", err)
		return
	}
	defer f.stop()
	b.p3(f, "int keys 1k", 10, 1000)
	b.p3(f, "int keys 100k", 20, 100_000)
}

func (b *board) p3(f *flink, name string, goal float64, keys int64) {
	const (
		n       = 10 * million
		warm    = 3 // from the fourth run on Flink gets no faster
		workers = 2
	)
	type best struct{ took, used time.Duration }
	var all [workers + 1][2]best // by the number of workers: the engine and Flink
	for w := int64(1); w <= workers; w++ {
		for range warm {
			f.run(n, keys, w)
		}
		x := &all[w]
		var ours, theirs digest
		d := duel(b.turns, clocked(func() {
			x[0].used = least(x[0].used, func() { ours = p3Engine(numbered{n, keys, w}, int(w)) })
		}), func() (took time.Duration) {
			var used time.Duration
			if took, used, theirs = f.run(n, keys, w); x[1].used == 0 || used < x[1].used {
				x[1].used = used
			}
			same("P3", ours, theirs)
			return took
		})
		x[0].took, x[1].took = d[0], d[1]
		// A busy machine gives more to the side that has more threads. Processor time does not depend on it.
		fmt.Printf("P3   %-14s %s: engine %.1f M/s, Flink %.1f M/s; processor time: engine %d ms, Flink %d ms, %.1f times as much\n",
			name, plural(w, "worker"), n/million/x[0].took.Seconds(), n/million/x[1].took.Seconds(),
			x[0].used.Milliseconds(), x[1].used.Milliseconds(), x[1].used.Seconds()/x[0].used.Seconds())
	}
	b.compare("P3", name, n, "engine", "Flink", goal,
		[2]time.Duration{min(all[1][0].took, all[2][0].took), min(all[1][1].took, all[2][1].took)})
}

func plural(n int64, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprint(n, " ", of, "s")
}

func p3Engine(from numbered, workers int) (d digest) {
	p := strandline.New("p3")
	in := strandline.ReadMicros(p, from, watermark.Bounded(bound*time.Microsecond), func(e *event[int64]) int64 { return e.At })
	out := in.KeyBy("key", func(e *event[int64]) int64 { return e.Key }).WindowInto(window.Fixed(p1Size)).
		CombinePerKey("count and sum", countSum[int64]{})
	out.WriteTo(numberedSink{&d})
	if _, err := p.Run(context.Background(), strandline.Workers(workers)); err != nil {
		panic(err)
	}
	return d
}

// flink is a virtual machine that runs flink/Windows.java.
type flink struct {
	dir string
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

var (
	//go:embed flink/pom.xml
	flinkProject []byte
	//go:embed flink/Windows.java
	flinkProgram []byte
)

// startFlink builds the program with Maven, which downloads Flink if it has not got it, and starts
// it. An error says what is missing.
func startFlink() (f *flink, err error) {
	for _, tool := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("there is no %s: apt-get install default-jdk-headless maven", tool)
		}
	}
	dir, err := os.MkdirTemp("", "bench-flink-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "pom.xml"), flinkProject, 0o666),
		os.WriteFile(filepath.Join(dir, "Windows.java"), flinkProgram, 0o666),
	); err != nil {
		return nil, err
	}
	libraries := filepath.Join(dir, "classpath")
	mvn := exec.Command("mvn", "-q", "-B", "compile", "dependency:build-classpath", "-Dmdep.outputFile="+libraries)
	mvn.Dir = dir
	if out, err := mvn.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mvn: %w: %s", err, firstError(string(out)))
	}
	path, err := os.ReadFile(libraries)
	if err != nil {
		return nil, err
	}
	f = &flink{dir: dir}
	// Of the collectors the parallel one is the fastest here.
	f.cmd = exec.Command("java", "-XX:+UseParallelGC", "-Xms4g", "-Xmx4g",
		"--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
		"-cp", filepath.Join(dir, "target", "classes")+string(filepath.ListSeparator)+string(path), "Windows")
	in, err1 := f.cmd.StdinPipe()
	out, err2 := f.cmd.StdoutPipe()
	if err := errors.Join(err1, err2, f.cmd.Start()); err != nil {
		return nil, err
	}
	f.in, f.out = in, bufio.NewReader(out)
	return f, nil
}

// firstError finds in what Maven printed the line that says most.
func firstError(out string) string {
	for line := range strings.Lines(out) {
		if i := strings.Index(line, "[ERROR]"); i >= 0 {
			return strings.TrimSpace(line[i:])
		}
	}
	return strings.TrimSpace(out)
}

// run runs the job once. It took the time from the first record that was made to the last pane that
// was written, and used the processor time of all threads in between.
func (f *flink) run(n, keys, parallelism int64) (took, used time.Duration, d digest) {
	_, err := fmt.Fprintln(f.in, n, keys, parallelism)
	if err == nil {
		_, err = fmt.Fscanln(f.out, &took, &used, &d.Panes, &d.Count, &d.Squares, &d.Sum, &d.Mix, &d.Keys)
	}
	if err != nil {
		panic(fmt.Sprint("Flink: ", err))
	}
	return took, used, d
}

// stop ends the virtual machine, which ends with its input.
func (f *flink) stop() {
	f.in.Close()
	f.cmd.Wait()
	os.RemoveAll(f.dir)
}
