package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lexString reads a string as Python does: what follows a backslash is an escape, or the
// backslash stands for itself. In a raw string it always does. The token begins at at, its
// first quote is at quote.
func lexString(text string, at, quote int, raw bool) (token, *Error) {
	delimiter := text[quote]
	var b strings.Builder
	for i := quote + 1; i < len(text); {
		c := text[i]
		switch {
		case c == delimiter:
			if i == quote+1 && i+1 < len(text) && text[i+1] == delimiter {
				return token{}, &Error{at, i + 2 - at, "strings of three quotes are not supported", "write 'text' or \"text\", and \\n for a new line"}
			}
			if !utf8.ValidString(b.String()) {
				return token{}, &Error{at, i + 1 - at, "the string is not valid UTF-8", ""}
			}
			return token{aString, b.String(), at, i + 1}, nil
		case c == '\n' || c == '\r':
			return token{}, unclosed(at, i)
		case c != '\\':
			b.WriteByte(c)
			i++
		case i+1 == len(text):
			return token{}, unclosed(at, i)
		case raw:
			if text[i+1] == '\n' || text[i+1] == '\r' {
				return token{}, unclosed(at, i)
			}
			b.WriteString(text[i : i+2]) // of a quote, too
			i += 2
		default:
			n, err := escape(&b, text[i:])
			if err != "" {
				return token{}, &Error{i, n, err, "write \\\\ for a backslash"}
			}
			i += n
		}
	}
	return token{}, unclosed(at, len(text))
}

func unclosed(at, end int) *Error {
	return &Error{at, max(1, end-at), "the string that begins here has no end", "a quote ends it, on the same line"}
}

var simpleEscapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// escape writes what the escape stands for that s begins with, and gives its length in bytes.
func escape(b *strings.Builder, s string) (n int, wrong string) {
	c := s[1]
	if is, ok := simpleEscapes[c]; ok {
		b.WriteByte(is)
		return 2, ""
	}
	digits, base, end := 0, 16, 2
	switch {
	case c == 'x':
		digits = 2
	case c == 'u':
		digits = 4
	case c == 'U':
		digits = 8
	case '0' <= c && c <= '7':
		base, end = 8, 1
		for digits < 3 && end+digits < len(s) && '0' <= s[end+digits] && s[end+digits] <= '7' {
			digits++
		}
	case c == 'N' || c == '\n' || c == '\r':
		return 2, fmt.Sprintf("the escape %q is not supported", s[:2])
	default:
		b.WriteByte('\\') // and what follows is text
		return 1, ""
	}
	if end+digits > len(s) {
		return len(s), fmt.Sprintf("the escape \\%c has %d digits", c, digits)
	}
	r, err := strconv.ParseUint(s[end:end+digits], base, 32)
	if err != nil {
		return 2, fmt.Sprintf("the escape \\%c has %d digits", c, digits)
	}
	if !utf8.ValidRune(rune(r)) || r > utf8.MaxRune {
		return end + digits, fmt.Sprintf("%s is no character", s[:end+digits])
	}
	b.WriteRune(rune(r))
	return end + digits, ""
}
