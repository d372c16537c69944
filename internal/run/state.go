package run

import (
	"math/bits"
	"reflect"
)

// held books n entries of state more, or fewer: accumulators of a key and window (of sliding
// windows: of a key and slice), elements where a step keeps elements, values of a key. It is called
// for what is new and for what is forgotten, not for every element.
//
// The peak is that before the input has ended. What the end brings, everything at once, is no
// state that a run has to bear.
func (o *op) held(n int64) {
	if o.unbooked {
		return
	}
	c := o.n
	c.State += n
	if c.State > c.StatePeak && !o.ended {
		c.StatePeak = c.State
	}
}

// sizing estimates the bytes of an entry of state by looking at some of them.
type sizing struct {
	fixed  int64 // of every entry: its key, its place in a table
	least  int64 // of a value of which none was looked at
	sum, n int64 // of those that were looked at
}

// see looks at the value that p points to.
func (z *sizing) see(p any) {
	z.sum += deep(reflect.ValueOf(p).Elem())
	z.n++
}

// add takes in what another worker has seen.
func (z *sizing) add(other sizing) {
	z.fixed, z.least = other.fixed, other.least
	z.sum += other.sum
	z.n += other.n
}

// entry is the estimate for one entry.
func (z *sizing) entry() int64 {
	if z.n == 0 {
		return z.fixed + z.least
	}
	return z.fixed + z.sum/z.n
}

// doubled says whether a count that goes from before to after passes a power of two: that is how
// often a value is looked at.
func doubled(before, after int64) bool {
	return bits.Len64(uint64(before)) != bits.Len64(uint64(after))
}

const (
	several = 64   // how many elements of a slice or map stand for all
	enough  = 1000 // how many values are looked at in all
)

// deep gives the bytes of a value with what it points to.
func deep(v reflect.Value) int64 {
	left := enough
	return int64(v.Type().Size()) + beyond(v, &left)
}

// beyond gives the bytes of what a value points to, as far as left values go.
func beyond(v reflect.Value, left *int) (n int64) {
	if *left--; *left < 0 {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return int64(v.Elem().Type().Size()) + beyond(v.Elem(), left)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += beyond(v.Field(i), left)
		}
	case reflect.Array:
		for i := range min(v.Len(), several) {
			n += beyond(v.Index(i), left)
		}
	case reflect.Slice:
		looked := min(v.Len(), several)
		for i := range looked {
			n += beyond(v.Index(i), left)
		}
		if looked > 0 {
			n = n * int64(v.Len()) / int64(looked)
		}
		n += int64(v.Cap()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		looked := 0
		for i := v.MapRange(); looked < several && i.Next(); looked++ {
			n += int64(i.Key().Type().Size()+i.Value().Type().Size()) + beyond(i.Key(), left) + beyond(i.Value(), left)
		}
		if looked > 0 {
			n = n * int64(v.Len()) / int64(looked)
		}
	}
	return n
}

// sizeOf gives the bytes of a T without what it points to.
func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// sized reports the size of a step's entries, and nothing else.
type sized struct {
	op
	sizes *sizing
}

func (s *sized) report(r *StepReport) { r.sizes.add(*s.sizes) }

// ending notes whether the elements at hand are given because the input has ended.
func (o *front[K, V]) ending(c *Cols) {
	if c.Ended != o.ended {
		o.end(c.Ended)
	}
}

// end notes whether what is kept and given from here on is so because the input has ended.
func (o *front[K, V]) end(ended bool) {
	o.ended = ended
	for _, e := range o.outs {
		e.end(ended)
	}
}
