package watermark

import (
	"errors"
	"time"
)

// The limits of the poison guard, unless others are set.
const (
	DefaultMaxFutureSkew = 5 * time.Minute
	DefaultSupport       = time.Hour
)

// Guard is the poison guard of [Bounded] and [Ascending]: what a record from the far future may
// do to the watermark (S3.4). It makes a watermark later, never wrong. The record itself still
// goes to its window, and is counted, unless the pipeline asks for such records to be set aside.
//
// On a live source the clock is the judge: a record that is more than MaxFutureSkew past it
// does not move the watermark until the clock reaches its time. So a lone one moves nothing that
// an honest record could be behind, and where all clocks run fast the watermark still moves.
// The clock is the batch's, read once for all its records.
//
// On replay there is no clock, and the records judge each other: the watermark is driven by the
// greatest event time that another record supports, read before it or after it, by being at
// most Support behind it. Dense data never notices. A lone row from the future never moves the
// watermark. Sparse data, and the first record, is one record behind.
type Guard struct {
	// MaxFutureSkew is how far past the clock a record may be on a live source and still move
	// the watermark at once. Zero means [DefaultMaxFutureSkew].
	MaxFutureSkew time.Duration

	// Support is how far behind a record another may be and still support it on replay. Zero
	// means [DefaultSupport].
	Support time.Duration
}

func (g Guard) withDefaults() Guard {
	if g.MaxFutureSkew == 0 {
		g.MaxFutureSkew = DefaultMaxFutureSkew
	}
	if g.Support == 0 {
		g.Support = DefaultSupport
	}
	return g
}

func (g Guard) validate(of string) error {
	return errors.Join(behind(of, "guard's MaxFutureSkew", g.MaxFutureSkew), behind(of, "guard's Support", g.Support))
}

// text is what a guard adds to a strategy's canonical text: nothing if it is the default.
func (g Guard) text() string {
	g = g.withDefaults()
	if g == (Guard{}).withDefaults() {
		return ""
	}
	return ".guard(skew " + text(g.MaxFutureSkew) + ", support " + text(g.Support) + ")"
}
