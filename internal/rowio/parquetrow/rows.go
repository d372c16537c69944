package parquetrow

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/format"

	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/slab"
)

// Options say what to read.
type Options struct {
	// Schema is that of the table: the file's, or the union of the files'. Fields that the
	// file has not are null. Defaults to the file's.
	Schema record.Schema
	// Fields are those of a row, in order.
	Fields []string
	// Also is one more field, which is no part of the row; a dot steps into an object. "" is
	// none.
	Also string
}

// Batch is some rows.
type Batch struct {
	Rows []record.Row
	Also []record.Value // for each row, if it was asked for
	Bad  []Bad

	numbers []int64
	slab    slab.Rows
	back    func() // of the slab; nil if rows may be kept
}

// Lend says that nobody keeps rows of the batch beyond the next [Rows.Read] into it.
func (b *Batch) Lend() { b.back = b.slab.Lend() }

// reset empties the batch for rows of a width.
func (b *Batch) reset(width int) {
	if b.back != nil {
		b.back()
	}
	b.Rows, b.Also, b.Bad, b.numbers, b.slab.Width = b.Rows[:0], b.Also[:0], nil, b.numbers[:0], width
}

// Number is which row of the file row i is, from 1 on.
func (b *Batch) Number(i int) int64 { return b.numbers[i] }

// Bad is a row that has a value which cannot be in one: it is not among the rows.
type Bad struct {
	Row    int64 // of the file, from 1 on
	Values record.Row
	Err    error
}

// Rows reads the rows of a file in order.
type Rows struct {
	file    *File
	fields  []*column
	also    []string // the path of one more field
	alsoAt  int      // where it is in the row; -1 if it is no part of that
	width   int      // of rows
	cursors []*cursor

	group int   // row groups that were opened
	left  int64 // rows of the one that is open
	done  int64 // rows of the file
	extra []record.Value
	bad   []Bad
	err   error // of the next call
}

// column is a field of rows.
type column struct {
	name string
	node *node // nil if the file has none
	slot int   // in the row; -1 if it is no part of it
	pass bool  // it is only counted
}

// Rows begins to read. What is wrong with the fields is an error.
func (f *File) Rows(o Options) (*Rows, error) {
	if o.Schema == nil {
		o.Schema = f.types
	}
	r := &Rows{file: f, width: len(o.Fields)}
	for i, name := range o.Fields {
		if err := r.add(o.Schema, name, i); err != nil {
			return nil, err
		}
	}
	if o.Also != "" {
		if r.also = Path(o.Schema, o.Also); r.also == nil {
			return nil, fmt.Errorf("there is no field %q, but %s", o.Also, strings.Join(o.Schema.Names(), ", "))
		}
		if r.alsoAt = slices.Index(o.Fields, r.also[0]); r.alsoAt < 0 {
			if err := r.add(just(o.Schema, r.also), r.also[0], -1); err != nil {
				return nil, err
			}
		}
	}
	if len(r.cursors) == 0 {
		r.count()
	}
	return r, nil
}

// add reads one more field.
func (r *Rows) add(s record.Schema, name string, slot int) error {
	i := s.Index(name)
	if i < 0 {
		return fmt.Errorf("there is no field %q, but %s", name, strings.Join(s.Names(), ", "))
	}
	c := &column{name: name, slot: slot}
	r.fields = append(r.fields, c)
	k := slices.Index(r.file.root.names, name)
	if k < 0 {
		return nil
	}
	var err error
	if c.node, err = r.file.root.children[k].as(s[i].Type); err == nil {
		c.node.columns(r.cursor)
	}
	return err
}

func (r *Rows) cursor(n *node) *cursor {
	c := &cursor{name: n.name, index: n.index}
	r.cursors = append(r.cursors, c)
	return c
}

// count reads the smallest column just to see that there are as many rows as the file says.
func (r *Rows) count() {
	groups := r.file.file.Metadata().RowGroups
	if len(groups) == 0 {
		return
	}
	smallest := slices.MinFunc(r.file.root.leaves(nil), func(a, b *node) int {
		return cmp.Compare(sizeOf(groups, a), sizeOf(groups, b))
	})
	n := *smallest
	n.columns(r.cursor)
	r.fields = append(r.fields, &column{name: n.name, node: &n, slot: -1, pass: true})
}

func sizeOf(groups []format.RowGroup, n *node) (size int64) {
	for _, g := range groups {
		size += g.Columns[n.index].MetaData.TotalCompressedSize
	}
	return size
}

// leaves lists the scalars below a node.
func (n *node) leaves(to []*node) []*node {
	if n.shape == scalar {
		return append(to, n)
	}
	for _, c := range n.children {
		to = c.leaves(to)
	}
	return to
}

// Close releases memory. It does not close the file.
func (r *Rows) Close() {
	for _, c := range r.cursors {
		c.close()
	}
}

