package cli_test

import (
	"strings"
	"testing"
)

// A session is asked for by any instant in it, also when it is over: it is not the window that one
// element would have had. Elements at 1 and 4 with a gap of 5 are in [1, 9), which ends when the 25,
// with a bound of 5, brings the watermark to 20.
func TestASessionThatIsOverIsRemembered(t *testing.T) {
	const text = `pipeline:
  type: chain
  transforms:
    - {type: Create, name: In, config: {elements: [{k: a, at: 1}, {k: a, at: 4}, {k: a, at: 12}, {k: b, at: 25}]}, watermark: {timestamp: at, unit: s, bound: 5s}}
    - {type: Combine, windowing: {type: sessions, gap: 5sTRIGGER}, config: {group_by: k, combine: {n: count}}}
`
	early := strings.Replace(text, "TRIGGER", ", trigger: {after_watermark: {early: {after_count: 1}}}", 1)
	for _, c := range []struct{ text, at, want, not string }{
		{text, "1", "[1970-01-01 00:00:01, 00:00:09) of a has fired: on time (pane 0) when the watermark reached 00:00:20, by record 4", "no window"},
		{text, "4", "[1970-01-01 00:00:01, 00:00:09) of a has fired: on time (pane 0) when the watermark reached 00:00:20, by record 4\nno window of step \"Combine\" starts at", ""},
		{text, "12", "[1970-01-01 00:00:12, 00:00:17) of a has fired: on time (pane 0) when the watermark reached 00:00:20, by record 4", "no window"},
		{text, "10", "of a has given nothing because no element has come for it", "fired"},
		{early, "1", "[1970-01-01 00:00:01, 00:00:09) of a has fired: ", "before everything"},
		{early, "12", "[1970-01-01 00:00:12, 00:00:17) of a has fired: early (pane 0) when", "before everything"},
	} {
		code, out, errs := command(t, []string{"why", "p.yaml", "--key", "a", "--window", c.at}, "p.yaml", strings.Replace(c.text, "TRIGGER", "", 1))
		if code != 0 || !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("at %s: code %d\n%s%s", c.at, code, out, errs)
		}
	}
}
