package plan

import (
	"strings"
	"testing"
)

func TestANameThatAUserGivesWinsOverAGeneratedOne(t *testing.T) {
	g := New("p")
	first := g.Add(&Step{Kind: "map"})
	second := g.Add(&Step{Kind: "map"})
	named := g.Add(&Step{ID: "map", Kind: "filter"})
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	if first.ID != "map#3" || second.ID != "map#2" || named.ID != "map" {
		t.Errorf("the ids are %q, %q, %q; want map#3, map#2, map", first.ID, second.ID, named.ID)
	}
}

func TestANameGivenTwiceIsAMistakeWithBothPlaces(t *testing.T) {
	g := New("p")
	g.Add(&Step{ID: "count", Site: "a.go:1"})
	g.Add(&Step{ID: "count", Site: "a.go:9"})
	err := g.Err()
	if err == nil || !strings.HasPrefix(err.Error(), "a.go:9: ") || !strings.Contains(err.Error(), `"count" (the first at a.go:1)`) {
		t.Errorf("the error is %v", err)
	}
}

func TestLevelsCountExchangesOnTheLongestPath(t *testing.T) {
	g := New("p")
	read := g.Add(&Step{Kind: "read"})
	group := g.Add(&Step{Kind: "group", Inputs: []Edge{{From: read, Exchange: ByKey}}})
	both := g.Add(&Step{Kind: "flatten", Inputs: []Edge{{From: read}, {From: group}}})
	again := g.Add(&Step{Kind: "group", Inputs: []Edge{{From: both, Exchange: Gather}}})
	for _, c := range []struct {
		s    *Step
		want int
	}{{read, 0}, {group, 1}, {both, 1}, {again, 2}} {
		if c.s.Level() != c.want {
			t.Errorf("%s is on level %d, want %d", c.s.ID, c.s.Level(), c.want)
		}
	}
	if g.Levels() != 3 {
		t.Errorf("%d levels, want 3", g.Levels())
	}
}

func TestNotesAreNotPartOfTheFingerprint(t *testing.T) {
	a, b := New("p"), New("p")
	a.Add(&Step{Kind: "map"})
	b.Add(&Step{Kind: "map", Note: "fused"})
	if a.Fingerprint() != b.Fingerprint() || a.Describe() == b.Describe() {
		t.Error("a note is for people: it shows in the description, not in the fingerprint")
	}
}
