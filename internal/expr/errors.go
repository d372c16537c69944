package expr

import (
	"strings"
	"unicode/utf8"
)

// Error is a mistake in the text of an expression.
type Error struct {
	// Offset and Length are the bytes of the text that are meant. Length is 0 only at its end.
	Offset, Length int
	// Message says what is wrong, Hint what to do about it; Hint may be empty.
	Message, Hint string
}

// Error gives message and hint on one line.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ": " + e.Hint
}

// frameWidth is how many characters of a line a frame shows.
const frameWidth = 100

// Frame gives the line of the text that the mistake is in, and below it carets under the
// mistake. Of a long line it gives the part around the mistake. It ends without a newline.
func (e *Error) Frame(text string) string {
	offset := min(max(e.Offset, 0), len(text))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	before, after := []rune(text[start:offset]), []rune(text[offset:end])
	carets := utf8.RuneCountInString(text[offset:min(end, offset+max(e.Length, 0))])
	const context = frameWidth / 2
	if len(before) > context && len(before)+len(after) > frameWidth {
		before = append([]rune("..."), before[len(before)-context:]...)
	}
	if len(after) > context && len(before)+len(after) > frameWidth {
		after = append(after[:context:context], []rune("...")...)
		carets = min(carets, context)
	}

	var b strings.Builder
	line := func(rs []rune) {
		for _, r := range rs {
			if r < ' ' && r != '\t' {
				r = ' '
			}
			b.WriteRune(r)
		}
	}
	line(before)
	line(after)
	b.WriteByte('\n')
	for _, r := range before {
		if r == '\t' {
			b.WriteByte('\t') // as wide as above
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteString(strings.Repeat("^", max(carets, 1)))
	return b.String()
}

// Errors are all mistakes of one text, in its order. A nil Errors says that there are none:
// compare it with nil before it becomes an error.
type Errors []*Error

// Error gives the mistakes, one a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors is how many mistakes are told of one text.
const maxErrors = 20

// nearest gives the one of names that a mistaken name may have meant, "" if none is near. A
// third of the letters may be wrong, at most three.
func nearest(name string, names []string) string {
	best, least := "", min(3, (len(name)+2)/3)+1
	for _, known := range names {
		n := distance(fold(name), fold(known), least+1)
		if n < least || n == least && best != "" && known < best {
			best, least = known, n
		}
	}
	return best
}

// fold takes away what names of different styles differ in: is_null and isNull are near.
func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// distance counts the letters to insert, delete or replace, to exchange two neighbours counting
// as one (Damerau 1964). It gives most if it is that or more.
func distance(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most || len(a) > 256 || len(b) > 256 {
		return most
	}
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return min(last[len(b)], most)
}
