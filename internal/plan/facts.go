package plan

// Facts are what a reader of the plan is told of a step beyond its line: what it was asked for,
// and how the engine will do it. They are no part of the fingerprint. An empty one does not apply.
type Facts struct {
	// Watermark is where the watermark of a source comes from, and Times where its event times do.
	Watermark, Times string
	// Key is the encoding of the keys by which elements come together.
	Key string
	// Windows, Trigger, Lateness, Panes and OutputTime are what a grouping was asked for.
	Windows, Trigger, Lateness, Panes, OutputTime string
	// State is what is kept, and how long; Fallback why it is the general kind and not a faster one.
	State, Fallback string
	// Partial says what is accumulated before the exchange, or why nothing is.
	Partial string
	// Arrival says why the answer may depend on the order of arrival or on the clock (S9.1).
	Arrival string
}
