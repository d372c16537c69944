package watermark

// Strategy is how the watermark of one source split is derived (S3.2). It is an inert value,
// and is shared by all splits: what changes is in the [Generator] of each. Safe for concurrent
// use.
//
// One whose arrivals or punctuations are in the record is also an [Arriver] or a [Marker] for
// the type of the records.
type Strategy interface {
	// String is canonical text for the plan's fingerprint, such as "bounded(5s)": strategies
	// of equal text derive equal watermarks from equal columns. Functions of the user do not
	// show in it. Options show where they differ from their default.
	String() string

	// Validate reports everything that is wrong with the parameters, joined into one error,
	// or nil.
	Validate() error

	// Start gives a fresh generator for one split, whose watermark is before everything: a
	// replay of old data starts its own. It may panic if Validate reports an error.
	Start() Generator

	// Needs says which columns Observe reads besides the event times.
	Needs() Needs
}

// Needs says which columns of [Columns] a strategy wants filled.
type Needs struct {
	Arrival bool // the arrival of each record
	Mark    bool // the punctuation in each record
	Now     bool // the processing time of the batch, on live runs
}

// Columns is what one split has read in one batch, in the order of reading. Instants are
// microseconds since 1970-01-01T00:00:00Z. The slices are of equal length; the caller owns
// them, and they are used only during the call of Observe.
type Columns struct {
	// At is the event time of each record, etime.Min for a record without one: that moves
	// nothing.
	At []int64

	// Arrival is when each record arrived: as recorded in it on replay, by the clock on live
	// runs; etime.Min if unknown. Nil unless needed.
	Arrival []int64

	// Mark is the punctuation in each record, etime.Min for none. Nil unless needed.
	Mark []int64

	// Now is the processing time of the batch, read once for all its records; etime.Min on
	// replay and in batch mode.
	Now int64

	// Live says that the records are being made now, so that the clock can judge them. False
	// on replay and in batch mode, where no result may depend on the clock (S1.6).
	Live bool
}

// live says whether a clock can judge the records.
func (c Columns) live() bool { return c.Live && c.Now != never }

// Generator turns what one split reads into the split's watermark, record by record, so that
// the size of batches shows in no watermark (S3.7). Its watermark starts before everything and
// never moves backwards (S3.1). Not safe for concurrent use.
type Generator interface {
	// Observe takes in a batch. It sets w[i], for every record i, to the watermark against
	// which that record is judged: that of the records before it, for strategies based on
	// arrival including the record's own arrival (S3.7). It returns the watermark after the
	// last record. len(w) must be at least len(c.At); neither w nor a column is kept.
	//
	// A punctuation that would move the watermark backwards is a *[BackwardsError]. Then w is
	// set up to and including the record that it names, the records before that one have been
	// taken in, and the rest has not.
	Observe(c Columns, w []int64) (after int64, err error)

	// W gives the watermark after all that was taken in, in microseconds.
	W() int64

	// Tick tells the processing time, in microseconds, to a split whose stage is idle
	// altogether, and returns the watermark. It moves the watermark only where the strategy
	// asks for IdleAdvance. The engine calls it on live runs only, while S3.3 holds: every
	// split is idle and nothing downstream is blocked. What the move closes is the engine's
	// to mark and count.
	Tick(now int64) int64

	// Future counts the records that the poison guard has found to be from the future (S3.4).
	// Strategies without a guard give 0.
	Future() int64

	// AppendState appends all that the generator remembers to dst, as plain numbers for a
	// checkpoint, and returns the extended slice (S11.3).
	AppendState(dst []int64) []int64

	// RestoreState makes the generator one that goes on where the one that gave s by
	// AppendState stood. S must come from the same strategy. It reports an s that cannot have,
	// and then changes nothing. It does not keep s.
	RestoreState(s []int64) error
}

// Sifter is a generator whose poison guard names the records that it has found to be from the
// future, so that they can be set aside (S3.4).
type Sifter interface {
	Generator

	// Odd gives the places of those records in the batch that Observe took in last, in ascending
	// order. -1 is the last record of the batch before, of which Fresh said that it was still to
	// be judged. The slice is valid until the next call of Observe.
	Odd() []int

	// Fresh says that the last record taken in is ahead of all others, and that the next one will
	// tell whether it is from the future. Never on a live source, where the clock tells at once.
	Fresh() bool
}

// Marker is a strategy that reads punctuations from records of type T.
type Marker[T any] interface {
	Strategy
	// Mark gives the punctuation in *v in microseconds, etime.Min for none. It does not keep v.
	Mark(v *T) int64
}

// Arriver is a strategy that reads the recorded arrival from records of type T.
type Arriver[T any] interface {
	Strategy
	// ArrivalOf gives the arrival of *v in microseconds. It does not keep v.
	ArrivalOf(v *T) int64
}
