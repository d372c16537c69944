package delimited

import (
	"bytes"
	"encoding/binary"

	"github.com/strandline-stream/strandline/internal/swar"
)

// Span is how many bytes of a record [Dialect.Ends] looks at.
const Span = 64

// Ends says where fields end in the first 64 bytes of a record without quotes: bit i is set if a
// delimiter is at i, or the end of the record.
func (d Dialect) Ends(record []byte) (ends uint64) {
	if cap(record) < Span { // mostly there is a next record behind it
		var own [Span]byte
		copy(own[:], record)
		ends = delimiters(&own, swar.All(d.Delimiter))
	} else {
		ends = delimiters((*[Span]byte)(record[:Span]), swar.All(d.Delimiter))
	}
	if n := len(record); n < Span {
		ends = ends&(1<<n-1) | 1<<n
	}
	return ends
}

// Fields counts the fields of a record without quotes.
func (d Dialect) Fields(record []byte) int { return bytes.Count(record, []byte{d.Delimiter}) + 1 }

// delimiters says where delimiters are. A loop would take twice the time.
func delimiters(text *[Span]byte, all uint64) uint64 {
	word := func(at int) uint64 { return swar.Bits(swar.Differ(binary.LittleEndian.Uint64(text[at:]), all)) }
	return ^(word(0) | word(8)<<8 | word(16)<<16 | word(24)<<24 | word(32)<<32 | word(40)<<40 | word(48)<<48 | word(56)<<56)
}
