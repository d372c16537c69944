package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// BenchmarkBounded gives the cost of a record in batches of 1,024, with a fixed bound and with
// one that adapts: event times a millisecond apart, in order, with a disorder of up to 2 s, and
// with a row from the far future among the first, so that the guard withholds all along.
func BenchmarkBounded(b *testing.B) {
	const n, batch = 1 << 20, 1024
	ordered := make([]int64, n)
	for i := range ordered {
		ordered[i] = int64(i) * ms
	}
	disordered := slices.Clone(ordered)
	for i := range disordered {
		disordered[i] += rand.Int64N(2 * sec)
	}
	poisoned := slices.Clone(disordered)
	poisoned[100] = 1000 * day
	for _, in := range []struct {
		name string
		at   []int64
	}{{"ordered", ordered}, {"disordered", disordered}, {"poisoned", poisoned}} {
		for _, mode := range []struct {
			name string
			s    Strategy
			now  int64
		}{
			{"replay", Bounded(2 * time.Second), etime.Min},
			{"live", Bounded(2 * time.Second), n * ms},
			{"noGuard", Bounded(2 * time.Second).NoGuard(), etime.Min},
			{"adaptive", Adaptive(0.99, 0, time.Minute), etime.Min},
		} {
			b.Run(in.name+"/"+mode.name, func(b *testing.B) {
				w := make([]int64, batch)
				b.ReportAllocs()
				for b.Loop() {
					g := mode.s.Start()
					for i := 0; i < n; i += batch {
						c := Columns{At: in.at[i : i+batch], Now: mode.now, Live: mode.now != etime.Min}
						if _, err := g.Observe(c, w); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
			})
		}
	}
}
