package files

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
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
	if _, err := Open("sub"); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("opening a directory: %v", err)
	}
	if _, err := Open("gone"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("opening what has gone: %v", err)
	}
}

func zipped(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range members {
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestGzipIsDecompressedByContentAndByName(t *testing.T) {
	dir(t)
	whole := zipped(t, "one\n", "two\n")
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-6] ^= 1 // in the last member's checksum
	for _, c := range []struct {
		name    string
		content []byte
		want    string
		err     string
	}{
		{"a.jsonl.gz", whole, "one\ntwo\n", ""},
		{"a.jsonl", whole, "one\ntwo\n", ""},
		{"A.GZ", whole, "one\ntwo\n", ""},
		{"plain", []byte("plain"), "plain", ""},
		{"short", []byte("\x1f"), "\x1f", ""},
		{"empty", nil, "", ""},
		{"empty.gz", nil, "", ""},
		{"plain.gz", []byte("plain"), "", "named .gz, but the content is not gzip: rename it if it is plain text"},
		{"cut.gz", whole[:len(whole)-10], "one\n", "the gzip data is cut off: unexpected EOF"},
		{"head.gz", whole[:5], "", "the gzip data is cut off: unexpected EOF"},
		{"damaged.gz", damaged, "one\ntwo\n", "the gzip data is damaged: gzip: invalid checksum"},
	} {
		put(t, c.name, c.content)
		f, err := Open(c.name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if !strings.HasPrefix(string(got), c.want) || c.err == "" && (err != nil || string(got) != c.want) || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%s: got %q, %v; want %q, %s", c.name, got, err, c.want, c.err)
		}
		if f.Live {
			t.Errorf("%s counts as live", c.name)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDecompressPassesErrorsOn(t *testing.T) {
	broken := errors.New("disk on fire")
	if _, err := io.ReadAll(Decompress(iotest.ErrReader(broken), false)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
