package sketch

import (
	"errors"
	"fmt"

	"github.com/axiomhq/hyperloglog"
)

// Cardinality is the accumulator of [Distinct]. Its zero value has seen nothing. It must not be
// copied by assignment; its combiner's Clone does it.
type Cardinality struct {
	hll *hyperloglog.Sketch // nil: nothing
}

// precision is the number of bits of a hash that choose a register.
const precision = 14

func (c *Cardinality) insert(hash uint64) {
	if c.hll == nil {
		c.hll = hyperloglog.New14()
	}
	c.hll.InsertHash(hash)
}

func (c *Cardinality) merge(other *Cardinality) {
	switch {
	case other.hll == nil:
	case c.hll == nil:
		c.hll = other.hll
	default:
		if err := c.hll.Merge(other.hll); err != nil {
			panic("sketch: all accumulators have one precision: " + err.Error())
		}
	}
}

func (c *Cardinality) count() int64 {
	if c.hll == nil {
		return 0
	}
	return int64(c.hll.Estimate())
}

func (c *Cardinality) clone() Cardinality {
	if c.hll == nil {
		return Cardinality{}
	}
	return Cardinality{c.hll.Clone()}
}

// The encoding: nothing for nothing, else formatCardinality and the library's encoding, with the
// registers or with the hashes in ascending order, so that equal accumulators have equal bytes.
const (
	formatCardinality = 1

	// Of the library's encoding: see its UnmarshalBinary.
	atVersion, atPrecision, atSparse, atPending = 0, 1, 3, 4
	libraryVersion                              = 2
)

// AppendBinary implements encoding.BinaryAppender.
func (c *Cardinality) AppendBinary(dst []byte) ([]byte, error) {
	if c.hll == nil {
		return dst, nil
	}
	at := len(dst)
	out, err := c.hll.AppendBinary(append(dst, formatCardinality))
	if err != nil {
		return dst, err
	}
	if hll := out[at+1:]; hll[atSparse] == 0 || [4]byte(hll[atPending:]) == [4]byte{} {
		return out, nil
	}
	// Some hashes wait to be sorted in. It is done in a copy: writing changes nothing.
	sorted := c.hll.Clone()
	sorted.Estimate()
	return sorted.AppendBinary(out[:at+1])
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (c *Cardinality) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler. The bytes may be hostile: it reports
// what it cannot read, and then changes nothing.
func (c *Cardinality) UnmarshalBinary(b []byte) error {
	if len(b) == 0 {
		c.hll = nil
		return nil
	}
	if b[0] != formatCardinality {
		return fmt.Errorf("sketch: a cardinality of format %d; this program reads format %d", b[0], formatCardinality)
	}
	if b = b[1:]; len(b) < atPending+4 || b[atVersion] != libraryVersion || b[atPrecision] != precision {
		return errors.New("sketch: no cardinality of this precision")
	}
	var hll hyperloglog.Sketch
	if err := hll.UnmarshalBinary(b); err != nil {
		return fmt.Errorf("sketch: a damaged cardinality: %w", err)
	}
	c.hll = &hll
	return nil
}
