package csv

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/delimited"
)

// plan says what each column of a file is for. It is not changed once it is made, and shared
// by all that decode.
type plan struct {
	columns []column
	used    int // that many columns at the start have all that is of use
	from    string
}

// column is one column of a file.
type column struct {
	name string
	field
	required bool
	time     bool // it has the event time
}

// Fields is how many columns there are.
func (p *plan) Fields() int { return len(p.columns) }

// planner makes plans for a type and options.
type planner struct {
	config
	fields []field
}

// header makes the plan for a file from its header.
func (p *planner) header(record []byte) (delimited.Columns, error) {
	var names []string
	var err error
	for more := true; more && err == nil; {
		var name, buf []byte
		name, _, record, more, err = p.Cut(record, &buf)
		names = append(names, string(name))
	}
	if err != nil {
		return nil, fmt.Errorf("the header cannot be read: %w", delimited.Misquoted(len(names), err))
	}
	made, err := p.plan(names, "the header names")
	if err != nil {
		return nil, err
	}
	return made, nil
}

// plan makes the plan for columns, and says all that is wrong with them.
func (p *planner) plan(names []string, from string) (*plan, error) {
	made := &plan{columns: make([]column, len(names)), from: from}
	for i, name := range names {
		made.columns[i].name = name
	}
	var missing, twice []string
	want := func(name string, optional bool, use func(*column)) {
		i := slices.Index(names, name)
		switch {
		case i >= 0 && slices.Contains(names[i+1:], name):
			twice = append(twice, name)
		case i >= 0:
			use(&made.columns[i])
			made.used = max(made.used, i+1)
		case !optional:
			missing = append(missing, name)
		}
	}
	for _, f := range p.fields {
		want(f.name, f.optional, func(c *column) { c.field = f })
	}
	for _, name := range p.require {
		want(name, false, func(c *column) { c.required = true })
	}
	if p.timed {
		want(p.field, false, func(c *column) { c.time = true })
	}
	var problems []string
	if len(missing) > 0 {
		problems = append(problems, fmt.Sprintf("%s no column %s, but %s", from, quoted(missing), quoted(names)))
		if len(names) == 1 && len(p.fields) > 1 {
			problems = append(problems, fmt.Sprintf("is %q the right delimiter?", p.Delimiter))
		}
	}
	if len(twice) > 0 {
		problems = append(problems, fmt.Sprintf("%s twice: %s", from, quoted(twice)))
	}
	if len(problems) > 0 {
		return nil, reason{ErrHeader, strings.Join(problems, "; ")}
	}
	return made, nil
}

// quoted lists names for a message: a few of them, each once.
func quoted(names []string) string {
	var text strings.Builder
	for i, name := range slices.Compact(slices.Clone(names)) {
		if i > 0 {
			text.WriteString(", ")
		}
		if i == 20 {
			text.WriteString("...")
			break
		}
		fmt.Fprintf(&text, "%q", shorten([]byte(name)))
	}
	return text.String()
}

// WrongCount is why a record of n fields is malformed.
func (p *plan) WrongCount(n int) error {
	return reason{ErrFields, fmt.Sprintf("%v: %d, and %s %d", ErrFields, n, p.from, len(p.columns))}
}
