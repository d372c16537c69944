package yaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/window"
	"go.yaml.in/yaml/v4"
)

// joined is one input of a join: it is joined to what those before it have given.
type joined struct {
	left, right []int // fields that must be equal: of the rows so far, and of the input
	outerLeft   bool  // rows so far without a partner are kept
	outerRight  bool  // so are rows of the input
}

// join checks a Join. Inputs are joined from left to right.
func (c *checker) join(s *step) {
	if len(s.in) < 2 {
		c.failf(s, s.kindNode, "write input: {a: First, b: Second}", "a join needs two inputs")
		return
	}
	tags := make([]string, len(s.inputs))
	for i, in := range s.inputs {
		tags[i] = in.tag
	}
	equal, ok := c.equalities(s, tags)
	if !ok {
		return
	}
	outer, ok := c.joinType(s, tags)
	if !ok {
		return
	}
	var all record.Schema // of rows so far: the fields of the inputs one after another
	var owner []int       // the input that each comes from
	offset := make([]int, len(s.in))
	add := func(i int) {
		offset[i] = len(all)
		for _, f := range s.in[i].schema {
			all, owner = append(all, f), append(owner, i)
		}
	}
	add(0)
	var steps []joined
	for i := 1; i < len(s.in); i++ {
		j := joined{outerLeft: outer(i, true), outerRight: outer(i, false)}
		for _, e := range equal {
			mine, there := e[tags[i]]
			if !there {
				continue
			}
			for k := range i {
				if other, there := e[tags[k]]; there {
					j.left = append(j.left, offset[k]+s.in[k].schema.Index(other.Value))
					j.right = append(j.right, s.in[i].schema.Index(mine.Value))
					break
				}
			}
		}
		if len(j.left) == 0 {
			c.failf(s, s.settings.at("equalities"), "", "nothing says how %s is joined with %s", tags[i], strings.Join(tags[:i], ", "))
			return
		}
		for k := range j.left {
			l, r := all[j.left[k]].Type, s.in[i].schema[j.right[k]].Type
			number := func(t record.Type) bool { return t.Kind == record.Int || t.Kind == record.Float }
			if l.Kind != r.Kind && l.Kind != record.Any && r.Kind != record.Any && !(number(l) && number(r)) {
				c.failf(s, s.settings.at("equalities"), "convert one of them with MapToFields", "%s is %s, and %s of %s is %s: they are never equal", all[j.left[k]].Name, l, s.in[i].schema[j.right[k]].Name, tags[i], r)
				return
			}
		}
		if j.outerRight {
			for k := range all {
				all[k].Type.Nullable = true
			}
		}
		add(i)
		if j.outerLeft {
			for k := offset[i]; k < len(all); k++ {
				all[k].Type.Nullable = true
			}
		}
		steps = append(steps, j)
	}
	out, from, ok := c.joinFields(s, tags, all, owner)
	if !ok || len(steps) > 1 && !c.joinsAgain(s) {
		return
	}
	s.outs[""] = collection{schema: out, timed: s.in[0].timed, grouped: true}
	s.outs["late"] = collection{schema: lateSchema(c.eitherOf(s)), timed: s.in[0].timed}
	s.build = func(b *builder, ins []rows) map[string]rows {
		rowsSoFar, width := ins[0].c, len(ins[0].schema)
		outs := map[string]rows{}
		var late []strandline.PCollection[record.Row]
		for i, j := range steps {
			in := ins[i+1]
			id := s.id
			if len(steps) > 1 {
				id = fmt.Sprintf("%s with %s", s.id, tags[i+1])
			}
			if i > 0 {
				rowsSoFar, in.c = b.again(s, rowsSoFar), b.again(s, in.c)
			}
			b.keys[id] = groupKeys{keying{j.left, record.Any}, all, true}
			left := rowsSoFar.KeyBy(id+" left key", partnerKey(j.left, "l"))
			right := in.c.KeyBy(id+" right key", partnerKey(j.right, "r"))
			n, m := width, len(in.schema)
			pair := func(_ string, l, r *record.Row) record.Row {
				row := make(record.Row, n+m)
				if l != nil {
					copy(row, *l)
				}
				if r != nil {
					copy(row[n:], *r)
				}
				return row
			}
			var result strandline.Joined[string, record.Row, record.Row, record.Row]
			switch {
			case j.outerLeft && j.outerRight:
				result = left.FullJoin(id, right, pair)
			case j.outerLeft:
				result = left.LeftJoin(id, right, pair)
			case j.outerRight:
				result = left.RightJoin(id, right, pair)
			default:
				result = left.InnerJoin(id, right, pair)
			}
			rowsSoFar, width = result.PCollection, n+m
			if ref := (ref{step: s, output: "late"}); b.consumed[ref] || b.watches[ref] != nil || b.wantsLate() {
				leftNames, rightNames := all[:n].Names(), in.schema.Names()
				if i == 0 {
					leftNames = ins[0].schema.Names()
				}
				late = append(late, result.OnLate(
					func(l strandline.Late[record.Row]) record.Row { return lateRow(leftNames, l.Value, l) },
					func(l strandline.Late[record.Row]) record.Row { return lateRow(rightNames, l.Value, l) }))
			}
		}
		picked := rowsSoFar.Map(s.id+" fields", func(r *record.Row) record.Row {
			row := make(record.Row, len(from))
			for i, k := range from {
				row[i] = (*r)[k]
			}
			return row
		})
		outs[""] = rows{picked, out}
		if len(late) == 1 {
			outs["late"] = rows{late[0], nil}
		} else if len(late) > 1 {
			outs["late"] = rows{strandline.Flatten(s.id+" late", late[0], late[1:]...), nil}
		}
		return outs
	}
}

