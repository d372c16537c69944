package rowio_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/rowio"
)

func TestRecordsAreFoundAgainAsTheyStand(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		format, want string
		paths        []string
	}{
		{"json", `1 a.json:3 {"x": 2,  "y": 7}; 3 b.json:2 {"x":4}`, []string{file("a.json", "{\"x\": 1}\n\n{\"x\": 2,  \"y\": 7}\nbroken\n{\"x\": 3}\n"), file("b.json", "broken\n{\"x\":4}\n")}},
		{"csv", "1 a.csv:3 2,7; 3 b.csv:2 8,4", []string{file("a.csv", "x,y\n1,1\n2,7\n3,3\n"), file("b.csv", "y,x\n8,4\n")}},
		{"text", "1 a.txt:2 ; 3 a.txt:4 d", []string{file("a.txt", "a\n\nc\nd\n")}},
	} {
		table, err := rowio.Open(t.Context(), rowio.Config{Format: c.format, Paths: c.paths})
		if err != nil {
			t.Fatal(err)
		}
		all, err := table.Raw(t.Context(), table.Schema().Names(), []int64{3, 1})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range all {
			got = append(got, fmt.Sprintf("%d %s %s", r.Number, filepath.Base(r.Position), r.Text))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %s; want %s", c.format, strings.Join(got, "; "), c.want)
		}
	}
}

func TestWhatCannotBeReadAgainIsNotFound(t *testing.T) {
	table, err := rowio.Open(t.Context(), rowio.Config{Format: "json", Paths: []string{"-"}, Stdin: strings.NewReader("{\"x\": 1}\n")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Raw(t.Context(), []string{"x"}, []int64{0}); err == nil || !strings.Contains(err.Error(), "stdin: its records cannot be read again") {
		t.Errorf("it says %v", err)
	}
}
