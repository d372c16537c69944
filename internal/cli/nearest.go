package cli

import "strings"

// nearest finds the name that was probably meant: one that starts like it, or the one that the
// fewest typing errors turn into it, at most a third of its letters.
func nearest(typed string, names []string) (string, bool) {
	typed = strings.ToLower(typed)
	best, fewest := "", 1+max(1, len(typed)/3)
	for _, name := range names {
		if len(typed) >= 2 && strings.HasPrefix(name, typed) {
			return name, true
		}
		if d := distance(typed, name); d < fewest {
			best, fewest = name, d
		}
	}
	return best, best != ""
}

// distance counts the bytes to insert, delete, replace or swap with their neighbour to make b
// of a (optimal string alignment).
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
