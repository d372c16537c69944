package jsonrow

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/instant"
)

// MaxDepth is how deep arrays and objects may nest; [1] has depth 1.
const MaxDepth = 128

// Options say what a decoder reads.
type Options struct {
	// Schema types the fields of the objects.
	Schema record.Schema
	// Fields are those in use: the values of a row, in order. A dot steps into an object unless
	// the schema has a field of the whole name. One given twice is an error.
	Fields []string
	// Time is the path of the event time, "" if there is none, and Layout how it is written.
	// It need not be among Fields, nor in the schema.
	Time   string
	Layout timestamp.Layout
	// Loose lets null stand in the place of any type: for schemas that were inferred. By
	// default a value that is missing or null makes the record malformed unless its type is
	// nullable.
	Loose bool
	// Hint is appended to messages about values that do not fit the schema.
	Hint string
	// Seen, if not nil, is called with the text of each event time before it is read, until
	// [Decoder.SeenEnough].
	Seen func(text []byte)
}

// object says what of a JSON object is in use.
type object struct {
	fields []field
	lens   uint64 // bit n is set if a key has n bytes; bit 63 if one has 63 or more
	byName map[string]int32
	musts  int      // fields that must be there
	expect []expect // the key at each place of the object before
}

// field is a key in use.
type field struct {
	key   string
	path  string
	typ   record.Type
	kind  record.Kind
	slot  int // where its value goes; -1: nowhere
	time  bool
	leads bool // an object that the event time is in
	must  bool
	null  bool   // it may be null
	stamp uint64 // the last object that had it

	within *object  // what paths lead to
	names  []string // of a Struct
	fields *object  // of a Struct
	elem   *field   // of a List
}

// expect is the key at a place, with its colon and the blanks around both.
type expect struct {
	lo, loMask, hi, hiMask uint64
	n                      int
	length                 int   // of the value that stood there last
	field                  int32 // -1: of no use
	misses                 int32 // how often another key stood there
	inner                  *object
	rest                   string
}

// maxExpect is for how many places of an object keys are remembered.
const maxExpect = 256

// maxKey is how long they may be then, with what is around them.
const maxKey = 256

// maxLearnt is how many places of all objects are remembered.
const maxLearnt = 1 << 14

// maxMisses is how often a place is learnt anew: where keys come and go it is not worth it.
const maxMisses = 100

// fewKeys is up to how many keys are compared one by one.
const fewKeys = 8

func (o *object) find(key []byte) int32 {
	if o.lens>>min(len(key), 63)&1 == 0 {
		return -1
	}
	if o.byName != nil {
		if i, ok := o.byName[string(key)]; ok {
			return i
		}
		return -1
	}
	for i := range o.fields {
		if o.fields[i].key == string(key) {
			return int32(i)
		}
	}
	return -1
}

// add gives the field of a key, a new one if there is none.
func (o *object) add(key string) *field {
	if i := o.find([]byte(key)); i >= 0 {
		return &o.fields[i]
	}
	o.fields = append(o.fields, field{key: key, slot: -1, null: true})
	o.lens |= 1 << min(len(key), 63)
	if n := len(o.fields); o.byName != nil {
		o.byName[key] = int32(n - 1)
	} else if n > fewKeys {
		o.byName = map[string]int32{}
		for i := range o.fields {
			o.byName[o.fields[i].key] = int32(i)
		}
	}
	return &o.fields[len(o.fields)-1]
}

// New compiles a decoder.
func New(o Options) (*Decoder, error) {
	d := &Decoder{timed: o.Time != "", timeField: o.Time, times: instant.New(o.Layout), plain: instant.New(timestamp.RFC3339), loose: o.Loose, hint: o.Hint, seen: o.Seen, root: &object{}}
	d.rows.Width = len(o.Fields)
	for slot, path := range o.Fields {
		typ, keys, ok := Find(o.Schema, path)
		if !ok {
			return nil, fmt.Errorf("there is no field %q, but %s", path, strings.Join(o.Schema.Names(), ", "))
		}
		f := d.want(keys)
		if f.slot >= 0 {
			return nil, fmt.Errorf("field %q is asked for twice", path)
		}
		f.slot = slot
		d.typed(f, path, typ)
	}
	if d.timed {
		var keys []string
		if _, found, ok := Find(o.Schema, o.Time); ok {
			keys = found
		} else {
			keys = strings.Split(o.Time, ".")
		}
		f := d.want(keys)
		f.time = true
		if f.slot < 0 {
			f.path, f.kind, f.typ = o.Time, record.Time, record.Type{Kind: record.Time}
		}
	}
	d.finish(d.root)
	return d, nil
}

// Find gives the type of a path in a schema, and the keys that lead there.
func Find(s record.Schema, path string) (typ record.Type, keys []string, ok bool) {
	if i := s.Index(path); i >= 0 {
		return s[i].Type, []string{path}, true
	}
	for i := range len(path) {
		if path[i] != '.' {
			continue
		}
		j := s.Index(path[:i])
		if j < 0 {
			continue
		}
		switch outer := s[j].Type; {
		case outer.Kind == record.Any, outer.Kind == record.Struct && len(outer.Fields) == 0:
			return record.Type{Kind: record.Any, Nullable: true}, append([]string{path[:i]}, strings.Split(path[i+1:], ".")...), true
		case outer.Kind == record.Struct:
			if typ, keys, ok := Find(outer.Fields, path[i+1:]); ok {
				typ.Nullable = typ.Nullable || outer.Nullable
				return typ, append([]string{path[:i]}, keys...), true
			}
		}
	}
	return record.Type{}, nil, false
}

// want gives the field that keys lead to.
func (d *Decoder) want(keys []string) *field {
	o := d.root
	for len(keys) > 1 {
		f := o.add(keys[0])
		if f.path == "" {
			f.path = keys[0]
			f.typ = record.Type{Kind: record.Struct, Nullable: true}
		}
		if f.within == nil {
			f.within = &object{}
		}
		o, keys = f.within, keys[1:]
	}
	return o.add(keys[0])
}

// typed makes f a field of a type.
func (d *Decoder) typed(f *field, path string, t record.Type) {
	f.path, f.typ, f.kind = path, t, t.Kind
	f.null = d.loose || t.Nullable || t.Kind == record.Any || t.Kind == record.Null
	switch t.Kind {
	case record.List:
		f.elem = &field{slot: -1}
		elem := record.Type{Kind: record.Any, Nullable: true}
		if t.Elem != nil {
			elem = *t.Elem
		}
		d.typed(f.elem, path+"[]", elem)
	case record.Struct:
		if len(t.Fields) == 0 {
			break
		}
		f.fields = &object{}
		for i, inner := range t.Fields {
			f.names = append(f.names, inner.Name)
			g := f.fields.add(inner.Name)
			g.slot = i
			d.typed(g, path+"."+inner.Name, inner.Type)
		}
		d.finish(f.fields)
	}
}

// finish counts what must be there.
func (d *Decoder) finish(o *object) {
	o.musts = 0
	for i := range o.fields {
		f := &o.fields[i]
		if f.within != nil {
			d.finish(f.within)
			for j := range f.within.fields {
				g := &f.within.fields[j]
				f.leads = f.leads || g.time || g.leads
			}
		}
		f.must = f.time || f.leads || f.slot >= 0 && !f.null || f.within != nil && f.within.musts > 0
		if f.must {
			f.null = f.null && !f.time && !f.leads && (f.within == nil || f.within.musts == 0)
			o.musts++
		}
	}
}
