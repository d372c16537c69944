package docs

import (
	"fmt"
	"go/format"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Program is a Go block made into a whole program.
type Program struct {
	Page   string
	Line   int
	Source string
	Prints Output
	// Files are the page's, by name.
	Files map[string]string
}

// Elsewhere are pages whose Go blocks another test compiles, and that test.
var Elsewhere = map[string]string{
	"connector/README.md":      "connector/readme_test.go",
	"strandlinetest/README.md": "strandlinetest/readme_test.go",
}

const (
	here   = "// here"
	module = "github.com/strandline-stream/strandline"
)

// packages are those that a piece may use without saying so: by name, the import path.
var packages = func() map[string]string {
	all := map[string]string{"strandline": module}
	for _, dir := range []string{
		"combine", "connector", "trigger", "watermark", "window", "strandlinetest", "combine/combinetest",
		"connector/datagen", "connector/jsonl", "connector/memory", "connector/stdio", "connector/timestamp",
	} {
		all[path.Base(dir)] = module + "/" + dir
	}
	for _, p := range []string{"cmp", "context", "errors", "fmt", "log", "math", "math/rand/v2", "os", "strings", "time"} {
		name := path.Base(strings.TrimSuffix(p, "/v2"))
		all[name] = p
	}
	return all
}()

var used = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)

// Programs makes a program of every Go block of the page.
func Programs(p Page) ([]Program, []Finding) {
	if Elsewhere[p.Name] != "" {
		return nil, nil
	}
	files := map[string]string{}
	for _, b := range p.Blocks {
		if b.File != "" && b.File != anyOrder {
			files[b.File] = b.Text
		}
	}
	var programs []Program
	var found []Finding
	around := ""
	for i, b := range p.Blocks {
		switch b.Lang {
		case "program":
			around = b.Text
		case "go":
			if tidy, err := format.Source([]byte(b.Text)); err == nil && string(tidy) != b.Text {
				found = append(found, Finding{p.Name, b.Line, "the Go is not formatted, which would be:\n" + string(tidy)})
			}
			at := fmt.Sprintf("//line %s:%d\n", p.Name, b.Line)
			source := at + b.Text
			if !strings.HasPrefix(b.Text, "package ") {
				before, after, ok := strings.Cut(around, here)
				if !ok {
					found = append(found, Finding{p.Name, b.Line, "a piece of Go without a comment <!-- program --> above it that says where it stands"})
					continue
				}
				source = imports(before+b.Text+after) + before + "\n" + at + b.Text + "//line around.go:1\n" + after
			}
			programs = append(programs, Program{Page: p.Name, Line: b.Line, Source: source, Prints: p.prints(i), Files: files})
		}
	}
	return programs, found
}

// imports is the head of a program: its package clause and the packages that body uses.
func imports(body string) string {
	var paths []string
	for _, m := range used.FindAllStringSubmatch(body, -1) {
		if p, ok := packages[m[1]]; ok && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, p := range paths {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	b.WriteString(")\n\n")
	return b.String()
}
