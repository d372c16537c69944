package yaml_test

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/strandline-stream/strandline/yaml"
)

// FuzzParse reads any text as a pipeline. It must not fail otherwise than by problems with a
// place in the text, and what has none must be built.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	more, err := filepath.Glob("testdata/beam/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, more...) {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, x := range a.Files {
			if !strings.Contains(x.Name, ": ") {
				f.Add(string(x.Data))
			}
		}
	}
	for _, s := range []string{
		"", "a", "[", "pipeline:", "pipeline: {transforms: [{type: {type: x}}]}", "{{a}}: &a [*a]", "pipeline:\r\n  transforms:\r\n  - type: Crate\r\n",
		"pipeline:\n  transforms: &t\n    - {type: Filter, input: Filter, config: {keep: |\n  x\n  }}\n", "\xff", "pipeline: [1, [2], null, {type: null}]",
		"providers: [{type: yaml, transforms: {A: {body: {type: A}}}}]\npipeline: {transforms: [A]}", strings.Repeat("[", 200), strings.Repeat("{a: ", 70),
		"pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{a: 1}]}}, {type: Combine, config: {combine: {a: {value: 'a +', fn: sum}}}}]}",
		// The event time is within an object, or within none.
		"pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{a: {t: 1}}]}, watermark: {timestamp: a.t, unit: s}}]}",
		"pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{a.t: 1}]}, watermark: {timestamp: a.t, unit: s}}, {type: Combine, windowing: {type: fixed, size: 1m}, config: {combine: {n: count}}}]}",
		"pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{a: {b: 1}}, {a: {t: x}}]}, watermark: {timestamp: a.t}}]}",
		"pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{a: 1}]}, watermark: {timestamp: a.t.u, unit: s, arrival: a.x}}]}",
		"pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{a: {t: 1}}]}}, {type: AssignTimestamps, config: {timestamp: a.t}, watermark: {timestamp: a.t, unit: s}}]}",
	} {
		f.Add(s)
	}
	none := func(string) (string, bool) { return "", false }
	f.Fuzz(func(t *testing.T, text string) {
		const name = "pipeline.yaml"
		p, err := yaml.Parse(name, text, yaml.Options{Stdin: strings.NewReader(""), Stdout: discard{}, Stderr: discard{}, Getenv: none})
		if err == nil && !strings.Contains(text, "ReadFrom") { // the check would look for files
			if err = p.Check(t.Context()); err == nil {
				if _, err := p.Build(); err != nil {
					t.Errorf("the check has missed %v", err)
				}
				return
			}
		}
		if err == nil {
			return
		}
		ps, ok := errors.AsType[yaml.Problems](err)
		if !ok || len(ps) == 0 {
			t.Fatalf("the error is of type %T: %v", err, err)
		}
		lines := strings.Split(text, "\n")
		for i, x := range ps {
			if x.Message == "" || x.Length < 1 {
				t.Errorf("%+v", x)
			}
			if x.Line < 0 || x.Line > 0 && (x.Column < 1 || x.Column > len(x.Text)+1) {
				t.Errorf("outside its line: %+v", x)
			}
			if x.File == name && x.Line > 0 && (x.Line > len(lines) || x.Text != strings.TrimRight(lines[x.Line-1], "\r")) {
				t.Errorf("outside the text: %+v", x)
			}
			if i > 0 && ps[i-1].File == x.File && ps[i-1].Line > x.Line {
				t.Errorf("out of order: %+v", x)
			}
		}
		if ps.Frames() == "" || ps.Error() == "" {
			t.Error("the problems say nothing")
		}
	})
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// FuzzDuration reads any text as a duration: what it gives has the sign of the text, is whole
// microseconds far from where sums overflow, and is the same when it is written by package time.
func FuzzDuration(f *testing.F) {
	for _, s := range []string{"10s", "5m", "1h30m", "100ms", "1.5d", "-3us", "0", "60", ".5", "1e3", "9223372036854775807", "99999999d", "1h-1m", "0.0000001", "-0", "1d1d1d", "53375d", "-53375d", "106751d", "1ms1", "٣s", "1 s", "", "-", "1..2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := yaml.ParseDuration(s)
		if err != nil {
			if d != 0 || !strings.Contains(err.Error(), "duration") && !strings.Contains(err.Error(), "too long") && !strings.Contains(err.Error(), "microsecond") {
				t.Errorf("%q: %v, %v", s, d, err)
			}
			return
		}
		if negative := strings.HasPrefix(s, "-"); negative && d > 0 || !negative && d < 0 {
			t.Errorf("%q is %v", s, d)
		}
		if d%time.Microsecond != 0 || d > math.MaxInt64/2 || d < -math.MaxInt64/2 {
			t.Errorf("%q is %v", s, d)
		}
		again, err := yaml.ParseDuration(strings.ReplaceAll(d.String(), "µ", "u"))
		if err != nil || again != d {
			t.Errorf("%q is %v, which is read as %v, %v", s, d, again, err)
		}
	})
}

func TestDurationsAreThoseOfBeamYAML(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"60": time.Minute, "60s": time.Minute, "4": 4 * time.Second, "1m": time.Minute, "2h": 2 * time.Hour, "100ms": 100 * time.Millisecond, "0.5s": 500 * time.Millisecond, "-1s": -time.Second,
		// not of Beam: its day has 12 hours, by mistake
		"1d": 24 * time.Hour, "1h30m": 90 * time.Minute, "5us": 5 * time.Microsecond,
	} {
		if got, err := yaml.ParseDuration(s); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "s", "-", "ten", "1x", "1 s", "0.1us", "1e3", "999999999d", "1.2.3s", "+1s"} {
		if got, err := yaml.ParseDuration(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}
