package jsonl

import (
	"encoding/binary"
	"encoding/json/jsontext"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// scanner reads a line of JSON into a struct, and passes over what the struct has no field
// for. All of the line is checked to be JSON, as encoding/json/v2 does. What it does not take is
// not judged: package json does that, and finds the words for it.
//
// Its methods take a position in the line and give one, less than 0 if there is no such thing.
type scanner struct {
	program *program
	most    int  // levels of nesting
	lax     bool // keys of no use may be given twice
	notes   [][]byte

	line  []byte
	level int
	bytes uint64 // of all text, eight at a time and one over the other
	rest  []name // keys of no use of the objects that are being read, one object after the other
}

// maxRest is for how many keys of no use an object is looked through each time that one more comes.
const maxRest = 48

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// scan reads a line, from start on, into p. It must be zero.
func (s *scanner) scan(line []byte, start int, p unsafe.Pointer) bool {
	s.line, s.level, s.bytes, s.rest = line, 0, 0, s.rest[:0]
	clear(s.notes)
	i := s.object(start, s.program, p)
	s.line = nil
	return i >= 0 && skipBlank(line, i) == len(line) && (s.bytes&tops == 0 || utf8.Valid(line))
}

// object reads the object that begins at i.
func (s *scanner) object(i int, p *program, to unsafe.Pointer) int {
	if i >= len(s.line) || s.line[i] != '{' || s.level == s.most {
		return -1
	}
	s.level++
	if i = skipBlank(s.line, i+1); i < len(s.line) && s.line[i] == '}' {
		s.level--
		return i + 1
	}
	var seen keys
	others := len(s.rest)
	for {
		end, escaped := s.text(i)
		if end < 0 {
			return -1
		}
		key := s.line[i+1 : end-1]
		if escaped {
			key, _ = jsontext.AppendUnquote(nil, s.line[i:end])
		}
		if i = skipBlank(s.line, end); i >= len(s.line) || s.line[i] != ':' {
			return -1
		}
		i = skipBlank(s.line, i+1)
		if n := p.find(key); n < 0 {
			if !s.lax && !s.isNew(key, others) {
				return -1
			}
			i = s.value(i)
		} else if seen.again(n) {
			return -1
		} else {
			i = s.field(i, &p.entries[n], to)
		}
		if i < 0 {
			return -1
		}
		if i = skipBlank(s.line, i); i >= len(s.line) {
			return -1
		}
		switch s.line[i] {
		case ',':
			i = skipBlank(s.line, i+1)
		case '}':
			s.level--
			s.rest = s.rest[:others]
			return i + 1
		default:
			return -1
		}
	}
}

// name is a key with a number in which different keys rarely agree.
type name struct {
	sum  uint64
	text []byte
}

// isNew says whether a key is not among those of its object, which begin at others, and adds it to
// them. Of too many keys it does not know.
func (s *scanner) isNew(key []byte, others int) bool {
	n := name{uint64(len(key)), key}
	if len(key) >= 8 {
		n.sum += binary.LittleEndian.Uint64(key) ^ binary.LittleEndian.Uint64(key[len(key)-8:])<<8
	} else {
		for _, c := range key {
			n.sum = n.sum<<8 | uint64(c)
		}
	}
	for _, o := range s.rest[others:] {
		if o.sum == n.sum && string(o.text) == string(key) {
			return false
		}
	}
	s.rest = append(s.rest, n)
	return len(s.rest)-others <= maxRest
}

// keys are those of an object's entries that were given.
type keys [maxKeys / 64]uint64

// again says whether a key was given before, and remembers it.
func (k *keys) again(n int) bool {
	word, bit := &k[n/64], uint64(1)<<(n%64)
	before := *word&bit != 0
	*word |= bit
	return before
}

// field reads the value of a key that is of use.
func (s *scanner) field(i int, e *entry, to unsafe.Pointer) int {
	from := i
	switch {
	case e.read == nil:
		i = s.value(i)
	case e.null && i < len(s.line) && s.line[i] == 'n':
		i = s.literal(i, "null")
	default:
		i = e.read(s, i, unsafe.Add(to, e.offset))
	}
	if e.note >= 0 && i >= 0 {
		s.notes[e.note] = s.line[from:i]
	}
	return i
}

// value passes over any value.
func (s *scanner) value(i int) int {
	if i >= len(s.line) {
		return -1
	}
	switch s.line[i] {
	case '"':
		end, _ := s.text(i)
		return end
	case '{':
		return s.object(i, nothing, nil)
	case '[':
		return s.array(i)
	case 't':
		return s.literal(i, "true")
	case 'f':
		return s.literal(i, "false")
	case 'n':
		return s.literal(i, "null")
	}
	return s.number(i)
}

// nothing is the program of objects that are passed over.
var nothing = &program{}

func (s *scanner) array(i int) int {
	if s.level == s.most {
		return -1
	}
	s.level++
	if i = skipBlank(s.line, i+1); i < len(s.line) && s.line[i] == ']' {
		s.level--
		return i + 1
	}
	for {
		if i = s.value(i); i < 0 {
			return -1
		}
		if i = skipBlank(s.line, i); i >= len(s.line) {
			return -1
		}
		switch s.line[i] {
		case ',':
			i = skipBlank(s.line, i+1)
		case ']':
			s.level--
			return i + 1
		default:
			return -1
		}
	}
}

func (s *scanner) literal(i int, want string) int {
	if len(s.line)-i < len(want) || string(s.line[i:i+len(want)]) != want {
		return -1
	}
	return i + len(want)
}

// number passes over a number as JSON writes it. What follows is for the caller to judge.
func (s *scanner) number(i int) int {
	line := s.line
	if i < len(line) && line[i] == '-' {
		i++
	}
	switch {
	case i >= len(line) || !isDigit(line[i]):
		return -1
	case line[i] == '0':
		i++
	default:
		i = skipDigits(line, i)
	}
	if i < len(line) && line[i] == '.' {
		from := i + 1
		if i = skipDigits(line, from); i == from {
			return -1
		}
	}
	if i < len(line) && line[i]|0x20 == 'e' {
		if i++; i < len(line) && (line[i] == '+' || line[i] == '-') {
			i++
		}
		from := i
		if i = skipDigits(line, from); i == from {
			return -1
		}
	}
	return i
}

func skipDigits(line []byte, i int) int {
	for i < len(line) && isDigit(line[i]) {
		i++
	}
	return i
}

// string gives the text of the string that begins at i.
func (s *scanner) string(i int) (text []byte, end int) {
	end, escaped := s.text(i)
	if end < 0 {
		return nil, -1
	}
	if !escaped {
		return s.line[i+1 : end-1], end
	}
	text, err := jsontext.AppendUnquote(nil, s.line[i:end])
	if err != nil {
		return nil, -1
	}
	return text, end
}

// text passes over the string that begins at i.
func (s *scanner) text(i int) (end int, escaped bool) {
	line := s.line
	if i >= len(line) || line[i] != '"' {
		return -1, false
	}
	for i++; ; {
		// Eight bytes at a time: a byte of marks is not zero where there is a quote, a backslash
		// or a control character. Only above the first such byte it may be wrong.
		for len(line)-i >= 8 {
			w := binary.LittleEndian.Uint64(line[i:])
			quote, slash := w^'"'*ones, w^'\\'*ones
			marks := (quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w
			if marks &= tops; marks != 0 {
				n := bits.TrailingZeros64(marks) / 8
				s.bytes |= w & (1<<(8*n) - 1)
				i += n
				break
			}
			s.bytes |= w
			i += 8
		}
		if i >= len(line) {
			return -1, false
		}
		switch c := line[i]; {
		case c == '"':
			return i + 1, escaped
		case c == '\\':
			escaped = true
			if i = skipEscape(line, i); i < 0 {
				return -1, false
			}
		case c < ' ':
			return -1, false
		default:
			s.bytes |= uint64(c)
			i++
		}
	}
}

// skipEscape passes over the escape that begins at i. Halves of a pair of surrogates must come
// together.
func skipEscape(line []byte, i int) int {
	if i+1 >= len(line) {
		return -1
	}
	switch line[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		switch r := hex(line, i+2); {
		case r < 0 || 0xdc00 <= r && r < 0xe000:
			return -1
		case 0xd800 <= r && r < 0xdc00:
			if i += 6; i+1 >= len(line) || line[i] != '\\' || line[i+1] != 'u' {
				return -1
			}
			if low := hex(line, i+2); low < 0xdc00 || 0xe000 <= low {
				return -1
			}
		}
		return i + 6
	}
	return -1
}

// hex reads four hexadecimal digits; less than 0 if they are none.
func hex(line []byte, i int) int {
	if i+4 > len(line) {
		return -1
	}
	r := 0
	for _, c := range line[i : i+4] {
		switch {
		case isDigit(c):
			r = r<<4 | int(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | int(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}
