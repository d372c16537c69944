package core

import "github.com/strandline-stream/strandline/window"

// Join is what an element's window becomes among a key's open windows (S2.4).
type Join struct {
	Into window.Interval
	From []int // which of the open windows merge into it
	Same int   // the one of From that already was Into, -1 if Into is new
}

// Merge decides which of a key's open windows merge with win, the window of a new element. If
// none does, Into is win and From is empty.
func Merge(m window.Merger, open []window.Interval, win window.Interval) Join {
	j := Join{Into: win, Same: -1}
	all := append(append(make([]window.Interval, 0, len(open)+1), open...), win)
	for _, g := range m.Merge(all) {
		mine := false
		for _, i := range g.From {
			mine = mine || i == len(open)
		}
		if !mine {
			continue
		}
		j.Into = g.Into
		for _, i := range g.From {
			if i < len(open) {
				j.From = append(j.From, i)
			}
		}
	}
	if len(j.From) == 0 {
		for i, o := range open {
			if o == j.Into {
				j.From = append(j.From, i)
			}
		}
	}
	for _, i := range j.From {
		if open[i] == j.Into {
			j.Same = i
		}
	}
	return j
}
