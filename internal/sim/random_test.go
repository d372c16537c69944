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

func TestRandomPipelines(t *testing.T) {
	n, until := cases(t)
	first := uint64(1)
	if s := os.Getenv("STRANDLINE_SEED"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
		n = 1
	}
	bad, done, ways := 0, 0, map[Way]int{}
	for seed := first; seed < first+n && (until.IsZero() || time.Now().Before(until)); seed++ {
		c := New(seed)
		done++
		ways[c.Way]++
		want := c.Oracle()
		got, err := c.Engine()
		if err != nil {
			t.Errorf("%v:\n%v", c, err)
			bad++
		} else if diff := c.Compare(want, got); diff != "" {
			t.Errorf("%v:\n%s", c, diff)
			for _, e := range c.Events {
				if os.Getenv("STRANDLINE_SEED") != "" {
					t.Logf("%s %d at %d drop %t", e.Key, e.N, e.At/second, e.Drop)
				}
			}
			bad++
		}
		if bad >= 3 {
			break
		}
	}
	t.Logf("random pipelines: %d compared, by these ways: %v", done, ways)
}
