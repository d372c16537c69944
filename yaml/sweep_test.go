package yaml

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
)

// The band of an element says of every setting what the distances say (S4.3).
func TestBandsSayWhatSettingsDoWithAnElement(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	for range 200 {
		var settings []lateness.Setting
		for range 1 + r.IntN(6) {
			settings = append(settings, lateness.Setting{Behind: r.Int64N(8), Allowed: lateness.Span(r.Int64N(8))})
		}
		b := bandsOf(settings)
		for x := int64(-3); x < 20; x++ {
			band := int(b.band(100+x, 100))
			dropping := map[int64]bool{}
			for _, s := range settings {
				late, gone := x >= s.Behind, x >= s.Behind+int64(s.Allowed)
				if dropping[most(s)] = gone; late != (band >= b.bandOf(s.Behind)) || gone != (band >= b.bandOf(most(s))) {
					t.Fatalf("%v: %d past the end is band %d of %v", s, x, band, b.marks)
				}
			}
			n := 0
			for i, c := range b.classes {
				if dropping[c] != (i < b.upto[band]) {
					t.Fatalf("%d past the end: %v of the classes %v drop it, not the first %d", x, dropping, b.classes, b.upto[band])
				}
				if dropping[c] {
					n++
				}
			}
			if n != b.upto[band] {
				t.Fatalf("%d classes drop it, not %d", n, b.upto[band])
			}
		}
	}
}

// lateLines are records of which one comes when its window is over.
const lateLines = `{"k": "a", "at": 1}
{"k": "a", "at": 12}
{"k": "a", "at": 2}
{"k": "b", "at": 25}
`

func latenessOf(t *testing.T, path, stdin string, o LatenessOptions) *latenessRun {
	t.Helper()
	p, err := Parse("pipeline", fmt.Sprintf(`pipeline:
  type: chain
  transforms:
    - {type: ReadFromJson, config: {path: %q}, watermark: {timestamp: at, unit: s}}
    - {type: Combine, windowing: {type: fixed, size: 10s}, config: {group_by: k, combine: {n: count}}}
`, path), Options{Stdin: strings.NewReader(stdin)})
	if err == nil {
		err = p.Check(t.Context())
	}
	l := &latenessRun{p: p, o: o}
	if err == nil {
		err = l.kinds()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func fileOfLate(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "in.json")
	if err := os.WriteFile(path, []byte(lateLines), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file is read once if the settings are given, and twice if its delays choose them; only what cannot
// be read again is kept.
func TestOnlyRecordsThatCannotBeReadAgainAreKept(t *testing.T) {
	given := LatenessOptions{Bounds: []time.Duration{0, 10 * time.Second}}
	for _, c := range []struct {
		name, path, stdin string
		o                 LatenessOptions
		passes, kept      int
	}{
		{"a file", fileOfLate(t), "", given, 1, 0},
		{"a file, settings chosen", fileOfLate(t), "", LatenessOptions{}, 2, 0},
		{"standard input", "-", lateLines, given, 1, 4},
		{"standard input, settings chosen", "-", lateLines, LatenessOptions{}, 2, 4},
	} {
		l := latenessOf(t, c.path, c.stdin, c.o)
		if err := l.run(t.Context()); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if kept := len(l.r.Sources[0].Records); kept != c.kept || l.out.Passes != c.passes || l.out.Records != 4 {
			t.Errorf("%s: %d of %d records are kept, %d passes", c.name, kept, l.out.Records, l.out.Passes)
		}
		// [0, 10) of a is over when the record of 2 comes, 10 s behind that of 12.
		if x := l.out.Settings[0]; x.Dropped != 1 || x.Polluted != 1 || l.out.Complete != 3 {
			t.Errorf("%s: %+v of %d cells", c.name, x, l.out.Complete)
		}
	}
}

// What is known of a record is that of its batch, also of a record that becomes several rows or none.
func TestASweepOverManyBatchesSaysWhatEachSettingsRunSays(t *testing.T) {
	run := func(apart bool) *lateness.Result {
		p, err := Parse("pipeline", `pipeline:
  type: chain
  transforms:
    - {type: Generate, config: {rows: 5000, keys: 7, disorder: 90s, step: 1s}}
    - {type: Filter, config: {keep: value % 5 != 0}}
    - {type: MapToFields, config: {language: python, fields: {key: key, value: "[value, id]"}}}
    - {type: Explode, config: {fields: value}}
    - {type: Combine, windowing: {type: sliding, size: 1m, period: 20s}, config: {group_by: key, combine: {n: count, most: {value: value, fn: max}}}}
`, Options{})
		if err == nil {
			err = p.Check(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		x, err := p.Lateness(t.Context(), LatenessOptions{Bounds: []time.Duration{0, 30 * time.Second}, Allowed: []time.Duration{0, 20 * time.Second, 2 * time.Minute}, Sample: 5, apart: apart})
		if err != nil {
			t.Fatal(err)
		}
		if x.Passes == 1 == apart || x.Settings[0].Polluted == 0 || x.Settings[2].Polluted > 0 {
			t.Fatalf("%d passes, %d cells polluted and %d", x.Passes, x.Settings[0].Polluted, x.Settings[2].Polluted)
		}
		return x
	}
	if once, apart := measured(t, run(false)), measured(t, run(true)); once != apart {
		t.Errorf("once\n%s\napart\n%s", once, apart)
	}
}

// growing is a source whose file has a line more each time it is read.
type growing struct {
	connector.Source[record.Row]
	path string
}

func (g growing) Splits(ctx context.Context) ([]connector.Split[record.Row], error) {
	text, err := os.ReadFile(g.path)
	if err == nil {
		err = os.WriteFile(g.path, append(text, `{"k": "c", "at": 26}`+"\n"...), 0o666)
	}
	if err != nil {
		return nil, err
	}
	return g.Source.Splits(ctx)
}

func TestAFileThatChangesBetweenTwoReadingsIsAnError(t *testing.T) {
	path := fileOfLate(t)
	l := latenessOf(t, path, "", LatenessOptions{})
	var err error
	if l.r, err = l.p.unread(t.Context()); err != nil {
		t.Fatal(err)
	}
	from := l.r.Sources[0]
	from.from = growing{from.from, path}
	if _, err := l.asRead(t.Context(), l.inLine()); err == nil || err.Error() != "the input changed while it was read twice" {
		t.Errorf("%v", err)
	}
}
