package parquetrow

import (
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/strandline-stream/strandline/internal/record"
)

// What a row group holds at most; it is in memory until it is complete, compressed.
const (
	groupRows  = 1 << 20
	groupBytes = 64 << 20 // before compression
)

// dictionaryBytes is how large a column's dictionary becomes before its text is written as it
// is.
const dictionaryBytes = 1 << 20

// Writer writes rows of one schema as a Parquet file: what may be null is optional, a timestamp
// is one of microseconds in UTC, text may be in a dictionary, and all is compressed by Snappy.
type Writer struct {
	out     *parquet.Writer
	fields  []*field
	columns [][]parquet.Value // what Put was given since the last write
	before  []int             // how much of that there was before a row
	rows    int               // of the row group
	bytes   int
}

// field is how a value lies in columns.
type field struct {
	name     string
	kind     record.Kind
	optional bool
	rep      int // of a list: the repetition level of its items after the first
	children []*field
	from, to int // its columns
}

// CheckSchema gives what of a schema cannot be written.
func CheckSchema(s record.Schema) error {
	var problems []error
	for _, f := range s {
		problems = append(problems, checkType(f.Name, f.Type))
	}
	if len(s) == 0 {
		problems = append(problems, errors.New("rows without fields cannot be written as Parquet"))
	}
	return errors.Join(problems...)
}

func checkType(name string, t record.Type) error {
	switch t.Kind {
	case record.Any, record.Null:
		return fmt.Errorf("field %q may hold any type, and a column of Parquet has just one: cast it to one, or write JSON", name)
	case record.List:
		if t.Elem == nil {
			return checkType(name, record.Type{Kind: record.Any})
		}
		return checkType(name, *t.Elem)
	case record.Struct:
		if len(t.Fields) == 0 {
			return fmt.Errorf("field %q is an object without fields, which Parquet does not know: leave it out", name)
		}
		var problems []error
		for i, f := range t.Fields {
			if record.Schema(t.Fields).Index(f.Name) < i {
				problems = append(problems, fmt.Errorf("field %q has two fields %q", name, f.Name))
			}
			problems = append(problems, checkType(name+"."+f.Name, f.Type))
		}
		return errors.Join(problems...)
	}
	return nil
}

// NewWriter begins a file. The schema is one that [CheckSchema] has nothing against.
func NewWriter(to io.Writer, s record.Schema) *Writer {
	w := &Writer{}
	names := make([]string, len(s))
	group := parquet.Group{}
	for i, f := range s {
		w.fields = append(w.fields, w.field(f.Name, f.Type, 0))
		names[i], group[f.Name] = f.Name, nodeOf(f.Type)
	}
	w.out = parquet.NewWriter(to,
		parquet.NewSchema("row", ordered{group, names}),
		parquet.Compression(&parquet.Snappy),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.CreatedBy("strandline", "1", ""),
	)
	return w
}

// ordered is a group whose fields are in an order of their own.
type ordered struct {
	parquet.Group
	names []string
}

func (o ordered) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}

func nodeOf(t record.Type) (n parquet.Node) {
	switch t.Kind {
	case record.Bool:
		n = parquet.Leaf(parquet.BooleanType)
	case record.Int:
		n = parquet.Leaf(parquet.Int64Type)
	case record.Float:
		n = parquet.Leaf(parquet.DoubleType)
	case record.String:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	case record.Time:
		n = parquet.TimestampAdjusted(parquet.Microsecond, true)
	case record.List:
		n = parquet.List(nodeOf(*t.Elem))
	case record.Struct:
		group, names := parquet.Group{}, make([]string, len(t.Fields))
		for i, f := range t.Fields {
			names[i], group[f.Name] = f.Name, nodeOf(f.Type)
		}
		n = ordered{group, names}
	default:
		n = parquet.Leaf(parquet.ByteArrayType)
	}
	if t.Nullable {
		n = parquet.Optional(n)
	}
	return n
}

