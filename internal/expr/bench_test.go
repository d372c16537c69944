package expr

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

// An operation is a call of a function; what each takes is what the difference of two lines says.
func BenchmarkEval(b *testing.B) {
	schema, row, _ := tableFields()
	schema = append(schema, record.Field{Name: "at", Type: record.Type{Kind: record.Time}})
	row = append(row, record.OfTime(1_700_000_000_000_000))
	for _, text := range []string{
		"f", "f > 2", "f * 1.19", "f * 1.19 + 2", "f * f", "i + 1", "i + j", "i % 2 == 0", "f > i",
		"s == 'strandline'", "s in ['a', 'b', 'strandline']", "f > 2 and i < 10", "f > 2 and i < 10 and j != 4 and s != 'x'",
		"f if b else 0.0", "coalesce(none, 0)", "none is None", "none + 1", "0 < i < 10",
		"s.startswith('str')", "s.upper()", "s + '!'", "len(s)", "s[0:6]", "str(i)", "round(f, 1)",
		"matches(s, '^str.*e$')", "truncate(at, 'hour')", "truncate(at, 'day', 'Europe/Berlin')", "hour(at, 'Europe/Berlin')",
	} {
		p, errs := Compile(text, schema)
		if errs != nil {
			b.Fatal(errs)
		}
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			switch p.Type().Kind {
			case record.Bool:
				for b.Loop() {
					p.Bool(row)
				}
			case record.Float:
				for b.Loop() {
					p.Float(row)
				}
			case record.Int, record.Time:
				for b.Loop() {
					p.Int(row)
				}
			default:
				for b.Loop() {
					p.Str(row)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	schema, _, _ := tableFields()
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := Compile("s.lower().startswith('str') and 10 <= i * 2 < 20 or f > 1.5 if b else matches(s, '[a-z]+')", schema); errs != nil {
			b.Fatal(errs)
		}
	}
}
