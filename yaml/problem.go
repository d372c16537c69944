package yaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/near"
)

// Problem is one mistake in a pipeline's text.
type Problem struct {
	File         string
	Line, Column int    // from 1 on, in bytes; 0 if the problem is with the file as a whole
	Length       int    // of what is wrong, in bytes; at least 1
	Text         string // the line
	Message      string
	Hint         string // what to do about it, if that is known
}

// Error is the problem on one line: file:line:column: message (hint).
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": " + p.Message)
	if p.Hint != "" {
		b.WriteString(" (" + p.Hint + ")")
	}
	return b.String()
}

// Frame is the problem as it is shown to its author: message, the line with a caret under what
// is wrong, and the hint.
func (p *Problem) Frame() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line == 0 {
		b.WriteString(": " + p.Message + "\n")
	} else {
		fmt.Fprintf(&b, ":%d:%d: %s\n", p.Line, p.Column, p.Message)
		number := fmt.Sprint(p.Line)
		text := strings.ReplaceAll(p.Text, "\t", " ")
		at := min(max(p.Column-1, 0), len(text))
		length := utf8.RuneCountInString(text[at:min(at+max(p.Length, 1), len(text))])
		fmt.Fprintf(&b, "  %s | %s\n", number, text)
		fmt.Fprintf(&b, "  %*s | %*s%s\n", len(number), "", utf8.RuneCountInString(text[:at]), "", strings.Repeat("^", max(length, 1)))
	}
	if p.Hint != "" {
		b.WriteString("  " + p.Hint + "\n")
	}
	return b.String()
}

// Problems are all the mistakes that were found, in the order of the text.
type Problems []*Problem

// Error lists the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Frames shows all problems with their lines, and how many there are.
func (ps Problems) Frames() string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Frame())
	}
	if len(ps) > 1 {
		fmt.Fprintf(&b, "%d problems\n", len(ps))
	}
	return b.String()
}

// sorted gives the problems in the order of the text, each once.
func (ps Problems) sorted() Problems {
	slices.SortStableFunc(ps, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(ps, func(a, b *Problem) bool { return *a == *b })
}

// meant is the hint for a misspelt word.
func meant(word string, candidates []string) string {
	if c := near.Of(word, candidates); c != "" {
		return fmt.Sprintf("did you mean %s?", c)
	}
	if len(candidates) > 0 && len(candidates) <= 12 {
		return "one of: " + strings.Join(candidates, ", ")
	}
	return ""
}
