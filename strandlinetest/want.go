package strandlinetest

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Want is a pane that is expected: as much of it as the test cares for. [Value], [Entry],
// [Group], [Exactly] and [Any] start one; methods say more about it and give a changed copy.
// The zero Want is any pane.
type Want[T any] struct {
	text  string
	parts []func(p *strandline.Pane[T]) bool
}

// Any is any pane.
func Any[T any]() Want[T] { return Want[T]{} }

// Value is a pane of value v. Values are compared by their method Equal(T) bool if they have
// one, else deeply; NaN equals NaN (S7.4).
func Value[T any](v T) Want[T] {
	return Any[T]().Where(valueText(v), func(p strandline.Pane[T]) bool { return same(p.Value, v) })
}

// Entry is a pane of a key with its value: what an aggregation per key gives.
func Entry[K comparable, V any](key K, value V) Want[strandline.KV[K, V]] {
	return Any[strandline.KV[K, V]]().Where(entryText(key, value), func(p strandline.Pane[strandline.KV[K, V]]) bool {
		return same(p.Value.Key, key) && same(p.Value.Value, value)
	})
}

// Group is a pane of a key with its values in any order: what [strandline.GroupByKey] gives.
func Group[K comparable, V any](key K, values ...V) Want[strandline.KV[K, []V]] {
	return Any[strandline.KV[K, []V]]().Where(entryText(key, values)+" in any order", func(p strandline.Pane[strandline.KV[K, []V]]) bool {
		return same(p.Value.Key, key) && sameBag(p.Value.Value, values)
	})
}

// Exactly is a pane that is p in everything.
func Exactly[T any](p strandline.Pane[T]) Want[T] {
	return Any[T]().Where(paneText(&p), func(x strandline.Pane[T]) bool {
		return same(x.Value, p.Value) && x.Time.Equal(p.Time) && x.Window == p.Window && x.Pane == p.Pane
	})
}

// Where adds any condition; text says it in messages.
func (w Want[T]) Where(text string, is func(p strandline.Pane[T]) bool) Want[T] {
	return w.and(text, func(p *strandline.Pane[T]) bool { return is(*p) })
}

// In says which window the pane is of.
func (w Want[T]) In(win window.Interval) Want[T] {
	return w.and("in "+win.String(), func(p *strandline.Pane[T]) bool { return p.Window == win })
}

// At says the pane's event time (S5.8).
func (w Want[T]) At(t time.Time) Want[T] {
	return w.and("at "+etime.Format(etime.Micros(t)), func(p *strandline.Pane[T]) bool { return p.Time.Equal(t) })
}

// Early says that the pane came before the watermark reached its window's end.
func (w Want[T]) Early() Want[T] { return w.timing(trigger.Early) }

// OnTime says that the pane is the one that the watermark caused at its window's end.
func (w Want[T]) OnTime() Want[T] { return w.timing(trigger.OnTime) }

// Late says that the pane came after that.
func (w Want[T]) Late() Want[T] { return w.timing(trigger.Late) }

func (w Want[T]) timing(t trigger.Timing) Want[T] {
	return w.and(t.String(), func(p *strandline.Pane[T]) bool { return p.Timing == t })
}

// Index says which pane of its window it is, from 0.
func (w Want[T]) Index(i int64) Want[T] {
	return w.and(fmt.Sprintf("index %d", i), func(p *strandline.Pane[T]) bool { return p.Index == i })
}

// NonEarly says which of its window's panes that are not early it is, from 0; -1 for an early
// one.
func (w Want[T]) NonEarly(i int64) Want[T] {
	return w.and(fmt.Sprintf("index %d among the not early", i), func(p *strandline.Pane[T]) bool { return p.NonEarly == i })
}

// First says that it is its window's first pane.
func (w Want[T]) First() Want[T] {
	return w.and("first", func(p *strandline.Pane[T]) bool { return p.First })
}

// Last says that no later pane of its window can come.
func (w Want[T]) Last() Want[T] {
	return w.and("last", func(p *strandline.Pane[T]) bool { return p.Last })
}

// NotLast says that a later pane of its window may come.
func (w Want[T]) NotLast() Want[T] {
	return w.and("not last", func(p *strandline.Pane[T]) bool { return !p.Last })
}

// String is the pane as messages say it.
func (w Want[T]) String() string {
	if w.text == "" {
		return "any pane"
	}
	return w.text
}

func (w Want[T]) and(text string, is func(p *strandline.Pane[T]) bool) Want[T] {
	if w.text != "" {
		text = w.text + ", " + text
	}
	return Want[T]{text, append(w.parts[:len(w.parts):len(w.parts)], is)}
}

func (w Want[T]) fits(p *strandline.Pane[T]) bool {
	for _, is := range w.parts {
		if !is(p) {
			return false
		}
	}
	return true
}

// same says whether two values are equal in the sense of [Value].
func same[T any](a, b T) bool {
	switch x := any(a).(type) {
	case interface{ Equal(T) bool }:
		return x.Equal(b)
	case float64:
		return x == any(b).(float64) || math.IsNaN(x) && math.IsNaN(any(b).(float64))
	case float32:
		return x == any(b).(float32) || x != x && any(b).(float32) != any(b).(float32)
	}
	return reflect.DeepEqual(a, b)
}

// sameBag says whether two slices hold the same values as often, in any order.
func sameBag[T any](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	used := make([]bool, len(b))
next:
	for _, x := range a {
		for i, y := range b {
			if !used[i] && same(x, y) {
				used[i] = true
				continue next
			}
		}
		return false
	}
	return true
}
