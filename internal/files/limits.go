package files

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// ErrExpands says that compressed input becomes more than its limits allow.
var ErrExpands = errors.New("decompresses to too much")

// Limits bounds what one compressed input may become, so that a small file cannot keep a run
// busy for days. Plain input has no such bounds. Memory does not depend on them.
type Limits struct {
	// Size is the greatest number of bytes after decompression; 0 is no bound.
	Size int64
	// Ratio is the greatest number of bytes after decompression for each byte before, judged
	// from 64 MiB on; 0 is no bound.
	Ratio int64
	// Read, if set, is added the bytes that are read, before decompression: no bound, but a way
	// to see how far the reading has come.
	Read *atomic.Int64
}

// Default is no bound on the size, and [DefaultRatio].
var Default = Limits{Ratio: DefaultRatio}

// DefaultRatio is above what real data reaches: text compresses five to thirtyfold.
const DefaultRatio = 1000

// ratioFrom is how many bytes may come out of anything.
const ratioFrom = 64 << 20

// Check gives what is wrong with the limits themselves.
func (l Limits) Check() error {
	var problems []error
	if l.Size < 0 {
		problems = append(problems, fmt.Errorf("MaxDecompressed(%d): 0 is no bound, and less has no meaning", l.Size))
	}
	if l.Ratio < 0 {
		problems = append(problems, fmt.Errorf("MaxRatio(%d): 0 is no bound, and less has no meaning", l.Ratio))
	}
	return errors.Join(problems...)
}

// check judges bytes given for bytes read.
func (l Limits) check(given, read int64) error {
	switch {
	case l.Size > 0 && given > l.Size:
		return fmt.Errorf("the compressed data %w: more than %d bytes (see MaxDecompressed)", ErrExpands, l.Size)
	case l.Ratio > 0 && given > ratioFrom && given/l.Ratio > read:
		return fmt.Errorf("the compressed data %w: %d bytes from %d, more than %d times as many (see MaxRatio)", ErrExpands, given, read, l.Ratio)
	}
	return nil
}
