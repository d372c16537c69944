package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is one Go module of the repository.
type Module struct {
	// Dir is its directory relative to the root, with slashes; "." for the main module.
	Dir string
	// Path is its import path.
	Path string
	// HasCode tells whether it has a Go file: a module that only pins tools has none.
	HasCode bool
}

// Main tells whether it is the module at the root.
func (m Module) Main() bool { return m.Dir == "." }

// Name is what people call it: "main", or its directory.
func (m Module) Name() string {
	if m.Main() {
		return "main"
	}
	return m.Dir
}

// Root finds the directory of the main module: dir or the directory above it that has a
// go.mod and lies in no module itself.
func Root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	root := ""
	for at := dir; ; at = filepath.Dir(at) {
		here, err := modulePath(os.DirFS(at), "go.mod")
		switch {
		case err == nil && root != "":
			inner, err := modulePath(os.DirFS(root), "go.mod")
			if err != nil || !strings.HasPrefix(inner, here+"/") {
				return root, err
			}
			root = at
		case err == nil:
			root = at
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if root == "" {
		return "", fmt.Errorf("no go.mod in %s or above it", dir)
	}
	return root, nil
}

// Modules lists the modules below root, the main one first, then by directory.
func Modules(root fs.FS) ([]Module, error) {
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	var modules []Module
	for _, name := range files {
		if path.Base(name) != "go.mod" {
			continue
		}
		p, err := modulePath(root, name)
		if err != nil {
			return nil, err
		}
		modules = append(modules, Module{Dir: path.Dir(name), Path: p})
	}
	if len(modules) == 0 || !modules[0].Main() {
		// "go.mod" need not be the first in name order.
		for i, m := range modules {
			if m.Main() {
				copy(modules[1:i+1], modules[:i])
				modules[0] = m
			}
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".go") {
			modules[Owner(modules, name)].HasCode = true
		}
	}
	return modules, nil
}

// Owner is the index of the module that a file belongs to: the innermost around it.
func Owner(modules []Module, name string) int {
	best := 0
	for i, m := range modules {
		if strings.HasPrefix(name, m.Dir+"/") && (modules[best].Main() || len(m.Dir) > len(modules[best].Dir)) {
			best = i
		}
	}
	return best
}

// modulePath reads the import path that a go.mod declares.
func modulePath(root fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if word := strings.Fields(line); len(word) >= 2 && word[0] == "module" {
			return strings.Trim(word[1], `"`), nil
		}
	}
	return "", fmt.Errorf("%s: no module line", name)
}
