package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Find gives the files that a path or a glob names (see [filepath.Match]), in the order of
// their names as bytes, so that 10.jsonl comes before 9.jsonl. A file whose own name has the
// characters of a glob is found by that name. Each file was opened once: what cannot be
// read is an error here and not in the middle of a run. A directory is an error; those that
// a glob's stars match along with files are passed over, as they hold no records.
func Find(path string) ([]string, error) {
	if path == "" {
		return nil, errors.New(`no path: name a file, or a glob such as "data/*.jsonl"`)
	}
	paths := []string{path}
	if _, err := os.Lstat(path); err != nil && strings.ContainsAny(path, `*?[`) {
		paths, err = filepath.Glob(path)
		if err != nil {
			return nil, problem{path, "malformed glob", `a "[" needs its "]"`, err}
		}
		paths = slices.DeleteFunc(paths, isDir)
		if len(paths) == 0 {
			return nil, problem{path, "no file matches", "relative paths start at " + here(), fs.ErrNotExist}
		}
		slices.Sort(paths)
	}
	for _, p := range paths {
		if err := check(p); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// check opens a file and closes it again. A named pipe is left alone: opening it would
// wait for its writer, and closing it would send that away.
func check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return explain(path, err)
	}
	if info.IsDir() {
		return explain(path, syscall.EISDIR)
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return explain(path, err)
	}
	return f.Close()
}

// problem is an error with a hint.
type problem struct {
	path, what, hint string
	err              error
}

func (p problem) Error() string { return fmt.Sprintf("%s: %s (%s)", p.path, p.what, p.hint) }
func (p problem) Unwrap() error { return p.err }

// explain says what is wrong with a path, and what to do.
func explain(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem{path, "no such file", "relative paths start at " + here(), err}
	case errors.Is(err, fs.ErrPermission):
		return problem{path, "permission denied", "the user that runs this may not read it", err}
	case errors.Is(err, syscall.EISDIR):
		return problem{path, "is a directory", fmt.Sprintf("for the files in it, write %q", filepath.Join(path, "*")), err}
	}
	return err // an *fs.PathError names the path itself
}

func here() string {
	wd, err := os.Getwd()
	if err != nil {
		return "the working directory, which is gone"
	}
	return wd
}
