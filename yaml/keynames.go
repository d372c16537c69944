package yaml

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
)

// keyNames are the keys of the steps that group, so that questions can name them.
type keyNames map[string]groupKeys

// groupKeys are the keys of one step: how they are made of fields of a schema.
type groupKeys struct {
	keying
	schema record.Schema
	joins  bool // they are those of a join
}

// names says how keys are written: in a part for each field of group_by.
func (n keyNames) names() strandline.KeyNames {
	return strandline.KeyNames{
		Parse: func(step string, text []string) (any, error) {
			g, there := n[step]
			if !there {
				return nil, fmt.Errorf("the keys of %q are no fields that could be named: Combine and Join have such", step)
			}
			return g.parse(step, text)
		},
		Show: func(step string, key any) string {
			g, there := n[step]
			if !there {
				return fmt.Sprint(key)
			}
			return g.show(key)
		},
	}
}

func (g groupKeys) parse(step string, text []string) (any, error) {
	names := make([]string, len(g.fields))
	for i, f := range g.fields {
		names[i] = g.schema[f].Name
	}
	if len(text) != len(g.fields) {
		if len(g.fields) == 0 {
			return nil, fmt.Errorf("step %q does not group: its windows have no key", step)
		}
		return nil, fmt.Errorf("a key of step %q has a value for each of %s, and is given %d", step, strings.Join(names, ", "), len(text))
	}
	row := make(record.Row, len(g.schema))
	for i, f := range g.fields {
		v, err := valueOf(text[i], g.schema[f].Type.Kind)
		if err != nil {
			return nil, fmt.Errorf("the key of step %q: %s: %w", step, names[i], err)
		}
		row[f] = v
	}
	if g.joins {
		return partnerKey(g.fields, "l")(&row), nil
	}
	if g.isScalar() {
		return g.scalar()(&row), nil
	}
	return g.text()(&row), nil
}

// valueOf reads a value of a kind from text as a person writes it.
func valueOf(text string, kind record.Kind) (record.Value, error) {
	if text == "null" && kind != record.String {
		return record.Value{}, nil
	}
	switch kind {
	case record.String, record.Any:
		return record.OfString(text), nil
	case record.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return record.Value{}, fmt.Errorf("%q is no integer", text)
		}
		return record.OfInt(n), nil
	case record.Float:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return record.Value{}, fmt.Errorf("%q is no number", text)
		}
		return record.OfFloat(f), nil
	case record.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return record.Value{}, fmt.Errorf("%q is neither true nor false", text)
		}
		return record.OfBool(b), nil
	case record.Time:
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return record.Value{}, fmt.Errorf("%q is no time: write it as 2026-07-01T10:00:00Z", text)
		}
		return record.OfTime(etime.Micros(t)), nil
	}
	return record.Value{}, fmt.Errorf("a key of the type %v cannot be written here", kind)
}

func (g groupKeys) show(key any) string {
	var row record.Row
	switch k := key.(type) {
	case string:
		if g.joins && strings.HasPrefix(k, nullKey) {
			return "null" // which finds no partner
		}
		row = g.ofText(nil, k)
	case scalar:
		row = g.ofScalar(nil, k)
	default:
		return fmt.Sprint(key)
	}
	parts := make([]string, len(row))
	for i, v := range row {
		if parts[i] = v.String(); v.Kind() == record.String {
			parts[i] = v.Str()
		} else if v.Kind() == record.Time {
			parts[i] = strings.Trim(parts[i], `"`)
		}
	}
	return strings.Join(parts, ", ")
}
