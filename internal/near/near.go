// Package near finds what a misspelt word most likely means.
//
// Layer: the lowest, beside instants. It knows of nothing else in the project.
package near

import "strings"

// Of gives the candidate that a misspelt word most likely means; "" if none is near.
func Of(word string, candidates []string) string {
	best, least := "", len(word)/3+1
	for _, c := range candidates {
		if strings.EqualFold(word, c) {
			return c
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= least && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// distance is the number of letters to insert, remove, replace or swap with their neighbour to
// make b of a (the restricted Damerau-Levenshtein distance).
func distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
