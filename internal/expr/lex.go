package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of a text.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 100      // of parentheses, lists, calls and signs within each other
	maxNodes = 10_000   // literals, names, operators and calls
)

type tokenKind uint8

const (
	atEnd tokenKind = iota
	aName           // text is the name
	quotedName
	anInt // text is its digits, with a prefix such as 0x
	aFloat
	aString // text is the content
	anOperator
)

// token is a word of the text, which has it at off to end.
type token struct {
	kind     tokenKind
	text     string
	off, end int
}

// operators, longer ones first. What the grammar does not have is here for a better message.
var operators = []string{
	"===", "!==", "**", "//", "==", "!=", "<=", ">=", "<>", "<<", ">>", "&&", "||", "??", "?.", "->", "=>", ":=",
	"+=", "-=", "*=", "/=", "::",
	"+", "-", "*", "/", "%", "<", ">", "=", "!", "(", ")", "[", "]", "{", "}", ",", ".", ":", "&", "|", "^", "~", "?", ";", "@", "$",
}

// lex cuts the text into tokens, the last of which is atEnd.
func lex(text string) ([]token, *Error) {
	if len(text) > maxText {
		return nil, &Error{0, 0, fmt.Sprintf("the expression has %d bytes", len(text)), fmt.Sprintf("at most %d are allowed", maxText)}
	}
	var tokens []token
	for at := 0; ; {
		at += space(text[at:])
		if at == len(text) {
			return append(tokens, token{atEnd, "", at, at}), nil
		}
		t, err := next(text, at)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		at = t.end
	}
}

// space is how many bytes of white space and comments the text begins with.
func space(text string) int {
	at := 0
	for at < len(text) {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			at++
		case c == '#':
			n := strings.IndexByte(text[at:], '\n')
			if n < 0 {
				return len(text)
			}
			at += n
		default:
			return at
		}
	}
	return at
}

func next(text string, at int) (token, *Error) {
	switch c := text[at]; {
	case c == '\'' || c == '"':
		return lexString(text, at, at, false)
	case c == '`':
		return lexQuotedName(text, at)
	case isDigit(c), c == '.' && at+1 < len(text) && isDigit(text[at+1]):
		return lexNumber(text, at)
	}
	if n := nameLength(text[at:]); n > 0 {
		name := text[at : at+n]
		if quote := at + n; quote < len(text) && (text[quote] == '\'' || text[quote] == '"') {
			switch strings.ToLower(name) {
			case "r":
				return lexString(text, at, quote, true)
			case "f", "b", "u", "rb", "br", "fr", "rf":
				return token{}, &Error{at, n + 1, fmt.Sprintf("strings with the prefix %s are not supported", name),
					"write 'text' without a prefix, and join values with + and str(x)"}
			}
		}
		return token{aName, name, at, at + n}, nil
	}
	for _, op := range operators {
		if strings.HasPrefix(text[at:], op) {
			return token{anOperator, op, at, at + len(op)}, nil
		}
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	if r == utf8.RuneError && size == 1 {
		return token{}, &Error{at, 1, "the text is not valid UTF-8", ""}
	}
	hint := ""
	switch r {
	case '‘', '’', '“', '”', '„', '«', '»':
		hint = "write straight quotes, ' or \""
	case '−', '–', '—':
		hint = "write -"
	case '×':
		hint = "write *"
	case '≠', '≤', '≥':
		hint = "write !=, <= or >="
	}
	return token{}, &Error{at, size, fmt.Sprintf("the character %q has no meaning here", r), hint}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// nameLength is how many bytes of a name the text begins with: letters, digits and
// underscores, not a digit first.
func nameLength(text string) int {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)) {
			return i
		}
	}
	return len(text)
}

// lexQuotedName reads a name between backticks; a doubled backtick is one of the name.
func lexQuotedName(text string, at int) (token, *Error) {
	var name strings.Builder
	for i := at + 1; i < len(text) && text[i] >= ' '; i++ {
		if text[i] != '`' {
			name.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == '`' {
			name.WriteByte('`')
			i++
			continue
		}
		if !utf8.ValidString(name.String()) {
			return token{}, &Error{at, i + 1 - at, "the name is not valid UTF-8", ""}
		}
		return token{quotedName, name.String(), at, i + 1}, nil
	}
	return token{}, &Error{at, 1, "the name that begins here has no end", "write another ` after it, on the same line"}
}

// lexNumber reads a number as Python writes it.
func lexNumber(text string, at int) (token, *Error) {
	end := at
	for end < len(text) {
		c := text[end]
		sign := (c == '+' || c == '-') && (text[end-1] == 'e' || text[end-1] == 'E') && !isPrefixed(text[at:end])
		if !sign && c != '.' && c != '_' && !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'z') {
			break
		}
		end++
	}
	word := text[at:end]
	t := token{anInt, word, at, end}
	refuse := func(message, hint string) (token, *Error) {
		return token{}, &Error{at, end - at, message, hint}
	}
	if strings.HasSuffix(word, "_") || strings.Contains(word, "__") {
		return refuse(fmt.Sprintf("%q is not a number", word), "an underscore stands between two digits")
	}
	switch {
	case isPrefixed(word):
		if _, err := strconv.ParseUint(word, 0, 64); err != nil && !isRange(err) {
			return refuse(fmt.Sprintf("%q is not a number", word), "")
		}
		return t, nil
	case strings.Trim(word, "0123456789_") == "":
		if digits := strings.TrimLeft(word, "0_"); digits != "" && word[0] == '0' {
			return refuse(fmt.Sprintf("%q begins with a zero", word), fmt.Sprintf("write %s, or 0o%s if it is octal", digits, digits))
		}
		return t, nil
	}
	t.kind, t.text = aFloat, strings.ReplaceAll(word, "_", "")
	if _, err := strconv.ParseFloat(t.text, 64); err != nil && !isRange(err) || underscoreAtEdge(word) {
		return refuse(fmt.Sprintf("%q is not a number", word), "")
	}
	return t, nil
}

// isPrefixed says whether a number is written in another base.
func isPrefixed(word string) bool {
	return len(word) > 1 && word[0] == '0' && strings.IndexByte("xXoObB", word[1]) >= 0
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// underscoreAtEdge says whether an underscore is not between two digits.
func underscoreAtEdge(word string) bool {
	for i := range len(word) {
		if word[i] == '_' && (i == 0 || i+1 == len(word) || !isDigit(word[i-1]) || !isDigit(word[i+1])) {
			return true
		}
	}
	return false
}
