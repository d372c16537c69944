package rowio

import (
	"errors"
	"fmt"
	"io"

	"github.com/strandline-stream/strandline/internal/rowio/jsonrow"
)

// arrayLines makes lines of the elements of one JSON array: brackets and blanks around
// elements, and what ends lines within them, become blanks, and the commas between elements
// the ends of lines. No byte is added or taken away; in a position the line is the number of
// the element.
func arrayLines(in io.Reader) io.Reader { return &arrayReader{in: in} }

type arrayReader struct {
	in      io.Reader
	state   arrayState
	depth   int  // of brackets within the element
	text    bool // within a string
	escaped bool // the byte before is a backslash
	some    bool // the element has bytes
	count   int  // elements that have ended
	failed  error
}

type arrayState uint8

const (
	beforeArray arrayState = iota
	inArray
	afterArray
)

// ErrArray says that an input is not one JSON array.
var ErrArray = errors.New("not a JSON array")

func (a *arrayReader) Read(p []byte) (int, error) {
	if a.failed != nil {
		return 0, a.failed
	}
	n, err := a.in.Read(p)
	if at, wrong := a.change(p[:n]); wrong != nil {
		a.failed = wrong
		return at, wrong
	}
	if err == io.EOF && a.state != afterArray {
		switch {
		case a.state == beforeArray:
			err = fmt.Errorf("%w: it is empty", ErrArray)
		default:
			err = fmt.Errorf("%w: it ends within element %d: %w", ErrArray, a.count+1, io.ErrUnexpectedEOF)
		}
		a.failed = err
	}
	return n, err
}

// What a byte is outside of text.
const (
	other = iota
	blank
	comma
	opening
	closing
	quote
)

var class = [256]uint8{' ': blank, '\t': blank, '\n': blank, '\r': blank, ',': comma, '[': opening, '{': opening, ']': closing, '}': closing, '"': quote}

// change makes lines of p. If something is wrong it says after how many bytes.
func (a *arrayReader) change(p []byte) (int, error) {
	for i := 0; i < len(p); i++ {
		if a.text {
			if !a.escaped {
				if i += jsonrow.Ordinary(p[i:]); i == len(p) {
					break
				}
			}
			switch c := p[i]; {
			case a.escaped:
				a.escaped = false
			case c == '"':
				a.text = false
			case c == '\\':
				a.escaped = true
			case c == '\n' || c == '\r':
				p[i] = 0 // as malformed there as what it was, and it ends no line
			}
			continue
		}
		c := p[i]
		kind := class[c]
		switch {
		case kind == blank:
			p[i] = ' '
		case a.state != inArray:
			if err := a.around(p, i); err != nil {
				return i, err
			}
		case a.depth == 0 && (c == ',' || c == ']'):
			if !a.some && (c == ',' || a.count > 0) {
				return i, fmt.Errorf("%w: element %d is empty", ErrArray, a.count+1)
			}
			if p[i] = '\n'; a.some {
				a.count++
			}
			if a.some = false; c == ']' {
				a.state = afterArray
			}
		default:
			a.some = true
			switch kind {
			case quote:
				a.text = true
			case opening:
				a.depth++
			case closing:
				a.depth = max(0, a.depth-1)
			}
		}
	}
	return len(p), nil
}

// around looks at a byte before or after the array.
func (a *arrayReader) around(p []byte, i int) error {
	switch c := p[i]; {
	case a.state == afterArray:
		return fmt.Errorf("%w: something follows its end", ErrArray)
	case c == 0xef || c == 0xbb || c == 0xbf: // of a byte order mark
		p[i] = ' '
	case c == '[':
		a.state, p[i] = inArray, ' '
	default:
		return fmt.Errorf("%w: it begins with %q (if it has an object a line, its format is json)", ErrArray, c)
	}
	return nil
}