func (w *Writer) field(name string, t record.Type, rep int) *field {
	f := &field{name: name, kind: t.Kind, optional: t.Nullable, from: len(w.columns)}
	switch t.Kind {
	case record.List:
		f.rep = rep + 1
		f.children = []*field{w.field(name, *t.Elem, f.rep)}
	case record.Struct:
		for _, c := range t.Fields {
			f.children = append(f.children, w.field(c.Name, c.Type, rep))
		}
	default:
		w.columns = append(w.columns, nil)
	}
	f.to = len(w.columns)
	return f
}

// Put adds a row, and keeps what its values point to until the next [Writer.Write]. A value
// that does not fit the schema is an error, and nothing of its row is there.
func (w *Writer) Put(row []record.Value) error {
	w.before = w.before[:0]
	for _, c := range w.columns {
		w.before = append(w.before, len(c))
	}
	for i, f := range w.fields {
		if err := w.put(f, row[i], 0, 0); err != nil {
			for k := range w.columns {
				w.columns[k] = w.columns[k][:w.before[k]]
			}
			return err
		}
	}
	w.rows++
	return nil
}

func (w *Writer) put(f *field, v record.Value, rep, def int) error {
	if v.IsNull() {
		if !f.optional {
			return fmt.Errorf("field %q is null, and its type says that it is not", f.name)
		}
		w.nothing(f, rep, def)
		return nil
	}
	if f.optional {
		def++
	}
	if k := v.Kind(); k != f.kind && (k != record.Int || f.kind != record.Float) {
		return fmt.Errorf("field %q is %v, and its type says %v", f.name, k, f.kind)
	}
	switch f.kind {
	case record.List:
		items := v.List()
		if len(items) == 0 {
			w.nothing(f, rep, def)
		}
		for i, item := range items {
			if i > 0 {
				rep = f.rep
			}
			if err := w.put(f.children[0], item, rep, def+1); err != nil {
				return err
			}
		}
		return nil
	case record.Struct:
		return w.object(f, v.Struct(), rep, def)
	}
	w.bytes += 8
	w.columns[f.from] = append(w.columns[f.from], w.scalar(f, v).Level(rep, def, f.from))
	return nil
}

// nothing puts null in all columns of a field: itself is null, or an empty list.
func (w *Writer) nothing(f *field, rep, def int) {
	w.bytes++
	for i := f.from; i < f.to; i++ {
		w.columns[i] = append(w.columns[i], parquet.NullValue().Level(rep, def, i))
	}
}

func (w *Writer) object(f *field, v *record.Nested, rep, def int) error {
	found := 0
	for i, c := range f.children {
		var value record.Value
		if i < len(v.Names) && v.Names[i] == c.name {
			value = v.Values[i]
			found++
		} else {
			for k, name := range v.Names {
				if name == c.name {
					value = v.Values[k]
					found++
					break
				}
			}
		}
		if err := w.put(c, value, rep, def); err != nil {
			return err
		}
	}
	if found < len(v.Names) {
		return fmt.Errorf("field %q has fields that its type has not: %v", f.name, v.Names)
	}
	return nil
}

func (w *Writer) scalar(f *field, v record.Value) parquet.Value {
	switch f.kind {
	case record.Bool:
		return parquet.BooleanValue(v.Bool())
	case record.Int:
		return parquet.Int64Value(v.Int())
	case record.Float:
		x, _ := v.Number()
		return parquet.DoubleValue(x)
	case record.Time:
		return parquet.Int64Value(v.Time())
	case record.String:
		s := v.Str()
		w.bytes += len(s)
		return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s)))
	}
	w.bytes += len(v.Bytes())
	return parquet.ByteArrayValue(v.Bytes())
}

// Write takes over what was put, and ends the row group if it is large enough.
func (w *Writer) Write() error {
	columns := w.out.ColumnWriters()
	for i, values := range w.columns {
		if len(values) == 0 {
			continue
		}
		if _, err := columns[i].WriteRowValues(values); err != nil {
			return err
		}
		clear(values) // so that nothing is kept alive
		w.columns[i] = values[:0]
	}
	if w.rows < groupRows && w.bytes < groupBytes {
		return nil
	}
	w.rows, w.bytes = 0, 0
	return w.out.Flush()
}

// Close writes the last row group and the footer: then the file is complete.
func (w *Writer) Close() error {
	if err := w.Write(); err != nil {
		return err
	}
	return w.out.Close()
}
