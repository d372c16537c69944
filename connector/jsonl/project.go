package jsonl

import (
	"encoding"
	"encoding/json/v2"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/number"
)

// program says how an object is read into a struct.
type program struct {
	entries []entry
	lengths uint64 // bit n is set if a key has n bytes; bit 63 if one has 63 or more
	noted   []int  // for each name that was given, where its value is noted
	notes   int
}

// entry is a key that is of use.
type entry struct {
	key    string
	read   read // nil if the value is only noted
	offset uintptr
	null   bool // null leaves the field as it is, and read is not asked
	note   int  // where the scanner notes the value, from 0 on; -1 if it does not
}

// read reads the value that begins at i into p, and gives where it ends; less than 0 if it
// cannot.
type read func(s *scanner, i int, p unsafe.Pointer) int

// maxKeys is how many keys of one object can be told apart.
const maxKeys = 256

// compile makes the program for a struct type. The names are of fields whose values are noted.
func compile(t reflect.Type, names []string) (*program, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("Project reads into structs, and %v is none", t)
	}
	if ownDecoding(t) {
		return nil, fmt.Errorf("Project: %v decodes itself", t)
	}
	p, err := programs{}.of(t)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		e := p.want(name)
		if e.note < 0 {
			e.note = p.notes
			p.notes++
		}
		p.noted = append(p.noted, e.note)
		if first, _, dotted := strings.Cut(name, "."); dotted {
			p.want(first) // and it is not given twice
		}
	}
	if len(p.entries) > maxKeys {
		return nil, fmt.Errorf("Project: %v has %d fields, more than %d", t, len(p.entries), maxKeys)
	}
	return p, nil
}

// want gives the entry of a key, a new one if there is none.
func (p *program) want(key string) *entry {
	i := p.find([]byte(key))
	if i < 0 {
		i = len(p.entries)
		p.add(entry{key: key})
	}
	return &p.entries[i]
}

func (p *program) add(e entry) {
	e.note = -1
	p.entries = append(p.entries, e)
	p.lengths |= 1 << min(len(e.key), 63)
}

// find gives the entry of a key, or -1. Most keys are of no use, and found so by their length.
func (p *program) find(key []byte) int {
	if p.lengths>>min(len(key), 63)&1 == 0 {
		return -1
	}
	for i := range p.entries {
		if p.entries[i].key == string(key) {
			return i
		}
	}
	return -1
}

// programs are those of structs within structs.
type programs map[reflect.Type]*program

func (ps programs) of(t reflect.Type) (*program, error) {
	if p := ps[t]; p != nil {
		return p, nil
	}
	p := &program{}
	ps[t] = p
	return p, ps.fields(p, t, t, 0)
}

// fields adds those of a struct at an offset of type t.
func (ps programs) fields(p *program, t, part reflect.Type, offset uintptr) error {
	for f := range part.Fields() {
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		problem := func(why string) error {
			return fmt.Errorf("Project cannot read field %s of %v: %s", f.Name, t, why)
		}
		if f.Anonymous && name == "" {
			if f.Type.Kind() != reflect.Struct || options != "" || ownDecoding(f.Type) {
				return problem("it is embedded, and no plain struct")
			}
			if err := ps.fields(p, t, f.Type, offset+f.Offset); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			return problem("it is not exported")
		}
		if strings.ContainsAny(name, "'\"\\`") {
			return problem("its name is quoted")
		}
		if !tagged || name == "" {
			name = f.Name
		}
		for option := range strings.SplitSeq(options, ",") {
			if option != "" && option != "omitempty" && option != "omitzero" {
				return problem("of the option " + option)
			}
		}
		if p.find([]byte(name)) >= 0 {
			return problem(fmt.Sprintf("there are two of the name %q", name))
		}
		e, err := ps.entry(f.Type)
		if err != nil {
			return err
		}
		e.key, e.offset = name, offset+f.Offset
		p.add(e)
	}
	return nil
}

// entry says how a value of a type is read.
func (ps programs) entry(t reflect.Type) (entry, error) {
	if ownDecoding(t) {
		if t == reflect.TypeFor[time.Time]() {
			return entry{read: readTime, null: true}, nil
		}
		return entry{read: readAny(t)}, nil
	}
	switch k := t.Kind(); {
	case number.Setter(k) != nil:
		return entry{read: readNumber(number.Setter(k)), null: true}, nil
	case k == reflect.String:
		return entry{read: readString, null: true}, nil
	case k == reflect.Bool:
		return entry{read: readBool, null: true}, nil
	case k == reflect.Struct:
		p, err := ps.of(t)
		if err == nil && len(p.entries) > maxKeys {
			err = errors.New("Project: " + t.String() + " has too many fields")
		}
		return entry{read: func(s *scanner, i int, to unsafe.Pointer) int { return s.object(i, p, to) }, null: true}, err
	case k == reflect.Pointer && !ownDecoding(t.Elem()):
		switch k := t.Elem().Kind(); {
		case number.Setter(k) != nil:
			return entry{read: readNew(t.Elem(), readNumber(number.Setter(k))), null: true}, nil
		case k == reflect.String:
			return entry{read: readNew(t.Elem(), readString), null: true}, nil
		case k == reflect.Bool:
			return entry{read: readNew(t.Elem(), readBool), null: true}, nil
		}
	}
	return entry{read: readAny(t)}, nil
}

// ownDecoding says whether a type is not read by its kind.
func ownDecoding(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Duration]() {
		return true
	}
	for _, own := range []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[json.UnmarshalerFrom](), reflect.TypeFor[encoding.TextUnmarshaler]()} {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}
