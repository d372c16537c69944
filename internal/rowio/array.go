package rowio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// change makes lines of p. If something is wrong it says after how many bytes.
func (a *arrayReader) change(p []byte) (int, error) {
	for i := 0; i < len(p); i++ {
		c := p[i]
		if a.text {
			switch {
			case a.escaped:
				a.escaped = false
			case c == '"':
				a.text = false
			case c == '\\':
				a.escaped = true
			case c == '\n' || c == '\r':
				p[i] = 0 // as malformed there as what it was, and it ends no line
			default:
				if j := bytes.IndexAny(p[i:min(len(p), i+64)], "\"\\\n\r"); j > 0 {
					i += j - 1
				}
			}
			continue
		}
		blank := c == ' ' || c == '\t' || c == '\n' || c == '\r'
		if blank {
			p[i] = ' '
			continue
		}
		switch {
		case a.state == beforeArray:
			if c == 0xef || c == 0xbb || c == 0xbf { // a byte order mark
				p[i] = ' '
				continue
			}
			if c != '[' {
				return i, fmt.Errorf("%w: it begins with %q (if it has an object a line, its format is json)", ErrArray, c)
			}
			a.state, p[i] = inArray, ' '
		case a.state == afterArray:
			return i, fmt.Errorf("%w: something follows its end", ErrArray)
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
			switch c {
			case '"':
				a.text = true
			case '{', '[':
				a.depth++
			case '}', ']':
				a.depth = max(0, a.depth-1)
			}
		}
	}
	return len(p), nil
}
