package combine

import "errors"

// Combiner aggregates values of type V in an accumulator A and gives an O (S7.1). Merging
// partial accumulators in any grouping must give what adding one after another gives.
//
// A combiner is stateless and safe for concurrent use; an accumulator belongs to one worker.
// The zero value of A need not be valid: Create makes one.
type Combiner[V, A, O any] interface {
	// Create gives an accumulator that no element has reached. It shares nothing with others.
	Create() A
	// Add takes v into acc. The element is only valid during the call: it is copied, or what
	// is needed of it, never kept by its address.
	Add(acc *A, v *V)
	// Merge takes other into acc. It may consume other, which is not used afterwards.
	Merge(acc, other *A)
	// Extract gives the result so far. It leaves acc as it was, since an accumulating window
	// extracts many times, and the result shares no memory that a later call writes. An error
	// is the error of that pane, which goes to the dead letters (ErrOverflow), except ErrEmpty,
	// which says that there is no value.
	Extract(acc *A) (O, error)
}

// Batcher is an optional fast path: vs[i] is added to accs[slots[i]], one call a batch instead
// of one an element. The slices slots and vs are of one length; a slot may occur many times. A
// combiner that is Timed is never given AddBatch.
type Batcher[V, A any] interface {
	AddBatch(accs []A, slots []uint32, vs []V)
}

// Timed is for combiners that look at the event time (First, Last): AddAt is called instead of
// Add, with the element's event time in microseconds (S1.1). Ask with AsTimed.
type Timed[V, A any] interface {
	AddAt(acc *A, v *V, at int64)
}

// Cloner is needed where A holds slices or maps: Clone gives a copy that goes its own way, for
// an engine that must keep both (a sliding window merges slices that the next one needs too).
// Without it an accumulator is copied by assignment.
type Cloner[A any] interface {
	Clone(acc *A) A
}

// Subtractor is the optional inverse of Add: acc is afterwards as if v, which was added before,
// had not been. Retractions are refused by combiners without it (S5.9). A combiner that has an
// inverse only as it was built may say so with a method CanSubtract() bool. Ask with AsSubtractor.
type Subtractor[V, A any] interface {
	Subtract(acc *A, v *V)
}

// Neutral is optional: true says that Extract(Create()) is a value that means something (a
// count of 0, an empty list), which a discarding pane without new elements then shows (S5.6).
// Combiners without it, or with false, give ErrEmpty there.
type Neutral interface {
	Neutral() bool
}

// Validator is optional: what is wrong with a combiner as it was built (a function that is
// missing), for the engine to report when the pipeline is built.
type Validator interface {
	Validate() error
}

var (
	// ErrEmpty is Extract's error on an accumulator that no value has reached, of a combiner
	// without a neutral value: there is nothing to show, and nothing has gone wrong.
	ErrEmpty = errors.New("combine: no value")
	// ErrOverflow is Extract's error when a result does not fit its type (S7.3). The
	// accumulator is still exact: a later pane may fit again.
	ErrOverflow = errors.New("combine: overflow")
)

// AsTimed tells whether c looks at event times, and gives its AddAt. Combiners that are made of
// others (Of, NonNull, Both) have the method in any case; this asks those inside.
func AsTimed[V, A, O any](c Combiner[V, A, O]) (Timed[V, A], bool) {
	t, ok := c.(Timed[V, A])
	if w, wraps := c.(wrapper); ok && wraps && !w.timed() {
		return nil, false
	}
	return t, ok
}

// AsSubtractor tells whether c has an inverse, and gives it. Combiners that are made of others
// have the method in any case; this asks those inside.
func AsSubtractor[V, A, O any](c Combiner[V, A, O]) (Subtractor[V, A], bool) {
	s, ok := c.(Subtractor[V, A])
	if w, wraps := c.(wrapper); ok && wraps && !w.subtracts() {
		return nil, false
	}
	if can, asks := c.(interface{ CanSubtract() bool }); ok && asks && !can.CanSubtract() {
		return nil, false
	}
	return s, ok
}

// wrapper is a combiner made of others, whose methods promise more than those inside may keep.
type wrapper interface {
	timed() bool
	subtracts() bool
}

// HasNeutral tells whether c gives a value of nothing: see Neutral.
func HasNeutral(c any) bool {
	n, ok := c.(Neutral)
	return ok && n.Neutral()
}

// Fold combines vs one after another, as a single worker does. The event time of an element is
// its index.
func Fold[V, A, O any](c Combiner[V, A, O], vs []V) (O, error) {
	acc := c.Create()
	timed, ok := AsTimed(c)
	for i := range vs {
		if ok {
			timed.AddAt(&acc, &vs[i], int64(i))
		} else {
			c.Add(&acc, &vs[i])
		}
	}
	return c.Extract(&acc)
}