// joinsAgain says whether what two inputs give can be joined with a third one: it is put into
// windows once more, by the time of its window's end, which must be in that window alone.
func (c *checker) joinsAgain(s *step) bool {
	w := s.windowsOf()
	if w == nil {
		return true
	}
	switch w.kind {
	case "sliding", "sessions", "cumulative":
		c.failf(s, s.kindNode, "use fixed, calendar or global windows", "a join of %d inputs cannot be done in %s windows", len(s.in), w.kind)
		return false
	}
	if w.trigger != nil || w.accumulation != "" {
		c.failf(s, s.kindNode, "leave trigger and accumulation out", "a join of %d inputs needs windows that give one result", len(s.in))
		return false
	}
	return true
}

// again puts rows into the windows of the step once more.
func (b *builder) again(s *step, c strandline.PCollection[record.Row]) strandline.PCollection[record.Row] {
	if w := s.windowsOf(); w != nil {
		return b.windowed(w, c)
	}
	return c.WindowInto(window.Global())
}

// eitherOf is the form of rows that may be of any input.
func (c *checker) eitherOf(s *step) record.Schema {
	all := s.in[0].schema
	for _, in := range s.in[1:] {
		all = record.UnionFields(all, in.schema)
	}
	return all
}

// partnerKey gives the key by which rows find each other. Null is equal to nothing, as in SQL:
// rows with it have keys that the other side has not.
func partnerKey(fields []int, side string) func(*record.Row) string {
	return func(r *record.Row) string {
		b := make([]byte, 0, 64)
		for _, i := range fields {
			v := (*r)[i]
			if v.IsNull() {
				return "\xff" + side
			}
			b = record.AppendBinary(b, record.Canonical(v)) // the integer 3 is equal to 3.0
		}
		return string(b)
	}
}

