package layers

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// MaxLines is the length at which a Go file is no longer read but searched.
const MaxLines = 700

// machinePath is a path that exists on one machine only. It starts a word; a path below the
// directory of the repository, or of an address on the web, does not.
var machinePath = regexp.MustCompile("(?:^|[\\s\"'`(=:,])((?:file://)?/(?:work|root|home|Users)/[\\w.+-]*)")

// outside is a path that leaves the repository for its neighbour.
var outside = regexp.MustCompile(`(?:^|[^.\w/])((?:\.\./)+shared/)`)

// Files finds Go files that are too long and, in every file of text, paths that only one
// machine has.
func Files(root fs.FS) ([]Finding, error) {
	names, err := tree.Files(root)
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			continue // not text
		}
		if strings.HasSuffix(name, ".go") {
			found = append(found, long(name, text)...)
		}
		found = append(found, machinePaths(name, text)...)
	}
	return found, nil
}

// long finds a Go file of more than MaxLines.
func long(name string, text []byte) []Finding {
	lines := bytes.Count(text, []byte("\n"))
	if lines <= MaxLines {
		return nil
	}
	return []Finding{{
		Place: name, What: fmt.Sprintf("%d lines", lines), Rule: fmt.Sprintf("no Go file over %d lines", MaxLines),
		Do: "one concept a file, about 120 lines: move a concept to a file of its own name",
	}}
}

// machinePaths finds paths that mean something on one machine only.
func machinePaths(name string, text []byte) []Finding {
	var found []Finding
	n := 0
	for line := range bytes.Lines(text) {
		n++
		for _, pattern := range []*regexp.Regexp{machinePath, outside} {
			if hit := pattern.FindSubmatch(line); hit != nil {
				found = append(found, Finding{
					Place: fmt.Sprintf("%s:%d", name, n), What: fmt.Sprintf("names the path %s", hit[1]),
					Rule: "no path of one machine", Do: "use a path below the repository, t.TempDir or an example such as data/events.jsonl",
				})
			}
		}
	}
	return found
}
