package yaml

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/record"
	"go.yaml.in/yaml/v4"
)

// rule is what a schema asks of a value beyond its type: a part of JSON Schema.
type rule struct {
	of       record.Type
	enum     []record.Value
	pattern  *regexp.Regexp
	limits   []limit
	elem     *rule
	names    []string // of an object
	required []string
	fields   []*rule
}

type limit struct {
	word string
	of   float64
	ok   func(x, limit float64) bool
}

var limits = map[string]func(x, limit float64) bool{
	"minimum":          func(x, l float64) bool { return x >= l },
	"maximum":          func(x, l float64) bool { return x <= l },
	"exclusiveMinimum": func(x, l float64) bool { return x > l },
	"exclusiveMaximum": func(x, l float64) bool { return x < l },
	"minLength":        func(x, l float64) bool { return x >= l },
	"maxLength":        func(x, l float64) bool { return x <= l },
	"minItems":         func(x, l float64) bool { return x >= l },
	"maxItems":         func(x, l float64) bool { return x <= l },
}

// rule reads the rule at n; it gives nil if something is wrong with it.
func (c *checker) rule(s *step, n *yaml.Node, of record.Type) *rule {
	r := &rule{of: of}
	ok := true
	entries(n, func(k, v *yaml.Node) {
		switch k.Value {
		case "type", "format", "description", "title", "additionalProperties":
		case "enum":
			for _, e := range scalars(v) {
				r.enum = append(r.enum, literal(e))
			}
		case "const":
			r.enum = []record.Value{literal(v)}
		case "pattern":
			p, err := regexp.Compile(v.Value)
			if err != nil {
				c.failf(s, v, "", "the pattern cannot be used: %v", err)
				ok = false
			}
			r.pattern = p
		case "items":
			if of.Elem != nil {
				r.elem = c.rule(s, v, *of.Elem)
				ok = ok && r.elem != nil
			}
		case "properties":
			r.required = texts(get(n, "required"))
			for _, f := range of.Fields {
				one := c.rule(s, get(v, f.Name), f.Type)
				ok = ok && one != nil
				r.names, r.fields = append(r.names, f.Name), append(r.fields, one)
			}
		case "required":
		default:
			test := limits[k.Value]
			l, err := strconv.ParseFloat(v.Value, 64)
			if test == nil {
				known := append(slices.Sorted(maps.Keys(limits)), "enum", "const", "pattern", "items", "properties", "required", "type")
				c.failf(s, k, meant(k.Value, known), "%q is not supported in a schema", k.Value)
				ok = false
			} else if err != nil {
				c.failf(s, v, "", "%s must be a number, and is %s", k.Value, shown(v))
				ok = false
			}
			r.limits = append(r.limits, limit{k.Value, l, test})
		}
	})
	if !ok {
		return nil
	}
	return r
}

// holds says what is wrong with a value.
func (r *rule) holds(v record.Value) error {
	k := v.Kind()
	if k == record.Null {
		if !r.of.Nullable && r.of.Kind != record.Null && r.of.Kind != record.Any {
			return fmt.Errorf("it is null, and must be %s", r.of)
		}
		return nil
	}
	whole := r.of.Kind == record.Float && k == record.Int
	if k != r.of.Kind && r.of.Kind != record.Any && !whole && !(r.of.Kind == record.Time && k == record.String) {
		return fmt.Errorf("%s is %s, and must be %s", v, k, r.of)
	}
	if r.enum != nil && !slices.ContainsFunc(r.enum, func(e record.Value) bool { return record.Equal(e, v) }) {
		return fmt.Errorf("%s is none of the values that it may have", v)
	}
	if r.pattern != nil && k == record.String && !r.pattern.MatchString(v.Str()) {
		return fmt.Errorf("%s does not match %s", v, r.pattern)
	}
	x, isNumber := v.Number()
	switch k {
	case record.String:
		x, isNumber = float64(utf8.RuneCountInString(v.Str())), true
	case record.List:
		x, isNumber = float64(len(v.List())), true
	}
	for _, l := range r.limits {
		if isNumber && !l.ok(x, l.of) {
			return fmt.Errorf("%s is against %s %v", v, l.word, l.of)
		}
	}
	if k == record.List && r.elem != nil {
		for _, e := range v.List() {
			if err := r.elem.holds(e); err != nil {
				return err
			}
		}
	}
	if k == record.Struct {
		for i, name := range r.names {
			if err := r.fields[i].holds(v.Struct().Get(name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
