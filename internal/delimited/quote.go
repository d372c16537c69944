package delimited

import "bytes"

// AppendQuoted appends a field in quotes.
func AppendQuoted(to, text []byte) []byte {
	to = append(to, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		to = append(append(to, text[:i]...), `""`...)
		text = text[i+1:]
	}
	return append(append(to, text...), '"')
}

// IsPlain says whether a field needs no quotes. One that begins like a comment gets them.
func (d Dialect) IsPlain(text []byte) bool {
	for _, c := range text {
		if c == d.Delimiter || c == '"' || c == '\n' || c == '\r' {
			return false
		}
	}
	return len(text) > 0 && text[0] != '#'
}
