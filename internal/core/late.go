package core

import "github.com/strandline-stream/strandline/internal/etime"

// Way is where an element goes with respect to one of its windows.
type Way uint8

const (
	// OnTime: the window has not ended, even if the element itself is behind the watermark (S4.3).
	OnTime Way = iota
	// Kept: the window has ended, but allowed lateness has not.
	Kept
	// Dropped: allowed lateness is over. The element goes to the late output (S4.4).
	Dropped
)

// Judge says which way an element goes, given the watermark of its verdict, the instant at
// which its window is due, and the allowed lateness (S4.3).
func Judge(w, due, lateness int64) Way {
	switch {
	case w < due:
		return OnTime
	case w < Expiry(due, lateness):
		return Kept
	}
	return Dropped
}

// Expiry is the watermark at which a window's state is forgotten (S4.2).
func Expiry(due, lateness int64) int64 { return etime.Add(due, lateness) }
