package run

// Whoever is handed a value may keep it. For values that refer to memory of their own that costs a
// new piece of it for each. So a reader may lend them instead: they are good during the call that
// hands them over, and their memory is then used again. It is told to if every step that they come
// to borrows: it looks at them and keeps none, or keeps copies ([owner]).

// lender is a reader that can lend its values: until the next Read. Lend, before the first, says
// whether it does.
type lender interface{ Lend() bool }

// borrower is an input that says whether it can do with values that are lent.
type borrower interface{ borrows() bool }

// Borrower is a combiner that says whether it can do with values that are lent: whether what it
// adds leaves nothing of the value itself in an accumulator.
type Borrower interface{ Borrows() bool }

// borrows says whether all consumers can do with values that are lent.
func (o *Out[B]) borrows() bool {
	for _, in := range o.to {
		if b, ok := in.(borrower); !ok || !b.borrows() {
			return false
		}
	}
	return true
}

// owner gives a function that puts copies in the place of lent values, which may be kept; nil if
// values of the type cannot be lent.
func owner[T any]() func([]T) {
	var none T
	if o, ok := any(none).(interface{ OwnAll([]T) }); ok {
		return o.OwnAll
	}
	return nil
}

// own puts copies in the place of values if they are lent.
func own[T any](lent bool, vs []T) {
	if lent {
		owner[T]()(vs)
	}
}

// owned is v, or a copy if it is lent.
func owned[T any](lent bool, v T) T {
	if !lent {
		return v
	}
	one := [1]T{v}
	own(lent, one[:])
	return one[0]
}
