package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

func main() {
	only := flag.String("only", "", "run one benchmark")
	runs := flag.Int("runs", 5, "turns")
	prof := flag.String("cpuprofile", "", "")
	n := flag.Int("n", 20_000_000, "events")
	flag.Parse()
	if *prof != "" {
		f, _ := os.Create(*prof)
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	_ = only
	versus("int 1k", *runs, *n, events(*n, 200*time.Second, 1000, func(i int) int64 { return int64(i) }))
	versus("int 100k", *runs, *n, events(*n, 200*time.Second, 100_000, func(i int) int64 { return int64(i) }))
	versus("str 1k", *runs, *n, events(*n, 200*time.Second, 1000, func(i int) string { return fmt.Sprintf("sensor-%06d", i) }))
	versus("str 100k", *runs, *n, events(*n, 200*time.Second, 100_000, func(i int) string { return fmt.Sprintf("sensor-%06d", i) }))
}

func versus[K comparable](name string, runs, n int, vs []event[K]) {
	var best [2]time.Duration
	for range runs {
		for k, f := range []func([]event[K]) digest{engineP1a[K], loopP1a[K]} {
			runtime.GC()
			t := time.Now()
			d := f(vs)
			e := time.Since(t)
			if best[k] == 0 || e < best[k] {
				best[k] = e
			}
			_ = d
		}
	}
	a, b := engineP1a(vs), loopP1a(vs)
	fmt.Printf("%-10s engine %.1f loop %.1f ratio %.2f same=%v %v\n", name, float64(n)/best[0].Seconds()/1e6, float64(n)/best[1].Seconds()/1e6, best[1].Seconds()/best[0].Seconds(), a == b, a)
}
