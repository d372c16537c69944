package strandline_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// several builds a pipeline of many kinds of steps, with one thing changed.
func several(change string) *strandline.Pipeline {
	p := strandline.New("several")
	size, lateness, bound := 10*time.Second, time.Minute, time.Duration(0)
	tr, name := trigger.Default(), "total"
	switch change {
	case "window":
		size = 20 * time.Second
	case "lateness":
		lateness = time.Hour
	case "bound":
		bound = time.Second
	case "trigger":
		tr = trigger.Repeat(trigger.AfterCount(3))
	case "name":
		name = "sum"
	}
	in := input(p, keyed("a1"), bound).Filter("even", func(e *event) bool { return e.N%2 == 0 })
	k := in.KeyBy("key", key).WindowInto(window.Fixed(size)).AllowedLateness(lateness).Trigger(tr).Discarding()
	per := k.CombinePerKey("count", combine.Count[event]())
	if change == "an unnamed step" {
		per.Map("", func(x *count) int64 { return x.Value })
	}
	total := per.Combine(name, combine.Sum(amount))
	total.Map("", func(n *int64) int64 { return *n }).Map("", func(n *int64) int64 { return *n })
	k.InnerJoin("join", in.KeyBy("other", key).WindowInto(window.Fixed(size)).AllowedLateness(lateness).Trigger(tr).Discarding(), func(string, *event, *event) int { return 0 })
	k.Stateful("state", strandline.PerKey, func(*strandline.Turn[string, int], *map[string][]int64, *event) {}, nil)
	return p
}

func TestTheFingerprintIsTheSameInAnotherProcess(t *testing.T) {
	p := several("")
	if os.Getenv("STRANDLINE_FINGERPRINT") != "" {
		os.Stdout.WriteString("fingerprint=" + p.Fingerprint() + "\n" + p.String() + "end\n")
		return
	}
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestTheFingerprintIsTheSameInAnotherProcess$")
	cmd.Env = append(os.Environ(), "STRANDLINE_FINGERPRINT=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "fingerprint=" + p.Fingerprint() + "\n" + p.String() + "end\n"; !strings.Contains(string(out), want) {
		t.Errorf("the other process says\n%s\nthis one\n%s", out, want)
	}
}

func TestTheFingerprintChangesWithTheMeaning(t *testing.T) {
	seen := map[string]string{}
	for _, change := range []string{"", "window", "lateness", "bound", "trigger", "name", "an unnamed step"} {
		p := several(change)
		if err := p.Err(); err != nil {
			t.Fatal(err)
		}
		f := p.Fingerprint()
		if other, same := seen[f]; same {
			t.Errorf("%q and %q have the same fingerprint", change, other)
		}
		seen[f] = change
	}
}

func TestStepsHaveTheNamesTheyWereGivenAndOthersAreNumbered(t *testing.T) {
	text := several("").String()
	for _, id := range []string{"even:", "key:", "count:", "total:", "join:", "state:"} {
		if !strings.Contains("\n"+text, "\n"+id) {
			t.Errorf("no step %q in\n%s", id, text)
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		id, _, _ := strings.Cut(line, ":")
		if seen[id] {
			t.Errorf("two steps are %q in\n%s", id, text)
		}
		seen[id] = true
	}
}
