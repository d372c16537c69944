// Package slab is memory for rows that come by the million: they and their text are cut from
// larger pieces, so that the garbage collector has few things to look after. A row that is
// kept keeps its whole piece; pieces are small for that. Rows that nobody keeps can be lent.
//
// Layer: under what makes rows.
package slab

import (
	"unsafe"

	"github.com/strandline-stream/strandline/internal/record"
)

// How many rows share memory, and how many bytes of text. An empty Text or Rows is ready for
// use; they serve one goroutine at a time.
const (
	rowsAPiece  = 64
	bytesAPiece = 4 << 10

	word = 16 // bytes that are moved at once
)

// Rows gives rows of one width.
type Rows struct {
	Width int
	piece []record.Value
	used  int

	lends bool
	lent  [][]record.Value // pieces before the one at hand
	spare [][]record.Value // pieces that were given back
}

// Next is a row of nulls. Until [Rows.Take] it is the same at each call.
func (s *Rows) Next() record.Row {
	to := s.used + s.Width
	if to > len(s.piece) {
		s.turn()
		to = s.Width
	}
	return s.piece[s.used:to:to]
}

// turn begins another piece.
func (s *Rows) turn() {
	if s.lends && s.piece != nil {
		s.lent = append(s.lent, s.piece)
	}
	if s.used = 0; len(s.spare) > 0 {
		last := len(s.spare) - 1
		s.piece, s.spare = s.spare[last], s.spare[:last]
		return
	}
	s.piece = make([]record.Value, rowsAPiece*s.Width)
}

// Lend says that rows are lent from now on. Each call of back gives back all that were taken:
// they are rows of nulls then, until their memory is used again.
func (s *Rows) Lend() (back func()) {
	s.lends = true
	return s.back
}

func (s *Rows) back() {
	for _, piece := range s.lent {
		clear(piece)
	}
	clear(s.piece[:s.used])
	s.spare, s.lent, s.used = append(s.spare, s.lent...), s.lent[:0], 0
}

// Take says that the row of Next is in use.
func (s *Rows) Take() { s.used += s.Width }

// Text gives strings.
type Text struct{ piece []byte }

// Keep copies text.
func (s *Text) Keep(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if len(text) > cap(s.piece)-len(s.piece) {
		if len(text) > bytesAPiece/4 {
			return string(text)
		}
		s.piece = make([]byte, 0, bytesAPiece)
	}
	from := len(s.piece)
	if len(text) <= word && cap(text) >= word && cap(s.piece)-from >= word {
		s.piece = s.piece[:from+word] // a move of one size, and what is too much is overwritten by the next
		*(*[word]byte)(s.piece[from:]) = *(*[word]byte)(text[:word])
		s.piece = s.piece[:from+len(text)]
		return unsafe.String(unsafe.SliceData(s.piece[from:]), len(text))
	}
	s.piece = append(s.piece, text...) // what is before stays as it is
	return unsafe.String(unsafe.SliceData(s.piece[from:]), len(text))
}
