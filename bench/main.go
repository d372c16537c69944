package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/pprof"
)

// benchmarks are all there are, by the name that -only takes.
var benchmarks = []struct {
	id  string
	run func(b *board)
}{
	{"P1a", p1a},
	{"P1a-scattered", p1aScattered},
	{"P1a-ledger", p1aLedger},
	{"P1b", p1b},
	{"P2", p2},
	{"P3", p3},
	{"P4", p4},
	{"P4c", p4c},
	{"P4p", p4p},
	{"P5", p5},
	{"P7", p7},
	{"P9", p9},
	{"P10", p10},
	{"P11", p11},
	{"P13", p13},
}

func main() {
	only := flag.String("only", "", "run one benchmark, such as P1a")
	turns := flag.Int("runs", 5, "how often each side of a comparison runs; the best counts")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this file")
	flag.Parse()
	log.SetFlags(0)
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	b := &board{turns: max(*turns, 1)}
	known := false
	for _, x := range benchmarks {
		if *only == "" || *only == x.id {
			known = true
			x.run(b)
		}
	}
	if !known {
		log.Fatalf("there is no benchmark %q", *only)
	}
	fmt.Printf("%d of %d pass, %d skipped\n", b.passed, b.all, b.skipped)
}
