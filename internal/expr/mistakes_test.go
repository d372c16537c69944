package expr

import (
	"os"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

// shop is a schema with a field of each type.
var shop = record.Schema{
	{Name: "amount", Type: record.Type{Kind: record.Float}},
	{Name: "count", Type: record.Type{Kind: record.Int, Nullable: true}},
	{Name: "name", Type: record.Type{Kind: record.String}},
	{Name: "flag", Type: record.Type{Kind: record.Bool}},
	{Name: "at", Type: record.Type{Kind: record.Time}},
	{Name: "tags", Type: record.Type{Kind: record.List, Elem: &record.Type{Kind: record.String}}},
	{Name: "who", Type: record.Type{Kind: record.Struct, Fields: []record.Field{
		{Name: "id", Type: record.Type{Kind: record.Int}}, {Name: "name", Type: record.Type{Kind: record.String, Nullable: true}}}}},
	{Name: "raw", Type: record.Type{Kind: record.Any, Nullable: true}},
	{Name: "odd name", Type: record.Type{Kind: record.Int}},
	{Name: "bytes", Type: record.Type{Kind: record.Bytes, Nullable: true}},
}

// Each block of the file is an expression, and for each of its mistakes carets and the message.
func TestMistakesAreToldWithPlaceAndHint(t *testing.T) {
	const file = "testdata/mistakes.txt"
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for block := range strings.SplitSeq(strings.TrimSuffix(string(golden), "\n"), "\n\n") {
		if *rewrite && len(written) == 0 && !strings.Contains(block, "^") {
			block = strings.ReplaceAll(block, "\n", "\n\n") // expressions alone, a line each
		}
		for block := range strings.SplitSeq(block, "\n\n") {
			text, _, _ := strings.Cut(block, "\n")
			got := text
			_, errs := Compile(text, shop)
			for _, e := range errs {
				frame := e.Frame(text)
				line, carets, _ := strings.Cut(frame, "\n")
				if line != text {
					t.Errorf("the frame shows %q of %q", line, text)
				}
				got += "\n" + carets + "\n" + e.Error()
			}
			if errs == nil {
				t.Errorf("%s has no mistake", text)
			}
			if got != block && !*rewrite {
				t.Errorf("got\n%s\nwant\n%s", got, block)
			}
			written = append(written, got)
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(strings.Join(written, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
