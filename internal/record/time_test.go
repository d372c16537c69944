package record

import (
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestTimesAreWrittenAsPackageTimeWritesThem(t *testing.T) {
	check := func(micros int64) {
		want := etime.Time(micros).Format("2006-01-02T15:04:05.999999Z07:00")
		if got := string(formatTime(nil, micros)); got != want {
			t.Errorf("%d µs is %q, want %q", micros, got, want)
		}
	}
	const year0, year10000 = -62_167_219_200_000_000, 253_402_300_800_000_000
	for _, at := range []int64{0, -1, 1, 10, 100_000, 999_999, 1_000_000, year0, year10000} {
		for d := int64(-2); d <= 2; d++ {
			check(at + d)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	units := []int64{1, 10, 1000, 1_000_000, 60_000_000}
	for range 20_000 {
		u := units[r.IntN(len(units))]
		check((year0 + r.Int64N(year10000-year0)) / u * u)
	}
}
