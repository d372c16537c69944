package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// leastHeap is how large the heap may grow before a collection. Go's own 4 MB make dozens of
	// collections of a program that reads a file and keeps little of it, a tenth of its time.
	leastHeap = 20 << 20
	// goLeast is how large it may grow, whatever is alive, at 100 percent.
	goLeast = 4 << 20
)

// growHeap has the collector run when the heap has doubled, as it does by default, but not before
// leastHeap. If the environment says something about the collector, that is left alone.
func growHeap() {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := os.LookupEnv(name); set {
			return
		}
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var again func()
	again = func() {
		metrics.Read(live)
		percent := 100
		if held := live[0].Value.Uint64(); held < leastHeap/2 {
			percent = int(min(leastHeap*100/max(held, 1)-100, leastHeap*100/goLeast))
		}
		debug.SetGCPercent(percent)
		// What nothing holds is cleaned up at the next collection.
		runtime.AddCleanup(new([16]byte), func(func()) { again() }, again)
	}
	again()
}
