package jsonl

import (
	"bytes"
	"encoding/json/jsontext"
	"strings"
)

// The functions of this file look into lines without decoding them. All but tooDeep want
// valid JSON, and are several times faster for it than a decoder.

// tooDeep says whether arrays and objects are nested deeper than most. It must be safe with
// any bytes, since it comes first.
func tooDeep(line []byte, most int) bool {
	// Brackets within text only make the count too high, and the count is fast.
	if bytes.Count(line, []byte("{"))+bytes.Count(line, []byte("[")) <= most {
		return false
	}
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			i = skipString(line, i) - 1
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// find gives the value of a field of an object, as it is written, or nil if there is none.
// A field of the whole name comes before one that dots lead to.
func find(line []byte, field string) []byte {
	i := skipBlank(line, 0)
	if i == len(line) || line[i] != '{' {
		return nil
	}
	var within []byte
	for i = skipBlank(line, i+1); line[i] != '}'; {
		end := skipString(line, i)
		name := line[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name, _ = jsontext.AppendUnquote(nil, line[i:end])
		}
		i = skipBlank(line, skipBlank(line, end)+1) // over the colon
		end = skipValue(line, i)
		switch {
		case string(name) == field:
			return line[i:end]
		case len(name) < len(field) && field[len(name)] == '.' && strings.HasPrefix(field, string(name)):
			if value := find(line[i:end], field[len(name)+1:]); value != nil {
				within = value
			}
		}
		i = skipBlank(line, end)
		if line[i] == ',' {
			i = skipBlank(line, i+1)
		}
	}
	return within
}

func skipBlank(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == '\n') {
		i++
	}
	return i
}

// skipString gives the position after the string that begins at i.
func skipString(line []byte, i int) int {
	for i++; i < len(line); i++ {
		quote := bytes.IndexByte(line[i:], '"')
		if quote < 0 {
			return len(line)
		}
		i += quote
		escapes := i
		for line[escapes-1] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 0 {
			return i + 1
		}
	}
	return len(line)
}

// skipValue gives the position after the value that begins at i.
func skipValue(line []byte, i int) int {
	switch line[i] {
	case '"':
		return skipString(line, i)
	case '{', '[':
		depth := 0
		for ; i < len(line); i++ {
			switch line[i] {
			case '"':
				i = skipString(line, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return i
	}
	for i < len(line) && !strings.ContainsRune(",}] \t\r\n", rune(line[i])) {
		i++
	}
	return i
}
