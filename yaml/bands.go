package yaml

import (
	"slices"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
)

// bands part the elements by what the settings do with them. The marks are the bounds of all settings,
// and their bounds with the allowed lateness; the band of an element is how many of them the front is
// past the end of the element's window. What is in band 0 is on time under every setting.
type bands struct {
	marks   []int64 // ascending, microseconds
	classes []int64 // the marks beyond which some setting drops: those with the same drop the same
	upto    []int   // by band: so many of the classes, the first, drop what is in it
}

func bandsOf(settings []lateness.Setting) (b bands) {
	for _, s := range settings {
		b.marks = append(b.marks, s.Behind, most(s))
		b.classes = append(b.classes, most(s))
	}
	slices.Sort(b.marks)
	slices.Sort(b.classes)
	b.marks, b.classes = slices.Compact(b.marks), slices.Compact(b.classes)
	b.upto = make([]int, len(b.marks)+1)
	for _, c := range b.classes {
		for band := b.bandOf(c); band < len(b.upto); band++ {
			b.upto[band]++
		}
	}
	return b
}

// most is how far the front may be past a window's end for a setting to take an element.
func most(s lateness.Setting) int64 { return s.Behind + int64(s.Allowed) }

// bandOf is the least band of what is as far past a window's end as a mark.
func (b *bands) bandOf(mark int64) int {
	i, _ := slices.BinarySearch(b.marks, mark)
	return i + 1
}

// band is that of an element.
func (b *bands) band(front, end int64) int32 {
	x, n := etime.Sub(front, end), 0
	for n < len(b.marks) && b.marks[n] <= x {
		n++
	}
	return int32(n)
}
