package yaml

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/near"
	"go.yaml.in/yaml/v4"
)

// form is what a setting's value looks like.
type form int

const (
	textForm       form = iota // text; other scalars are taken as they are written
	exprForm                   // an expression, or a mapping with expression
	boolForm                   // true or false
	intForm                    // a whole number, 0 or more
	numberForm                 // a number
	durationForm               // 10s, 5m, 100ms; a number is seconds
	textsForm                  // a list of texts, or one text
	listForm                   // a list of anything
	fieldsForm                 // a mapping of names to expressions
	mapForm                    // a mapping of anything
	settingsForm               // a mapping with settings of its own
	anyForm                    // whatever the transform makes of it
	choiceForm                 // one of some words
	valueOrMapForm             // text or a mapping
)

var formNames = map[form]string{
	textForm: "text", exprForm: "an expression", boolForm: "true or false", intForm: "a whole number", numberForm: "a number",
	durationForm: "a duration such as 10s, 5m or 1h", textsForm: "a list of texts", listForm: "a list", fieldsForm: "a mapping of names to expressions",
	mapForm: "a mapping", settingsForm: "a mapping", anyForm: "a value", choiceForm: "one of the words", valueOrMapForm: "text or a mapping",
}

// setting is a row of the tables that validate, and that the reference is made of.
type setting struct {
	name     string
	form     form
	required bool
	ours     bool // not in Beam YAML
	choices  []string
	of       []setting // of a settingsForm
	doc      string
}

func names(table []setting) []string {
	list := make([]string, len(table))
	for i, s := range table {
		list[i] = s.name
	}
	return list
}

// settings are the values that a mapping gives for a table. All of them have the form that the
// table says.
type settings struct {
	node   *yaml.Node // for problems with the mapping as a whole
	values map[string]*yaml.Node
	within map[string]*settings // of settingsForm
	// doubtful are settings that were given in some wrong way, which has been reported.
	doubtful []string
}

// read checks the mapping n against a table; where says what it belongs to, for messages.
func (t *text) read(n, owner *yaml.Node, where string, table []setting) *settings {
	s := t.readSome(n, owner, where, table)
	t.missing(s, where, table)
	return s
}

// readSome is read, but for what is missing.
func (t *text) readSome(n, owner *yaml.Node, where string, table []setting) *settings {
	s := &settings{node: owner, values: map[string]*yaml.Node{}, within: map[string]*settings{}}
	if n != nil && !isNull(n) && n.Kind != yaml.MappingNode {
		t.problemf(n, "", "%s must be a mapping, and is %s", where, kindOf(n))
		return s
	}
	entries(n, func(k, v *yaml.Node) {
		i := slices.IndexFunc(table, func(p setting) bool { return p.name == k.Value })
		if i < 0 {
			hint := meant(k.Value, names(table))
			switch {
			case k.Value == "output_schema":
				hint = "use ValidateWithSchema behind it"
			case len(table) == 0:
				hint = "it has no settings"
			}
			t.problemf(k, hint, "%s has no setting %q", where, k.Value)
			if c := near.Of(k.Value, names(table)); c != "" {
				s.doubtful = append(s.doubtful, c)
			}
			return
		}
		if isNull(v) {
			return
		}
		p := table[i]
		if !t.fits(v, where, p) {
			s.doubtful = append(s.doubtful, p.name)
			return
		}
		s.values[p.name] = v
		if p.form == settingsForm {
			s.within[p.name] = t.read(v, v, p.name, p.of)
		}
	})
	return s
}

// missing reports the settings that are needed and not given.
func (t *text) missing(s *settings, where string, table []setting) {
	for _, p := range table {
		if p.required && !s.has(p.name) && !slices.Contains(s.doubtful, p.name) {
			t.problemf(s.node, "", "%s needs the setting %q: %s", where, p.name, formNames[p.form])
		}
	}
}

func (t *text) fits(v *yaml.Node, where string, p setting) bool {
	ok := true
	hint := ""
	switch p.form {
	case textForm, exprForm:
		ok = v.Kind == yaml.ScalarNode || p.form == exprForm && v.Kind == yaml.MappingNode
	case boolForm:
		_, ok = parseBool(v)
	case intForm:
		i, err := strconv.ParseInt(v.Value, 10, 64)
		ok = v.Kind == yaml.ScalarNode && err == nil && i >= 0
	case numberForm:
		f, err := strconv.ParseFloat(v.Value, 64)
		ok = v.Kind == yaml.ScalarNode && err == nil && !math.IsNaN(f)
	case durationForm:
		if v.Kind != yaml.ScalarNode {
			ok = false
			break
		}
		if _, err := ParseDuration(v.Value); err != nil {
			t.problemf(v, "write 10s, 5m, 1h, 2d or 100ms", "%s of %s: %v", p.name, where, err)
			return false
		}
	case textsForm:
		ok = v.Kind == yaml.ScalarNode || v.Kind == yaml.SequenceNode && !slices.ContainsFunc(v.Content, func(c *yaml.Node) bool { return c.Kind != yaml.ScalarNode })
	case listForm:
		ok = v.Kind == yaml.SequenceNode
	case fieldsForm, mapForm, settingsForm:
		ok = v.Kind == yaml.MappingNode
	case choiceForm:
		if ok = v.Kind == yaml.ScalarNode && slices.Contains(p.choices, v.Value); !ok {
			t.problemf(v, meant(v.Value, p.choices), "%s of %s cannot be %s", p.name, where, shown(v))
			return false
		}
	case valueOrMapForm:
		ok = v.Kind != yaml.SequenceNode
	}
	if !ok {
		t.problemf(v, hint, "%s of %s must be %s, and is %s", p.name, where, formNames[p.form], shown(v))
	}
	return ok
}

