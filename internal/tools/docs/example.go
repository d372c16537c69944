package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// Symbol is something that a package exports: a function, a type, a constant, a variable, or a
// method of a type ("Type.Method").
type Symbol struct {
	Package string // its directory, "." for the root
	Name    string
	File    string
	Line    int
	results []string // of a function or method: the types of the package that it gives
}

// contract are methods that a value has for the library and not for the user of the value: those
// of interfaces in these packages, of the standard library's, and a few that go with them.
var contract = []string{"String", "Error", "Unwrap", "Validate", "Name", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary"}

// Exported lists what a package exports, in the order of its files. Methods that an exported
// interface of any of the packages asks for are not listed for the types that have them: the
// interface has them.
func Exported(root fs.FS, dirs []string) ([]Symbol, error) {
	asked := map[string]bool{}
	for _, m := range contract {
		asked[m] = true
	}
	var all []Symbol
	for _, dir := range dirs {
		files, err := sources(root, dir, false)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			all = append(all, f.exported(dir, asked)...)
		}
	}
	return slices.DeleteFunc(all, func(s Symbol) bool {
		_, method, is := strings.Cut(s.Name, ".")
		return is && asked[method]
	}), nil
}

// source is a parsed file.
type source struct {
	name string
	set  *token.FileSet
	*ast.File
}

// sources parses the Go files of a directory: those of tests, or the others.
func sources(root fs.FS, dir string, tests bool) (files []source, err error) {
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") != tests {
			continue
		}
		name := path.Join(dir, e.Name())
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, source{name, set, f})
	}
	return files, nil
}

// exported lists what a file exports, and adds the methods of its interfaces to asked.
func (f source) exported(dir string, asked map[string]bool) (all []Symbol) {
	add := func(at ast.Node, name string, results []string) {
		all = append(all, Symbol{dir, name, f.name, f.set.Position(at.Pos()).Line, results})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := base(d.Recv.List[0].Type)
				if !ast.IsExported(of) {
					continue
				}
				name = of + "." + name
			}
			if d.Name.IsExported() {
				add(d, name, results(d.Type))
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					add(s, s.Name.Name, nil)
					if i, ok := s.Type.(*ast.InterfaceType); ok {
						for _, m := range i.Methods.List {
							for _, n := range m.Names {
								asked[n.Name] = true
							}
						}
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.IsExported() {
							add(n, n.Name, nil)
						}
					}
				}
			}
		}
	}
	return all
}

// base is the name of a type without its address, parameters and package.
func base(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return base(t.X)
	case *ast.IndexExpr:
		return base(t.X)
	case *ast.IndexListExpr:
		return base(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// results are the types of its own package that a function gives or takes: whoever uses the
// function uses them.
func results(t *ast.FuncType) (names []string) {
	ast.Inspect(t, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.IsExported() {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// Unshown lists the symbols that no example uses. A function, type, constant or variable is used
// where a test file that has examples names it, with or without its package; a method where one
// calls a method of that name; and a type also where a function is used that gives or takes it.
func Unshown(root fs.FS, symbols []Symbol) ([]Finding, error) {
	names, err := tree.Files(root)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	dirs := map[string]bool{}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") && !dirs[path.Dir(n)] {
			dirs[path.Dir(n)] = true
			if err := uses(root, path.Dir(n), used); err != nil {
				return nil, err
			}
		}
	}
	is := func(s *Symbol) bool {
		if _, method, ok := strings.Cut(s.Name, "."); ok {
			return used["."+method]
		}
		return used[s.Package+"."+s.Name]
	}
	given := map[string]bool{}
	for i := range symbols {
		if s := &symbols[i]; is(s) {
			for _, r := range s.results {
				given[s.Package+"."+r] = true
			}
		}
	}
	var found []Finding
	for i := range symbols {
		if s := &symbols[i]; !is(s) && !given[s.Package+"."+s.Name] {
			found = append(found, Finding{s.File, s.Line, s.Package + ": no example uses " + s.Name})
		}
	}
	return found, nil
}

// uses notes what the examples of a directory use: "combine.Sum", and ".OnLate" for methods.
func uses(root fs.FS, dir string, used map[string]bool) error {
	files, err := sources(root, dir, true)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !examples(f.File) {
			continue
		}
		of := map[string]string{} // the directory of a package, by its name here
		for _, im := range f.Imports {
			p := strings.Trim(im.Path.Value, `"`)
			local, ok := strings.CutPrefix(p+"/", module+"/")
			if !ok {
				continue
			}
			local = path.Clean(strings.TrimSuffix("./"+local, "/"))
			name := path.Base(p)
			if im.Name != nil {
				name = im.Name.Name
			}
			of[name] = local
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if id, ok := s.X.(*ast.Ident); ok && of[id.Name] != "" {
				used[of[id.Name]+"."+s.Sel.Name] = true
				return true
			}
			used["."+s.Sel.Name] = true
			return true
		})
	}
	return nil
}

// examples says whether a file has an example.
func examples(f *ast.File) bool {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Example") {
			return true
		}
	}
	return false
}
