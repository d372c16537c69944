package output

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// names lists a directory.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWhatIsReplacedStaysUntilTheEnd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		end  func(*Output) error
		want string
	}{{(*Output).Close, "old"}, {(*Output).Finish, "new"}} {
		o, err := Replace(path)()
		if err != nil {
			t.Fatal(err)
		}
		o.Buffer.WriteString("new")
		if err := o.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != "old" {
			t.Errorf("while it is written there is %q", got)
		}
		if all := names(t, dir); len(all) != 2 || all[0][0] != '.' {
			t.Errorf("while it is written there are %q: want one hidden file", all)
		}
		if err := errors.Join(c.end(o), o.Close()); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if all := names(t, dir); len(all) != 1 {
			t.Errorf("there are %q", all)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the new file has mode %v, %v: want that of the old one", info.Mode(), err)
	}
}

func TestALinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(target, nil, 0o666), os.Symlink("target", link)); err != nil {
		t.Fatal(err)
	}
	o, err := Replace(link)()
	if err != nil {
		t.Fatal(err)
	}
	o.Buffer.WriteString("new")
	if err := o.Finish(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || content(t, target) != "new" {
		t.Errorf("the link is %v, %v; its target has %q", info.Mode(), err, content(t, target))
	}
}

func TestADeviceIsWrittenAsItIs(t *testing.T) {
	o, err := Replace(os.DevNull)()
	if err != nil {
		t.Fatal(err)
	}
	o.Buffer.WriteString("x")
	if err := o.Finish(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is %v now, %v", os.DevNull, info.Mode(), err)
	}
}

func TestWhatIsReplacedIsCompressedByItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.gz")
	o, err := Replace(path)()
	if err != nil {
		t.Fatal(err)
	}
	o.Buffer.WriteString("text")
	if err := o.Finish(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(z); string(got) != "text" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAFileThatCannotBeReplacedIsAnErrorAtOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "gone", "out")
	want := "cannot create " + path + ": there is no directory " + filepath.Dir(path)
	if _, err := Replace(path)(); err == nil || !errors.Is(err, os.ErrNotExist) || err.Error()[:len(want)] != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Replace(dir)(); err == nil {
		t.Error("a directory was replaced")
	}
}
