package run

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/codec"
)

// The first window of an input is seldom whole, and one or two elements a key in it say nothing of
// the others.
func TestOneWindowAloneDoesNotEndAccumulatingBeforeTheExchange(t *testing.T) {
	const keys = 2 * BatchParts
	type window struct{ keys, rows int64 }
	poor, rich, small := window{keys, keys}, window{keys, 5 * keys}, window{BatchParts, BatchParts}
	for _, c := range []struct {
		name string
		ends []window
		off  bool
	}{
		{"the first is poor", []window{poor, rich, rich}, false},
		{"two in a row are poor", []window{rich, poor, poor}, true},
		{"poor ones now and then", []window{poor, rich, poor, rich, poor}, false},
		{"small windows do not count", []window{small, small, poor, small, poor}, false},
		{"once over it stays so", []window{poor, poor, rich, rich}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := codec.ForKey[int64]()
			if err != nil {
				t.Fatal(err)
			}
			o := &pre[int64, int64, int64, int64]{local: &flat[int64, int64, int64, int64]{keys: newKeys(k)}}
			for _, w := range c.ends {
				fw := &flatWindow[int64]{t: newTable[int64](0), rows: w.rows}
				numbers := make([]uint64, w.keys)
				for i := range numbers {
					numbers[i] = uint64(i)
				}
				fw.t.lookup(numbers, make([]uint32, w.keys), func(uint64) int64 { return 0 })
				o.give(fw)
			}
			if o.off != c.off {
				t.Errorf("it is over: %v, want %v", o.off, c.off)
			}
		})
	}
}
