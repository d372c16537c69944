package watermark

// EndOfInputStrategy waits for the end. See [EndOfInput].
type EndOfInputStrategy struct{}

var _ Strategy = EndOfInputStrategy{}

// EndOfInput keeps the watermark before everything until the input ends: batch mode, in which
// nothing is late (S9.1). The engine then moves it to "after everything" (S8.1). It is for
// bounded sources; on one that never ends, no window would ever fire on time.
func EndOfInput() EndOfInputStrategy { return EndOfInputStrategy{} }

// String gives "endOfInput()".
func (EndOfInputStrategy) String() string { return "endOfInput()" }

// Validate finds nothing wrong.
func (EndOfInputStrategy) Validate() error { return nil }

// Needs asks for nothing.
func (EndOfInputStrategy) Needs() Needs { return Needs{} }

// Start gives the generator of one split.
func (EndOfInputStrategy) Start() Generator { return standstill{} }

// standstill is the generator of [EndOfInput].
type standstill struct{}

func (standstill) Observe(c Columns, w []int64) (int64, error) {
	w = w[:len(c.At)]
	for i := range w {
		w[i] = never
	}
	return never, nil
}

func (standstill) W() int64                        { return never }
func (standstill) Tick(int64) int64                { return never }
func (standstill) Future() int64                   { return 0 }
func (standstill) AppendState(dst []int64) []int64 { return dst }

func (standstill) RestoreState(s []int64) error {
	if len(s) != 0 {
		return wrongState("endOfInput()", s)
	}
	return nil
}
