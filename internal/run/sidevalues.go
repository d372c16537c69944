package run

import (
	"fmt"

	"github.com/strandline-stream/strandline/trigger"
)

// SideValue is what a window of a side input holds if it has one value: that of the last pane.
type SideValue[S any] struct {
	V     S
	index int64
	any   bool
}

// GatherValue takes a value. A second one that is not of a later pane is an error.
func GatherValue[S any](c *SideValue[S], p trigger.Pane, v *S) error {
	if c.any && p.Index <= c.index {
		return fmt.Errorf("it has more than one value, %+v and %+v: combine them first, or take them as a list or a map", c.V, *v)
	}
	*c = SideValue[S]{*v, p.Index, true}
	return nil
}

// GatherList takes a value into a list.
func GatherList[S any](c *[]S, _ trigger.Pane, v *S) error {
	*c = append(*c, *v)
	return nil
}

// SideMap is what a window of a side input holds if its values have keys: for each that of the
// last pane.
type SideMap[K comparable, S any] struct {
	M     map[K]S
	index map[K]int64
}

// GatherMap takes a key with its value. A second value of a key that is not of a later pane is an
// error.
func GatherMap[K comparable, S any](c *SideMap[K, S], p trigger.Pane, v *KV[K, S]) error {
	if c.M == nil {
		c.M, c.index = map[K]S{}, map[K]int64{}
	}
	if index, ok := c.index[v.Key]; ok && p.Index <= index {
		return fmt.Errorf("key %v has more than one value, %+v and %+v: combine them per key first, or take them as a list", v.Key, c.M[v.Key], v.Value)
	}
	c.M[v.Key], c.index[v.Key] = v.Value, p.Index
	return nil
}
