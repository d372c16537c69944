package beam

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// call is a windowing or trigger as the transcripts write it, in the syntax of Python:
// AfterWatermark(early=AfterCount(2), late=AfterCount(1)). Brackets without arguments may be
// left out. A number is a call without arguments.
type call struct {
	name string
	args []call
	keys map[string]call
}

// parseCall reads all of s.
func parseCall(s string) (call, error) {
	c, rest, err := scanCall(strings.ReplaceAll(s, " ", ""))
	if err == nil && rest != "" {
		err = fmt.Errorf("%q is left over", rest)
	}
	if err != nil {
		return call{}, fmt.Errorf("%q: %w", s, err)
	}
	return c, nil
}

// scanCall reads a call from the beginning of s.
func scanCall(s string) (c call, rest string, err error) {
	end := strings.IndexFunc(s, func(r rune) bool { return strings.ContainsRune("(),=", r) })
	if end < 0 {
		end = len(s)
	}
	if c.name, rest = s[:end], s[end:]; c.name == "" {
		return call{}, "", fmt.Errorf("a name is missing before %q", s)
	}
	if !strings.HasPrefix(rest, "(") {
		return c, rest, nil
	}
	c.keys = map[string]call{}
	for rest = rest[1:]; !strings.HasPrefix(rest, ")"); rest = strings.TrimPrefix(rest, ",") {
		var arg call
		if arg, rest, err = scanCall(rest); err != nil {
			return call{}, "", err
		}
		if !strings.HasPrefix(rest, "=") {
			c.args = append(c.args, arg)
			continue
		}
		key := arg.name
		if arg, rest, err = scanCall(rest[1:]); err != nil {
			return call{}, "", err
		}
		c.keys[key] = arg
	}
	return c, rest[1:], nil
}

// number is c's one argument, a whole number.
func (c call) number() (int64, error) {
	if len(c.args) != 1 || len(c.keys) != 0 {
		return 0, fmt.Errorf("%s takes one number", c.name)
	}
	return strconv.ParseInt(c.args[0].name, 10, 64)
}

// none is an error if c has arguments.
func (c call) none() error {
	if len(c.args)+len(c.keys) > 0 {
		return fmt.Errorf("%s takes no arguments", c.name)
	}
	return nil
}

func TestCallsAreReadAsWritten(t *testing.T) {
	two := call{name: "AfterCount", args: []call{{name: "2"}}, keys: map[string]call{}}
	for text, want := range map[string]call{
		"Default":       {name: "Default"},
		"Default()":     {name: "Default", keys: map[string]call{}},
		"AfterCount(2)": two,
		"AfterWatermark(early=AfterCount(2), late=Default)": {
			name: "AfterWatermark", keys: map[string]call{"early": two, "late": {name: "Default"}},
		},
		"AfterAll(AfterCount(2), AfterCount(2))": {name: "AfterAll", args: []call{two, two}, keys: map[string]call{}},
	} {
		if got, err := parseCall(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "(2)", "AfterCount(2", "AfterCount(2))", "AfterCount(2)x", "f(a=)"} {
		if got, err := parseCall(text); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}
