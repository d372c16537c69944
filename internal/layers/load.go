package layers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// Package is one package as the rules see it.
type Package struct {
	// Dir is its directory relative to the root of the repository: "." for the root package.
	Dir string
	// Nested tells whether it belongs to a nested module.
	Nested bool
	// Files are all its Go files, those that a build constraint leaves out included.
	Files []File
}

// File is one Go file.
type File struct {
	// Name is its path relative to the root of the repository.
	Name string
	Text []byte
	AST  *ast.File
}

// Test tells whether only tests see it.
func (f File) Test() bool { return strings.HasSuffix(f.Name, "_test.go") }

// at is the place of a node, for people.
func (f File) at(fset *token.FileSet, node ast.Node) string {
	return fmt.Sprintf("%s:%d", f.Name, fset.Position(node.Pos()).Line)
}

// Source is what the rules are applied to.
type Source struct {
	// Module is the import path of the main module; those of nested modules start with it.
	Module   string
	Packages []Package
	Fset     *token.FileSet
}

// Add parses a file into the package of its directory.
func (s *Source) Add(name string, nested bool, text []byte) error {
	if s.Fset == nil {
		s.Fset = token.NewFileSet()
	}
	syntax, err := parser.ParseFile(s.Fset, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	file := File{Name: name, Text: text, AST: syntax}
	for i := range s.Packages {
		if p := &s.Packages[i]; p.Dir == path.Dir(name) {
			p.Files = append(p.Files, file)
			return nil
		}
	}
	s.Packages = append(s.Packages, Package{Dir: path.Dir(name), Nested: nested, Files: []File{file}})
	return nil
}

// Load reads the packages of all modules below root, as "go list" names them.
func Load(root string) (*Source, error) {
	modules, err := tree.Modules(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	s := &Source{Module: modules[0].Path}
	for _, module := range modules {
		if !module.HasCode {
			continue
		}
		dirs, err := list(filepath.Join(root, module.Dir))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if err := s.addDir(root, dir, !module.Main()); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// addDir adds the Go files of one package directory.
func (s *Source) addDir(root, dir string, nested bool) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if err := s.Add(filepath.ToSlash(relative), nested, text); err != nil {
			return err
		}
	}
	return nil
}

// list asks the go command for the package directories of the module in dir. A package that
// does not compile is listed as well.
func list(dir string) ([]string, error) {
	cmd := exec.Command("go", "list", "-e", "-json=Dir", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("go list in %s: %w", dir, err)
	}
	var dirs []string
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ Dir string }
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return dirs, nil
		case err != nil:
			return nil, fmt.Errorf("go list in %s: %w", dir, err)
		}
		dirs = append(dirs, p.Dir)
	}
}