// equalities reads which fields must be equal.
func (c *checker) equalities(s *step, tags []string) (list []map[string]*yaml.Node, ok bool) {
	n := s.settings.at("equalities")
	field := func(tag string, v *yaml.Node) bool {
		i := slices.Index(tags, tag)
		if schema := s.in[i].schema; schema.Index(v.Value) < 0 {
			c.failf(s, v, meant(v.Value, schema.Names()), "there is no field %q in %s", v.Value, tag)
			return false
		}
		return true
	}
	if n.Kind == yaml.ScalarNode {
		e := map[string]*yaml.Node{}
		for _, t := range tags {
			if !field(t, n) {
				return nil, false
			}
			e[t] = n
		}
		return []map[string]*yaml.Node{e}, true
	}
	if n.Kind != yaml.SequenceNode {
		c.failf(s, n, "write [{a: id, b: customer}]", "equalities must be a field or a list, and is %s", kindOf(n))
		return nil, false
	}
	ok = true
	for _, item := range n.Content {
		e := map[string]*yaml.Node{}
		if item.Kind == yaml.ScalarNode {
			for _, t := range tags {
				ok = field(t, item) && ok
				e[t] = item
			}
		}
		entries(item, func(k, v *yaml.Node) {
			if !slices.Contains(tags, k.Value) {
				c.failf(s, k, meant(k.Value, tags), "there is no input %q", k.Value)
				ok = false
				return
			}
			ok = field(k.Value, v) && ok
			e[k.Value] = v
		})
		if len(e) < 2 && ok {
			c.failf(s, item, "", "an equality needs fields of two inputs")
			ok = false
		}
		list = append(list, e)
	}
	return list, ok
}

// joinType reads which rows without a partner are kept: outer(i, left) is asked when input i is
// joined to those before it.
func (c *checker) joinType(s *step, tags []string) (outer func(i int, left bool) bool, ok bool) {
	n := s.settings.at("type")
	kind := "inner"
	if n != nil {
		if n.Kind == yaml.MappingNode {
			list := get(n, "outer")
			if list == nil || len(n.Content) != 2 {
				c.failf(s, n, "write {outer: [INPUT, ...]}", "a type of join is a word or a list of outer inputs")
				return nil, false
			}
			names := texts(list)
			for _, x := range scalars(list) {
				if !slices.Contains(tags, x.Value) {
					c.failf(s, x, meant(x.Value, tags), "there is no input %q", x.Value)
					return nil, false
				}
			}
			return func(i int, left bool) bool {
				if left {
					i-- // the input that stands before it
				}
				return slices.Contains(names, tags[i])
			}, true
		}
		kind = n.Value
	}
	switch kind {
	case "inner":
		return func(int, bool) bool { return false }, true
	case "left":
		return func(_ int, left bool) bool { return left }, true
	case "right":
		return func(_ int, left bool) bool { return !left }, true
	case "outer":
		return func(int, bool) bool { return true }, true
	}
	c.failf(s, n, meant(kind, []string{"inner", "left", "right", "outer"}), "there is no join of type %q", kind)
	return nil, false
}

// joinFields reads which fields the results have: those of the inputs that are listed, in that
// order, then all of the others. A name may be asked for once; where whole inputs bring a name
// that is there already, it gets a number.
func (c *checker) joinFields(s *step, tags []string, all record.Schema, owner []int) (out record.Schema, from []int, ok bool) {
	n := s.settings.at("fields")
	add := func(name string, k int) {
		unique := name
		for i := 0; out.Index(unique) >= 0; i++ {
			unique = fmt.Sprintf("%s%d", name, i)
		}
		out = append(out, record.Field{Name: unique, Type: all[k].Type})
		from = append(from, k)
	}
	ok = true
	entries(n, func(k, v *yaml.Node) {
		if !slices.Contains(tags, k.Value) {
			c.failf(s, k, meant(k.Value, tags), "there is no input %q", k.Value)
			ok = false
		}
	})
	if !ok {
		return nil, nil, false
	}
	order := slices.Clone(tags)
	if n != nil {
		order = order[:0]
		entries(n, func(k, _ *yaml.Node) { order = append(order, k.Value) })
		for _, t := range tags {
			if !slices.Contains(order, t) {
				order = append(order, t)
			}
		}
	}
	asked := map[string]bool{}
	once := func(name *yaml.Node) {
		if asked[name.Value] {
			c.failf(s, name, "give one of them another name: {NAME: FIELD}", "the field %q is asked for twice", name.Value)
			ok = false
		}
		asked[name.Value] = true
	}
	for _, tag := range order {
		i := slices.Index(tags, tag)
		find := func(v *yaml.Node) int {
			for k, f := range all {
				if owner[k] == i && f.Name == v.Value {
					return k
				}
			}
			c.failf(s, v, meant(v.Value, s.in[i].schema.Names()), "there is no field %q in %s", v.Value, tag)
			ok = false
			return -1
		}
		switch want := get(n, tag); {
		case want == nil || want.Kind == yaml.ScalarNode && want.Value == "*":
			for k := range all {
				if owner[k] == i {
					add(all[k].Name, k)
				}
			}
		case want.Kind == yaml.MappingNode:
			entries(want, func(name, v *yaml.Node) {
				if k := find(v); k >= 0 {
					once(name)
					add(name.Value, k)
				}
			})
		default:
			for _, v := range scalars(want) {
				if k := find(v); k >= 0 {
					once(v)
					add(v.Value, k)
				}
			}
		}
	}
	return out, from, ok
}

