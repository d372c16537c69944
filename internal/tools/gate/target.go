package main

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// target is one test function to be run alone.
type target struct {
	module    tree.Module
	pkg, name string
}

// targets lists the test functions whose names begin with one of the alternatives, such as
// "Fuzz|TestRelation", in the order of their files. It reads the files: to ask the go command is to
// have it build all tests first, for minutes.
func targets(root fs.FS, modules []tree.Module, names string) ([]target, error) {
	files, err := tree.Files(root)
	if err != nil {
		return nil, err
	}
	declared := regexp.MustCompile(`(?m)^func ((?:` + names + `)\w*)\(\w+ \*testing\.[FT]\)`)
	var all []target
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		m := moduleOf(modules, name)
		pkg := path.Join(m.Path, strings.TrimPrefix(path.Dir(name), m.Dir))
		for _, found := range declared.FindAllSubmatch(text, -1) {
			all = append(all, target{m, pkg, string(found[1])})
		}
	}
	return all, nil
}

// moduleOf is the innermost module that a file is in; the main one is the first.
func moduleOf(modules []tree.Module, name string) tree.Module {
	in := modules[0]
	for _, m := range modules[1:] {
		if strings.HasPrefix(name, m.Dir+"/") && (in.Main() || len(m.Dir) > len(in.Dir)) {
			in = m
		}
	}
	return in
}

// where is the package's directory, for people: without the path of the main module.
func (g *gate) where(pkg string) string {
	if dir, ok := strings.CutPrefix(pkg, g.modules[0].Path+"/"); ok {
		return dir
	}
	if pkg == g.modules[0].Path {
		return "."
	}
	return pkg
}
