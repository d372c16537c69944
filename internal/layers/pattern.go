package layers

import (
	"slices"
	"strings"
)

// matches tells whether the pattern covers the package in that directory. "a/..." is a and
// all below it, but for an internal directory below that the pattern does not name.
func matches(pattern, dir string) bool {
	above, all := strings.CutSuffix(pattern, "/...")
	if dir == above {
		return true
	}
	below, inside := strings.CutPrefix(dir, above+"/")
	return all && inside && !slices.Contains(strings.Split(below, "/"), "internal")
}

// covers tells whether one of the patterns covers the package in that directory.
func covers(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, dir) })
}

// rowOf finds the row of the package in that directory.
func rowOf(table []Layer, dir string) (Layer, bool) {
	i := slices.IndexFunc(table, func(l Layer) bool { return covers(l.Packages, dir) })
	if i < 0 {
		return Layer{}, false
	}
	return table[i], true
}
