// Package instant reads timestamps that come by the million in almost the same text: what of
// RFC 3339 is the same as in the one before, up to the minute, is compared and not read again.
//
// Layer: under what makes rows, above connector/timestamp, which decides what a timestamp is.
package instant

import (
	"encoding/binary"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/swar"
)

// Parser reads timestamps of one layout; its fields are not to be changed. It serves one goroutine at a time.
type Parser struct {
	Layout timestamp.Layout
	Number bool // timestamps are numbers
	// Unit is how many microseconds a number's one is; 0 if timestamps are text, or one is less.
	Unit   int64
	rfc    bool      // of RFC 3339
	prefix [2]uint64 // the last minute, without its colon
	begin  int64     // of that minute, in microseconds since 1970
}

const minute = "2006-01-02T15:04:"

// New gives a parser for a layout.
func New(l timestamp.Layout) *Parser {
	return &Parser{Layout: l, Number: l.IsNumber(), Unit: units[l], rfc: l == timestamp.RFC3339}
}

var units = map[timestamp.Layout]int64{timestamp.Seconds: 1_000_000, timestamp.Millis: 1000, timestamp.Micros: 1}

// Micros is ParseMicros of the layout: the same instants and the same errors.
func (p *Parser) Micros(text []byte) (int64, error) {
	if p.rfc && len(text) >= len(minute)+len("05Z") && p.isMinute(text) {
		if us, ok := within(text[len(minute):]); ok {
			return p.begin + us, nil
		}
	}
	at, err := p.Layout.ParseMicros(text)
	if err == nil && p.rfc {
		if us, ok := within(text[len(minute):]); ok {
			p.prefix, p.begin = [2]uint64{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])}, at-us
		}
	}
	return at, err
}

// isMinute says whether text begins with the last minute. Comparing arrays of 17 bytes is a call,
// comparing two words and a byte is none.
func (p *Parser) isMinute(text []byte) bool {
	const colon = len(minute) - 1
	return binary.LittleEndian.Uint64(text) == p.prefix[0] && binary.LittleEndian.Uint64(text[8:]) == p.prefix[1] && text[colon] == ':'
}

// Quoted reads an instant in quotes, from the beginning of text on, and says how many bytes it takes:
// none if it is not in the same minute as the one before, or not written in the most usual way. Then
// nothing is known of it.
func (p *Parser) Quoted(text []byte) (us int64, n int) {
	const seconds = 1 + len(minute)
	if !p.rfc || len(text) < seconds+len(`05Z"`) || text[0] != '"' || !p.isMinute(text[1:]) {
		return 0, 0
	}
	z := seconds + len("05")
	if text[z] == '.' {
		for z++; z < len(text) && text[z]-'0' <= 9; z++ {
		}
	}
	if z+1 >= len(text) || text[z] != 'Z' || text[z+1] != '"' {
		return 0, 0
	}
	us, ok := within(text[seconds : z+1])
	if !ok {
		return 0, 0
	}
	return p.begin + us, z + 2
}

// ticks are the microseconds of the last of n digits behind the point.
var ticks = [...]int64{0, 100_000, 10_000, 1000, 100, 10, 1}

// within reads seconds in UTC, such as 05.123Z, as microseconds.
func within(s []byte) (us int64, ok bool) {
	tens, ones := s[0]-'0', s[1]-'0'
	if tens > 5 || ones > 9 {
		return 0, false
	}
	us = int64(tens)*10 + int64(ones)
	if s[2] == 'Z' && len(s) == 3 {
		return us * 1_000_000, true
	}
	fraction := s[3:] // with its Z
	if s[2] != '.' || len(fraction) < 2 || len(fraction) > 7 || fraction[len(fraction)-1] != 'Z' {
		return 0, false
	}
	n := len(fraction) - 1
	w := swar.Load(fraction) ^ swar.Zeroes
	if swar.NotDigits(w)<<(64-8*n) != 0 {
		return 0, false
	}
	return us*1_000_000 + swar.Number(w, n)*ticks[n], true
}
