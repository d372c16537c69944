// Package prose writes numbers and what is counted for people.
//
// Layer: the lowest, beside instants. It knows of nothing else in the project.
package prose

import (
	"fmt"
	"strings"
)

// Grouped writes a number with its digits in threes: "12,345".
func Grouped[N int | int64](n N) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Several is a number of things: "1 split", "3 splits", "2 passes".
func Several[N int | int64](n N, of string) string { return fmt.Sprint(n, " ", Plural(of, n)) }

// Plural gives a word as it stands behind a number.
func Plural[N int | int64](word string, n N) string {
	switch {
	case n == 1:
		return word
	case strings.HasSuffix(word, "s"):
		return word + "es"
	}
	return word + "s"
}