// shown is a value in a message.
func shown(v *yaml.Node) string {
	if v.Kind == yaml.ScalarNode && len(v.Value) <= 40 {
		return strconv.Quote(v.Value)
	}
	return kindOf(v)
}

func parseBool(v *yaml.Node) (b, ok bool) {
	if v.Kind != yaml.ScalarNode {
		return false, false
	}
	switch v.Value {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

func (s *settings) has(name string) bool         { return s.values[name] != nil }
func (s *settings) at(name string) *yaml.Node    { return s.values[name] }
func (s *settings) sub(name string) *settings    { return s.within[name] }
func (s *settings) bool(name string) bool        { b, _ := s.flag(name); return b }
func (s *settings) strings(name string) []string { return texts(s.values[name]) }

func (s *settings) flag(name string) (b, given bool) {
	v := s.values[name]
	if v == nil {
		return false, false
	}
	b, _ = parseBool(v)
	return b, true
}

func (s *settings) text(name string) string {
	if v := s.values[name]; v != nil {
		return v.Value
	}
	return ""
}

// int gives a whole number, or otherwise if it is not given.
func (s *settings) int(name string, otherwise int) int {
	if v := s.values[name]; v != nil {
		if i, err := strconv.ParseInt(v.Value, 10, 64); err == nil {
			return int(i)
		}
	}
	return otherwise
}

func (s *settings) number(name string, otherwise float64) float64 {
	if v := s.values[name]; v != nil {
		if f, err := strconv.ParseFloat(v.Value, 64); err == nil {
			return f
		}
	}
	return otherwise
}

func (s *settings) duration(name string) time.Duration {
	if v := s.values[name]; v != nil {
		if d, err := ParseDuration(v.Value); err == nil {
			return d
		}
	}
	return 0
}

// texts gives a list of texts, or the one.
func texts(n *yaml.Node) []string {
	nodes := scalars(n)
	list := make([]string, len(nodes))
	for i, c := range nodes {
		list[i] = c.Value
	}
	return list
}

// scalars gives the nodes of a list, or the one.
func scalars(n *yaml.Node) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		return n.Content
	}
	return []*yaml.Node{n}
}

// units of durations, as in Beam YAML.
var units = []struct {
	name string
	of   time.Duration
}{{"ms", time.Millisecond}, {"us", time.Microsecond}, {"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}, {"d", 24 * time.Hour}}

// ParseDuration reads a duration as Beam YAML writes it: a number and ms, s, m, h or d; a number
// alone is seconds. Other units than Beam's are us, and sequences such as 1h30m. It may be
// negative; it must be a whole number of microseconds.
func ParseDuration(s string) (time.Duration, error) {
	rest, sign := s, time.Duration(1)
	if strings.HasPrefix(rest, "-") {
		rest, sign = rest[1:], -1
	}
	if rest == "" {
		return 0, fmt.Errorf("%q is no duration", s)
	}
	var total time.Duration
	for first := true; rest != ""; first = false {
		n := 0
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.') {
			n++
		}
		amount, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil || n > 18 {
			return 0, fmt.Errorf("%q is no duration", s)
		}
		rest = rest[n:]
		letters := 0
		for letters < len(rest) && (rest[letters] >= 'a' && rest[letters] <= 'z' || rest[letters] >= 'A' && rest[letters] <= 'Z') {
			letters++
		}
		unit := time.Second
		if letters > 0 || !first {
			i := slices.IndexFunc(units, func(u struct {
				name string
				of   time.Duration
			}) bool {
				return u.name == rest[:letters]
			})
			if i < 0 {
				return 0, fmt.Errorf("%q is no duration: there is no unit %q", s, rest[:letters])
			}
			unit = units[i].of
		}
		rest = rest[letters:]
		part := amount * float64(unit)
		if part > math.MaxInt64/2 {
			return 0, fmt.Errorf("%q is too long: at most %v", s, time.Duration(math.MaxInt64/2).Round(time.Hour))
		}
		total += time.Duration(math.Round(part))
		if total < 0 || total > math.MaxInt64/2 {
			return 0, fmt.Errorf("%q is too long: at most %v", s, time.Duration(math.MaxInt64/2).Round(time.Hour))
		}
	}
	if total%time.Microsecond != 0 {
		return 0, fmt.Errorf("%q is finer than a microsecond", s)
	}
	return sign * total, nil
}
