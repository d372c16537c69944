package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// dir makes a directory with files of the names, and goes there.
func dir(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		put(t, name, []byte("text of "+name))
	}
}

func put(t *testing.T, name string, content []byte) {
	t.Helper()
	if d := filepath.Dir(name); d != "." {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestFindGivesFilesInNameOrder(t *testing.T) {
	dir(t, "b.jsonl", "a.jsonl", "10.jsonl", "9.jsonl", "c.txt", "sub/x.jsonl", "[odd].jsonl", "odd")
	for _, c := range []struct {
		path string
		want []string
	}{
		{"a.jsonl", []string{"a.jsonl"}},
		{"*.jsonl", []string{"10.jsonl", "9.jsonl", "[odd].jsonl", "a.jsonl", "b.jsonl"}},
		{"[ab].jsonl", []string{"a.jsonl", "b.jsonl"}},
		{"?.jsonl", []string{"9.jsonl", "a.jsonl", "b.jsonl"}},
		{"*/*.jsonl", []string{"sub/x.jsonl"}},
		{"[odd].jsonl", []string{"[odd].jsonl"}}, // by its own name
		{"*b*", []string{"b.jsonl"}},             // and not the directory sub
	} {
		if got, err := Find(c.path); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, %v; want %q", c.path, got, err, c.want)
		}
	}
}

func TestWhatCannotBeFoundIsExplained(t *testing.T) {
	dir(t, "sub/x.jsonl")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, want string
		is         error
	}{
		{"readings.jsonl", "readings.jsonl: no such file (relative paths start at " + here + ")", fs.ErrNotExist},
		{"nowhere/readings.jsonl", "nowhere/readings.jsonl: no such file (relative paths start at " + here + ")", fs.ErrNotExist},
		{"*.jsonl", "*.jsonl: no file matches (relative paths start at " + here + ")", fs.ErrNotExist},
		{"s*", "s*: no file matches (relative paths start at " + here + ")", fs.ErrNotExist},
		{"[ab.jsonl", `[ab.jsonl: malformed glob (a "[" needs its "]")`, filepath.ErrBadPattern},
		{"sub", `sub: is a directory (for the files in it, write "sub/*")`, nil},
		{"", `no path: name a file, or a glob such as "data/*.jsonl"`, nil},
	} {
		got, err := Find(c.path)
		if err == nil || err.Error() != c.want || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%q: got %q, %v\nwant %s", c.path, got, err, c.want)
		}
	}
	if _, err := Open("sub", Default); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("opening a directory: %v", err)
	}
	if _, err := Open("gone", Default); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("opening what has gone: %v", err)
	}
}
