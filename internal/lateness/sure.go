package lateness

import (
	"math/rand/v2"
	"slices"
)

// Sure says how far what was measured can be trusted.
type Sure struct {
	// Kept is the share of records that were not dropped, and Low and High an interval in which it is
	// likely (95 %): by drawing hundredths of the input again and again, since records that are late
	// come together. Where none was dropped, Low is what three of as many would be.
	Kept float64 `json:"kept"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// First and Last are the shares dropped in the first and the last tenth of the input.
	First float64 `json:"first_tenth_dropped"`
	Last  float64 `json:"last_tenth_dropped"`
	// FirstP99 and LastP99 are the delays there that 99 % of the records did not exceed.
	FirstP99 Span `json:"first_tenth_p99"`
	LastP99  Span `json:"last_tenth_p99"`
	// Longest is the greatest delay that was seen.
	Longest Span `json:"longest"`
}

// Blocks is into how many parts the input is cut, in the order of arrival.
const Blocks = 100

// Block is the part in which record i of n is.
func Block(i, n int64) int { return int(i * Blocks / max(n, 1)) }

const draws = 2000

// Interval gives a 95 % interval of the share of records that are kept. dropped are those of each
// block. The same numbers give the same interval.
func Interval(dropped []int, records int64) (low, high float64) {
	total := 0
	for _, d := range dropped {
		total += d
	}
	if records == 0 {
		return 0, 1
	}
	n := float64(records)
	if total == 0 {
		return max(0, 1-3/n), 1
	}
	r := rand.New(rand.NewPCG(1, uint64(records)))
	all := make([]float64, draws)
	for i := range all {
		sum := 0
		for range dropped {
			sum += dropped[r.IntN(len(dropped))]
		}
		all[i] = max(0, 1-float64(sum)/n)
	}
	slices.Sort(all)
	return all[draws*25/1000], all[draws*975/1000]
}

// tenths gives the shares dropped in the first and the last tenth.
func tenths(dropped []int, records int64) (first, last float64) {
	if len(dropped) < 10 || records < 10 {
		return 0, 0
	}
	ten := len(dropped) / 10
	for i := range ten {
		first += float64(dropped[i])
		last += float64(dropped[len(dropped)-1-i])
	}
	n := float64(records) / 10
	return first / n, last / n
}
