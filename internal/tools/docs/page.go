package docs

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// Page is one Markdown file.
type Page struct {
	Name   string // slash-separated, relative to the root
	Blocks []Block
	Prose  []Line // what is neither in a block nor in a comment
}

// Block is a fenced block, or a comment of the form <!-- program ... -->.
type Block struct {
	Lang string // the fence's first word; "program" for the comment
	File string // the fence's second word
	Line int    // of the first line of Text
	Text string
	Next int // the index of the block that follows with only blank lines between; -1: none does
}

// Line is a line of prose.
type Line struct {
	N    int
	Text string
}

// Finding is one fault.
type Finding struct {
	Page string
	Line int
	What string
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.Page, f.Line, f.What) }

// Pages reads every Markdown file below root.
func Pages(root fs.FS) ([]Page, error) {
	names, err := tree.Files(root)
	if err != nil {
		return nil, err
	}
	var pages []Page
	for _, name := range names {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, Parse(name, string(text)))
	}
	return pages, nil
}

// Parse takes a page apart.
func Parse(name, text string) Page {
	p := Page{Name: name}
	const none = -1
	lines := strings.Split(text, "\n")
	previous := none // the block that ended just above
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		end := ""
		b := Block{Line: i + 2, Next: none}
		switch {
		case strings.HasPrefix(line, "```"):
			end = "```"
			words := strings.Fields(strings.TrimPrefix(line, "```"))
			if len(words) > 0 {
				b.Lang = words[0]
			}
			if len(words) > 1 {
				b.File = words[1]
			}
		case strings.HasPrefix(line, "<!--"):
			end = "-->"
			b.Lang = strings.TrimSpace(strings.TrimPrefix(line, "<!--"))
		}
		if end == "" {
			if strings.TrimSpace(line) != "" {
				p.Prose = append(p.Prose, Line{i + 1, line})
				previous = none
			}
			continue
		}
		if strings.HasSuffix(line, end) && end == "-->" {
			continue // a comment of one line
		}
		for i++; i < len(lines) && lines[i] != end; i++ {
			b.Text += lines[i] + "\n"
		}
		if previous != none {
			p.Blocks[previous].Next = len(p.Blocks)
		}
		previous = len(p.Blocks)
		p.Blocks = append(p.Blocks, b)
	}
	return p
}

// Output is what a page says that something prints.
type Output struct {
	Text     string
	AnyOrder bool // of the lines
}

const anyOrder = "in-any-order"

// prints is what the page says that block i prints, nothing if it does not say.
func (p *Page) prints(i int) Output {
	n := p.Blocks[i].Next
	if n < 0 || p.Blocks[n].Lang != "text" || p.Blocks[n].File != "" && p.Blocks[n].File != anyOrder {
		return Output{}
	}
	return Output{p.Blocks[n].Text, p.Blocks[n].File == anyOrder}
}

// Is tells whether got is this output, but for blank lines at the end.
func (o Output) Is(got string) bool {
	a, b := strings.Split(strings.TrimRight(o.Text, "\n"), "\n"), strings.Split(strings.TrimRight(got, "\n"), "\n")
	if o.AnyOrder {
		slices.Sort(a)
		slices.Sort(b)
	}
	return slices.Equal(a, b)
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	heading  = regexp.MustCompile(`^#+ +(.*)$`)
	unsaid   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names by which headings of the page can be linked to.
func (p *Page) anchors() map[string]bool {
	found := map[string]bool{}
	for _, l := range p.Prose {
		if h := heading.FindStringSubmatch(l.Text); h != nil {
			found[strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")] = true
		}
	}
	return found
}
