package sim

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// cases is how many random pipelines to try: STRANDLINE_CASES, or as many as fit into
// STRANDLINE_BUDGET.
func cases(t *testing.T) (n uint64, until time.Time) {
	n = 3000
	if s := os.Getenv("STRANDLINE_CASES"); s != "" {
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("STRANDLINE_CASES: %v", err)
		}
		n = v
	}
	if s := os.Getenv("STRANDLINE_BUDGET"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatalf("STRANDLINE_BUDGET: %v", err)
		}
		return 1 << 62, time.Now().Add(d)
	}
	return n, time.Time{}
}

// first is the seed to begin with: STRANDLINE_FIRST, so that each long run tries other cases; or
// STRANDLINE_SEED, to try one again, with its events.
func first(t *testing.T) (seed uint64, alone bool) {
	for _, name := range []string{"STRANDLINE_SEED", "STRANDLINE_FIRST"} {
		s := os.Getenv(name)
		if s == "" {
			continue
		}
		seed, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return seed, name == "STRANDLINE_SEED"
	}
	return 1, false
}

func TestRandomPipelines(t *testing.T) {
	n, until := cases(t)
	from, alone := first(t)
	if alone {
		n = 1
	}
	bad, done, ways := 0, 0, map[Way]int{}
	for seed := from; seed < from+n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		c := New(seed)
		done++
		ways[c.Way]++
		if diff := c.differs(); diff != "" {
			t.Errorf("STRANDLINE_SEED=%d go test -run TestRandomPipelines -v ./internal/sim\n%v:\n%s", seed, c, diff)
			bad++
		}
		if alone {
			for _, e := range c.Events {
				t.Logf("%s %d at %d drop %t", e.Key, e.N, e.At/second, e.Drop)
			}
		}
	}
	t.Attr("cases", strconv.Itoa(done))
	t.Logf("random pipelines: %d compared, by these ways: %v", done, ways)
}

// differs says in which way the engine's answer is not the oracle's.
func (c *Case) differs() string {
	got, err := c.Engine()
	if err != nil {
		return err.Error()
	}
	return c.Compare(c.Oracle(), got)
}
