package trial

import "math"

// Near says whether two floats differ by no more than a part in 10⁹ (S7.3), NaN by nothing.
func Near(a, b float64) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) && !math.IsInf(a, 0) && !math.IsInf(b, 0)
}

// Bag says whether each of n things is one of m others, each once.
func Bag(n, m int, is func(i, j int) bool) bool {
	if n != m {
		return false
	}
	used := make([]bool, m)
	low := 0 // all others before it are used
next:
	for i := range n {
		for low < m && used[low] {
			low++
		}
		for j := low; j < m; j++ {
			if !used[j] && is(i, j) {
				used[j] = true
				continue next
			}
		}
		return false
	}
	return true
}
