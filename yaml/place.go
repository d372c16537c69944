package yaml

import (
	"os"
	"path/filepath"
	"slices"
)

// alone says whether nothing else of the pipeline reads or writes the file that a sink writes,
// by whatever name: one of them would destroy what is the other's.
func (c *checker) alone(s *step, path string) bool {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return true // a pipe or a device
	}
	mine := realPath(path)
	at := s.settings.at("path")
	for _, other := range c.inOrder {
		if other == s || !other.def.sink && !other.def.reads || other.def.sink && slices.Index(c.inOrder, other) > slices.Index(c.inOrder, s) {
			continue
		}
		for _, n := range scalars(other.settings.at("path")) {
			name := other.text.secret(n, c.options.Getenv)
			switch {
			case name == "" || name == "-":
			case other.def.sink && sameFile(mine, name):
				c.failf(s, at, "give each a file of its own; Flatten brings rows together", "%s is written by two steps: %s in line %d writes it, too", s.settings.text("path"), other.name, n.Line)
				return false
			case other.def.reads && reads(name, mine):
				c.failf(s, at, "write to another file", "%s is read by the pipeline itself: by %s in line %d", s.settings.text("path"), other.name, n.Line)
				return false
			}
		}
	}
	return true
}

// realPath is the one name of a file that has many, which need not be there yet.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// sameFile says whether another name is that of a file, whose real path is given.
func sameFile(file, other string) bool {
	if realPath(other) == file {
		return true
	}
	a, err := os.Stat(file)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// reads says whether a path or pattern of a source is, or has in it, a file.
func reads(pattern, file string) bool {
	if sameFile(file, pattern) {
		return true
	}
	pattern = filepath.Join(realPath(filepath.Dir(pattern)), filepath.Base(pattern))
	if ok, err := filepath.Match(pattern, file); err == nil && ok {
		return true
	}
	there, _ := filepath.Glob(pattern)
	return slices.ContainsFunc(there, func(f string) bool { return sameFile(file, f) })
}
