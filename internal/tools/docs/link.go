package docs

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

var (
	link = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	// named is a code span that can only be a file or directory of the repository.
	named = regexp.MustCompile("`((?:[\\w.-]+/)*[\\w.-]+\\.(?:go|md|jsonl|yaml)|(?:[\\w.-]+/)+)`")
)

// Links finds links to pages, headings and files that are not there, and code spans that name a
// file or directory of this repository that is not there. Addresses on the web are not asked.
func Links(root fs.FS, pages []Page) []Finding {
	byName := map[string]*Page{}
	for i := range pages {
		byName[pages[i].Name] = &pages[i]
	}
	var found []Finding
	for i := range pages {
		p := &pages[i]
		for _, l := range p.Prose {
			for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(l.Text, ""), -1) {
				if why := broken(root, byName, p, m[1]); why != "" {
					found = append(found, Finding{p.Name, l.N, why})
				}
			}
			for _, m := range named.FindAllStringSubmatch(l.Text, -1) {
				if !exists(root, m[1], path.Dir(p.Name)) && !p.has(m[1]) {
					found = append(found, Finding{p.Name, l.N, fmt.Sprintf("there is no file or directory %s", m[1])})
				}
			}
		}
	}
	return found
}

// exists tells whether a name is a file or directory, from the root or from a page's directory.
func exists(root fs.FS, name, from string) bool {
	for _, at := range []string{path.Clean(name), path.Join(from, name)} {
		if fs.ValidPath(at) {
			if _, err := fs.Stat(root, at); err == nil {
				return true
			}
		}
	}
	return false
}

// has tells whether the page has a file of that name in a block, or writes one.
func (p *Page) has(name string) bool {
	for _, b := range p.Blocks {
		if b.File == name || strings.Contains(b.Text, `"`+name+`"`) {
			return true
		}
	}
	return false
}

// broken says why a link leads nowhere, "" if it leads somewhere.
func broken(root fs.FS, pages map[string]*Page, p *Page, to string) string {
	if strings.HasPrefix(to, "http://") || strings.HasPrefix(to, "https://") {
		return ""
	}
	file, anchor, _ := strings.Cut(to, "#")
	at := p.Name
	if file != "" {
		at = path.Join(path.Dir(p.Name), file)
		if !fs.ValidPath(at) {
			return fmt.Sprintf("the link %s leaves the repository", to)
		}
		if _, err := fs.Stat(root, at); err != nil {
			return fmt.Sprintf("the link %s leads to no file", to)
		}
	}
	if anchor != "" && (pages[at] == nil || !pages[at].anchors()[anchor]) {
		return fmt.Sprintf("the link %s leads to no heading", to)
	}
	return ""
}
