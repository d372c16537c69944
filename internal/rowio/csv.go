package rowio

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/instant"
)

// ErrHeader stops a run: a header, or the declared columns, do not have what is asked for.
var ErrHeader = errors.New("columns are missing")

func (c *Config) dialect() delimited.Dialect {
	narrow := func(r rune) byte {
		if r < 0 || r >= 0x80 {
			return 0x80 // which the check refuses
		}
		return byte(r)
	}
	return delimited.Dialect{Delimiter: narrow(cmp.Or(c.Delimiter, ',')), Comment: narrow(c.Comment)}
}

// hasHeader says whether files begin with a header.
func (c *Config) hasHeader() bool {
	if c.Header == nil {
		return c.Columns == nil
	}
	return *c.Header
}

func checkCSV(c *Config) error {
	problems := []error{c.dialect().Check()}
	if !c.hasHeader() && c.Columns == nil {
		if c.Schema == nil {
			problems = append(problems, errors.New("files without a header need the names of their columns"))
		}
		c.Columns = c.Schema.Names()
	}
	for i, name := range c.Columns {
		if slices.Index(c.Columns, name) < i {
			problems = append(problems, fmt.Errorf("there are two columns %q", name))
		}
	}
	for _, f := range c.Schema {
		if k := f.Type.Kind; k == record.List || k == record.Struct {
			problems = append(problems, fmt.Errorf("column %q cannot be %v", f.Name, f.Type))
		}
	}
	return errors.Join(problems...)
}

// columns are those of one file. It is not changed once it is made.
type columns struct {
	names []string
	from  string   // who names them
	uses  []column // of the first columns, as many as are of use
}

// column is what one column is used for.
type column struct {
	name string
	typ  record.Type
	slot int  // where its value goes; -1: nowhere
	time bool // it is the event time
	null bool // it may be null
}

func (c *columns) Fields() int { return len(c.names) }

// WrongCount is why a record of n fields is malformed.
func (c *columns) WrongCount(n int) error {
	return reason{delimited.ErrFields, fmt.Sprintf("%v: %d, and %s %d", delimited.ErrFields, n, c.from, len(c.names))}
}

// csvPlan makes the columns of files.
type csvPlan struct {
	config *Config
	wanted []column
}

// planCSV compiles the reading of CSV records.
func planCSV(t *Table, fields []string) (plan, error) {
	p := &csvPlan{config: &t.config}
	for slot, name := range fields {
		i := t.schema.Index(name)
		switch {
		case i < 0:
			return plan{}, fmt.Errorf("there is no field %q, but %s", name, strings.Join(t.schema.Names(), ", "))
		case slices.Index(fields, name) < slot:
			return plan{}, fmt.Errorf("field %q is asked for twice", name)
		}
		typ := t.schema[i].Type
		p.wanted = append(p.wanted, column{name: name, typ: typ, slot: slot, null: t.inferred > 0 || typ.Nullable || typ.Kind == record.Any || typ.Kind == record.Null})
	}
	if at := t.config.Time; at != nil {
		i := slices.IndexFunc(p.wanted, func(c column) bool { return c.name == at.Field })
		if i < 0 {
			i = len(p.wanted)
			p.wanted = append(p.wanted, column{name: at.Field, slot: -1, typ: record.Type{Kind: record.Time}})
		}
		p.wanted[i].time, p.wanted[i].null = true, false
	}
	shape, err := p.shape()
	if err != nil {
		return plan{}, err
	}
	return plan{
		decoder: func() lines.Decoder[record.Row] {
			d := &csvDecoder{probe: newProbe(t.config.Time), dialect: t.config.dialect(), hint: t.hint(), others: instant.New(timestamp.RFC3339)}
			d.rows.Width = len(fields)
			if t.config.Time != nil {
				d.times = instant.New(t.config.Time.Layout)
			}
			return d
		},
		shape: shape,
	}, nil
}

// shape gives what finds the records of a file.
func (p *csvPlan) shape() (func() lines.Shape, error) {
	c := p.config
	var declared *columns
	if c.Columns != nil {
		var err error
		if declared, err = p.columns(c.Columns, "there are declared"); err != nil {
			return nil, err
		}
	}
	return func() lines.Shape {
		s := &delimited.Shape{Dialect: c.dialect(), Most: c.MaxLine}
		switch {
		case !c.hasHeader():
			s.Columns = declared
		default:
			s.Header = func(record []byte) (delimited.Columns, error) {
				names, err := p.header(record)
				if err != nil {
					return nil, err
				}
				if declared != nil {
					if len(names) != len(declared.names) {
						return nil, reason{ErrHeader, fmt.Sprintf("the header names %d columns, and there are declared %d", len(names), len(declared.names))}
					}
					return declared, nil
				}
				made, err := p.columns(names, "the header names")
				if err != nil {
					return nil, err
				}
				return made, nil
			}
		}
		return s
	}, nil
}

// header reads the names of the columns.
func (p *csvPlan) header(record []byte) (names []string, err error) {
	d := p.config.dialect()
	for more := true; more && err == nil; {
		var name, buf []byte
		name, _, record, more, err = d.Cut(record, &buf)
		names = append(names, string(name))
	}
	if err != nil {
		return nil, fmt.Errorf("the header cannot be read: %w", delimited.Misquoted(len(names), err))
	}
	return names, nil
}

// columns says what the columns of a file are used for, and all that is wrong with them.
func (p *csvPlan) columns(names []string, from string) (*columns, error) {
	made := &columns{names: names, from: from, uses: make([]column, len(names))}
	for i := range made.uses {
		made.uses[i].slot = -1
	}
	used := 0
	var missing, twice []string
	for _, w := range p.wanted {
		switch i := slices.Index(names, w.name); {
		case i < 0:
			missing = append(missing, w.name)
		case slices.Contains(names[i+1:], w.name):
			twice = append(twice, w.name)
		default:
			made.uses[i] = w
			used = max(used, i+1)
		}
	}
	var problems []string
	if len(missing) > 0 {
		problems = append(problems, fmt.Sprintf("%s no column %s, but %s", from, quoted(missing), quoted(names)))
		if len(names) == 1 && len(p.wanted) > 1 {
			problems = append(problems, fmt.Sprintf("is %q the right delimiter?", p.config.dialect().Delimiter))
		}
	}
	if len(twice) > 0 {
		problems = append(problems, fmt.Sprintf("%s twice: %s", from, quoted(twice)))
	}
	if len(problems) > 0 {
		return nil, reason{ErrHeader, strings.Join(problems, "; ")}
	}
	made.uses = made.uses[:used]
	return made, nil
}

// quoted lists names for a message: a few of them.
func quoted(names []string) string {
	var text strings.Builder
	for i, name := range names {
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

// reason says why a record is malformed. It holds on to nothing of the record.
type reason struct {
	kind error
	text string
}

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.kind }

// shorten cuts text from a record down to what a message can bear.
func shorten(text []byte) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "..."
	}
	return string(text)
}
