package docs_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

var (
	shownBy  = regexp.MustCompile("`((?:Test|Example)\\w+)`")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Example)\w*)\(`)
)

// Each row of the table of features names a test that there is, or says that there is none yet.
func TestEveryFeatureNamesATestThatExists(t *testing.T) {
	dir, _ := load(t)
	root := os.DirFS(dir)
	files, err := tree.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, name := range files {
		if !strings.HasSuffix(path.Base(name), "_test.go") {
			continue
		}
		code, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range testFunc.FindAllSubmatch(code, -1) {
			there[string(f[1])] = true
		}
	}
	page, err := fs.ReadFile(root, "docs/features.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| feature |") {
			continue
		}
		rows++
		named := shownBy.FindAllStringSubmatch(line, -1)
		if (len(named) == 0) != strings.Contains(line, "| not there yet |") {
			t.Errorf("this row neither names a test nor says that there is none, or does both: %s", line)
		}
		for _, n := range named {
			if !there[n[1]] {
				t.Errorf("there is no %s: %s", n[1], line)
			}
		}
	}
	if rows < 40 {
		t.Errorf("the page has %d rows", rows)
	}
}