// Read replaces a batch by up to max of the next rows, all of one row group. After the last it
// gives io.EOF. Any other error names the row group and the column; rows before it were given.
func (r *Rows) Read(max int, b *Batch) error {
	b.reset(r.width)
	if r.err != nil {
		return r.err
	}
	for r.left == 0 {
		if r.group == len(r.file.file.RowGroups()) {
			return io.EOF
		}
		if r.err = r.open(); r.err != nil {
			return r.err
		}
	}
	n := int(min(int64(max), r.left))
	r.bad = nil
	for range n {
		b.Rows = append(b.Rows, b.slab.Next())
		b.slab.Take()
	}
	r.extra = slices.Grow(r.extra[:0], n)[:n]
	whole := n
	for _, c := range r.fields {
		got, err := r.fill(c, b.Rows[:whole])
		if err != nil {
			whole = got
			r.err = fmt.Errorf("row group %d, row %d, column %q: %w", r.group, r.done+int64(got)+1, c.name, err)
		}
	}
	r.settle(b, whole)
	r.left -= int64(whole)
	r.done += int64(whole)
	if r.left == 0 && r.err == nil {
		r.err = r.end()
	}
	if whole == 0 {
		return r.err
	}
	return nil
}

// open begins with the next row group.
func (r *Rows) open() (err error) {
	defer rescue(&err)
	r.group++
	for _, c := range r.cursors {
		c.close()
		if err := c.open(r.file, r.group-1); err != nil {
			return fmt.Errorf("row group %d, column %q: %w", r.group, c.name, err)
		}
	}
	r.left = r.file.file.RowGroups()[r.group-1].NumRows()
	return nil
}

// end sees that no column has more than its row group.
func (r *Rows) end() (err error) {
	defer rescue(&err)
	for _, c := range r.cursors {
		v, err := c.peek()
		if err == nil && v != nil {
			err = fmt.Errorf("%w: it has more values than its row group has rows", ErrDamaged)
		}
		if err != nil {
			return fmt.Errorf("row group %d, column %q: %w", r.group, c.name, err)
		}
	}
	return nil
}

// settle takes malformed rows out of a batch, and those that are not whole.
func (r *Rows) settle(b *Batch, whole int) {
	slices.SortStableFunc(r.bad, func(x, y Bad) int { return cmp.Compare(x.Row, y.Row) })
	kept, bad := 0, r.bad
	for i := range whole {
		if len(bad) > 0 && bad[0].Row == int64(i) {
			first := bad[0]
			for len(bad) > 0 && bad[0].Row == int64(i) {
				bad = bad[1:] // its other mistakes
			}
			first.Row, first.Values = r.done+int64(i)+1, b.Rows[i]
			b.Bad = append(b.Bad, first)
			continue
		}
		if kept < i {
			b.Rows[kept] = b.Rows[i]
		}
		b.numbers = append(b.numbers, r.done+int64(i)+1)
		if r.also != nil {
			v := r.extra[i]
			if r.alsoAt >= 0 {
				v = b.Rows[i][r.alsoAt]
			}
			b.Also = append(b.Also, within(v, r.also[1:]))
		}
		kept++
	}
	b.Rows = b.Rows[:kept]
}

// fill reads a field of some rows, and says of how many it has.
func (r *Rows) fill(c *column, rows []record.Row) (n int, err error) {
	defer rescue(&err)
	if c.node == nil {
		if c.slot < 0 {
			clear(r.extra)
		}
		return len(rows), nil
	}
	a := assembly{}
	flat := c.node.shape == scalar && c.node.flat
	for n < len(rows) {
		switch {
		case c.pass:
			err = c.node.passRow()
		case flat:
			var got int
			got, err = r.fillFlat(c, rows, n)
			n += got
			if err != nil {
				return n, err
			}
			continue
		default:
			var v record.Value
			if v, err = a.row(c.node); err == nil && a.bad != nil {
				r.bad = append(r.bad, Bad{Row: int64(n), Err: a.bad})
				a.bad = nil
			}
			r.put(c, rows, n, v)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (r *Rows) put(c *column, rows []record.Row, i int, v record.Value) {
	if c.slot < 0 {
		r.extra[i] = v
		return
	}
	rows[i][c.slot] = v
}

// fillFlat reads what is at hand of a column that has one value a row.
func (r *Rows) fillFlat(c *column, rows []record.Row, from int) (int, error) {
	cur, leaf, def := c.node.first, &c.node.leaf, c.node.def
	if len(cur.next) == 0 {
		if err := cur.more(); err == io.EOF {
			return 0, errShort
		} else if err != nil {
			return 0, err
		}
	}
	n := min(len(cur.next), len(rows)-from)
	for i := range n {
		v := &cur.next[i]
		var value record.Value
		if v.DefinitionLevel() == def {
			var err error
			if value, err = leaf.value(v, cur); err != nil {
				r.bad = append(r.bad, Bad{Row: int64(from + i), Err: fmt.Errorf("field %q: %w", c.name, err)})
			}
		}
		r.put(c, rows, from+i, value)
	}
	cur.next = cur.next[n:]
	return n, nil
}
