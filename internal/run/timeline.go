package run

import "slices"

// timeline holds values in order of time, those of one time in order of arrival. What is
// forgotten at its start gives its memory back.
type timeline[T any] struct {
	at   []int64
	v    []T
	head int // what lies before it is forgotten
}

func (l *timeline[T]) len() int { return len(l.at) - l.head }

// from is the index of the first value at or behind t. Indexes go from head to len(l.at).
func (l *timeline[T]) from(t int64) int {
	at := l.at[l.head:]
	if len(at) == 0 || at[0] >= t {
		return l.head // nothing to forget, as a rule
	}
	i, _ := slices.BinarySearch(at, t)
	return l.head + i
}

// behind is the index of the first value behind t.
func (l *timeline[T]) behind(t int64) int {
	n := len(l.at)
	if n == l.head || l.at[n-1] <= t {
		return n // as a rule, time goes on
	}
	i, _ := slices.BinarySearch(l.at[l.head:], t+1) // t is not the greatest
	return l.head + i
}

// add puts a value in its place.
func (l *timeline[T]) add(t int64, v T) { l.insert(l.behind(t), t, v) }

func (l *timeline[T]) insert(i int, t int64, v T) {
	l.at = slices.Insert(l.at, i, t)
	l.v = slices.Insert(l.v, i, v)
}

// forget drops the values before index i.
func (l *timeline[T]) forget(i int) {
	clear(l.v[l.head:i])
	l.head = i
	n := l.len()
	if l.head <= n {
		return
	}
	// More is forgotten than kept: moving the rest costs less than what has been added.
	if cap(l.at) >= 64 && n < cap(l.at)/4 {
		l.at, l.v = append([]int64(nil), l.at[i:]...), append([]T(nil), l.v[i:]...)
	} else {
		copy(l.at, l.at[i:])
		copy(l.v, l.v[i:])
		clear(l.v[n:])
		l.at, l.v = l.at[:n], l.v[:n]
	}
	l.head = 0
}