func (c *checker) deduplicate(s *step) {
	in := s.in[0].schema
	by, ok := c.named(s, s.settings.at("by"), in)
	if !ok {
		return
	}
	if !s.in[0].timed {
		c.failf(s, s.kindNode, "name the field with the watermark section of the source, timestamp: FIELD, or use AssignTimestamps", "the rows of %s have no event time", s.inputs[0].from[0].step.name)
		return
	}
	horizon := s.settings.duration("horizon")
	if horizon <= 0 {
		c.failf(s, s.settings.at("horizon"), "", "the horizon must be longer than 0")
		return
	}
	s.outs[""] = passing(s)
	s.use = s.reads(s.settings.strings("by")...)
	key := keyingOf(in, by)
	s.build = func(b *builder, ins []rows) map[string]rows {
		first := ins[0].c.KeyBy(s.id+" key", key.any()).Deduplicate(s.id, horizon)
		return map[string]rows{"": {first.MapEntries(s.id+" rows", func(_ string, r *record.Row) record.Row { return *r }), in}}
	}
}

// before is what Previous remembers of a key.
type before struct {
	Known  bool
	Values record.Row
	Epoch  int64 // see [Trial.Lose]
}

func (c *checker) previous(s *step) {
	in := s.in[0].schema
	by, ok := c.named(s, s.settings.at("key"), in)
	if !ok {
		return
	}
	out := slices.Clone(in)
	var from []int
	used := s.settings.strings("key")
	entries(s.settings.at("fields"), func(k, v *yaml.Node) {
		if out.Index(k.Value) >= 0 {
			c.failf(s, k, "give it another name", "the field %q is there already", k.Value)
			return
		}
		i := c.field(s, v, in)
		if i < 0 {
			return
		}
		t := in[i].Type
		t.Nullable = true
		out, from, used = append(out, record.Field{Name: k.Value, Type: t}), append(from, i), append(used, v.Value)
	})
	if len(from) == 0 {
		return
	}
	s.outs[""] = collection{schema: out, timed: s.in[0].timed, grouped: s.in[0].grouped}
	s.use = s.reads(used...)
	key := keyingOf(in, by)
	s.build = func(b *builder, ins []rows) map[string]rows {
		epoch := b.epoch()
		with := ins[0].c.KeyBy(s.id+" key", key.any()).Stateful(s.id, strandline.PerKey,
			func(x *strandline.Turn[string, record.Row], last *before, r *record.Row) {
				row := append(make(record.Row, 0, len(out)), *r...)
				now := make(record.Row, len(from))
				known := last.Known && last.Epoch == epoch()
				for i, k := range from {
					now[i] = (*r)[k]
					if known {
						row = append(row, last.Values[i])
					} else {
						row = append(row, record.Value{})
					}
				}
				*last = before{true, now, epoch()}
				x.Emit(row)
			}, nil)
		return map[string]rows{"": {with.PCollection, out}}
	}
}
