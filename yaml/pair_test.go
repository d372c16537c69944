package yaml

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
	"go.yaml.in/yaml/v4"
)

// pair is a pipeline twice: the lines of its transforms, and the calls that are to be the same.
type pair struct {
	r       *rand.Rand
	lines   []string
	calls   []func(*calls)
	batch   bool
	kinds   map[string]int
	watched []string // outputs, in the order of the text
}

// calls is the API's side while it is built.
type calls struct {
	p   *strandline.Pipeline
	of  map[string]made
	row func(Row) error
}

// made is a collection of rows with the names of their fields.
type made struct {
	c     strandline.PCollection[record.Row]
	names []string
}

func (m made) at(name string) int {
	for i, n := range m.names {
		if n == name {
			return i
		}
	}
	panic("there is no field " + name)
}

func (c *pair) text() string {
	return "pipeline:\n  transforms:\n    - " + strings.Join(c.lines, "\n    - ") + "\n"
}

func (c *pair) outputs() []string { return c.watched }

func (c *pair) build(p *strandline.Pipeline, row func(Row) error) {
	a := &calls{p: p, of: map[string]made{}, row: row}
	for _, call := range c.calls {
		call(a)
	}
	for _, output := range c.watched {
		m := a.of[output]
		step, _, _ := strings.Cut(output, ".")
		m.c.WriteTo(watching{step, m.names, row, nil})
	}
}

func (c *pair) has(kind string) { c.kinds[kind]++ }

func (c *pair) add(call func(*calls), format string, args ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
	c.calls = append(c.calls, call)
}

// one draws one of several.
func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// draw makes the pipeline of a seed.
func draw(seed uint64) *pair {
	c := &pair{r: rand.New(rand.NewPCG(seed, 11)), kinds: map[string]int{}}
	r := c.r
	a := c.source("A")
	b := a
	joins := r.IntN(3) == 0
	two := r.IntN(4) == 0
	if two {
		b = c.source("B")
	}
	if c.batch = two || r.IntN(3) == 0; c.batch { // of two sources the clock says which comes first
		c.has("batch")
	}
	a, b = c.steps(a, "left"), c.steps(b, "right")
	if joins {
		c.join(a, b)
		return c
	}
	in := []string{a}
	if a != b {
		switch r.IntN(3) {
		case 0:
			c.has("Flatten")
			c.add(func(x *calls) {
				x.of["Both"] = made{strandline.Flatten("Both", x.of[a].c, x.of[b].c), x.of[a].names}
			}, "{type: Flatten, name: Both, input: [%s, %s]}", a, b)
			in = []string{"Both"}
			c.watched = append(c.watched, "Both") // so that all fields are of use, and rows need no other form
		case 1:
			c.has("list of inputs")
			in = []string{a, b}
		}
	}
	c.combine(in)
	return c
}

// source adds a Create: rows of k (text), g and n (integers), x (a number) and t (the event time).
func (c *pair) source(name string) string {
	r := c.r
	n := 1 + r.IntN(40)
	var elements []string
	var rows []record.Row
	var times []int64
	nulls := r.IntN(3) == 0
	if nulls {
		c.has("nulls")
	}
	for i := range n {
		null := func() bool { return nulls && i > 0 && r.IntN(5) == 0 }
		at := max(int64(i*2+r.IntN(20)-10), 0)
		row := record.Row{record.OfString(one(r, "a", "b", "c")), record.OfInt(r.Int64N(3)), record.OfInt(r.Int64N(9)), record.OfFloat(float64(r.IntN(8)) + 0.5), record.OfInt(at)}
		for j := range 3 {
			if null() {
				row[j] = record.Value{}
			}
		}
		names := []string{"k", "g", "n", "x", "t"}
		fields := make([]string, len(row))
		for j, v := range row {
			fields[j] = names[j] + ": " + v.String()
		}
		elements = append(elements, "{"+strings.Join(fields, ", ")+"}")
		rows, times = append(rows, row), append(times, at*1e6)
	}
	bound := r.IntN(12)
	c.add(func(x *calls) {
		src := &listSource{name: name, rows: rows, times: times}
		x.of[name] = made{strandline.Read[record.Row](x.p, src, watermark.Bounded(time.Duration(bound)*time.Second), nil), []string{"k", "g", "n", "x", "t"}}
	}, "{type: Create, name: %s, config: {elements: [%s]}, watermark: {timestamp: t, unit: s, bound: %ds}}", name, strings.Join(elements, ", "), bound)
	return name
}

// steps adds some of Filter and MapToFields. Fields stay as they are.
func (c *pair) steps(last, side string) string {
	r := c.r
	if r.IntN(2) == 0 {
		name, in := side+" filter", last
		k := r.Int64N(5)
		type rule struct {
			text string
			keep func(made, record.Row) bool
		}
		f := one(r,
			rule{fmt.Sprintf("n > %d", k), func(m made, r record.Row) bool { v := r[m.at("n")]; return !v.IsNull() && v.Int() > k }},
			rule{"k == 'a' or k == 'b'", func(m made, r record.Row) bool {
				v := r[m.at("k")]
				return !v.IsNull() && (v.Str() == "a" || v.Str() == "b")
			}},
			rule{"x < 5.5 and g is not None", func(m made, r record.Row) bool { return r[m.at("x")].Float() < 5.5 && !r[m.at("g")].IsNull() }},
		)
		c.has("Filter")
		c.add(func(x *calls) {
			m := x.of[in]
			x.of[name] = made{m.c.Filter(name, func(r *record.Row) bool { return f.keep(m, *r) }), m.names}
		}, "{type: Filter, name: %s, input: %s, config: {keep: \"%s\"}}", name, in, f.text)
		last = name
	}
	if r.IntN(2) == 0 {
		name, from := side+" map", last
		k := 1 + r.Int64N(3)
		c.has("MapToFields")
		c.add(func(x *calls) {
			m := x.of[from]
			x.of[name] = made{m.c.FlatMap(name, func(r *record.Row, emit func(record.Row)) {
				n := (*r)[m.at("n")]
				if !n.IsNull() {
					n = record.OfInt(n.Int()*k + 1)
				}
				emit(record.Row{(*r)[m.at("t")], (*r)[m.at("k")], n, (*r)[m.at("x")], (*r)[m.at("g")]})
			}), []string{"t", "k", "n", "x", "g"}}
		}, "{type: MapToFields, name: %s, input: %s, config: {fields: {t: t, k: k, n: n * %d + 1, x: x, g: g}}}", name, from, k)
		last = side + " order" // of the fields, so that collections can be taken together
		c.add(func(x *calls) {
			x.of[side+" order"] = made{x.of[name].c.FlatMap(side+" order", func(r *record.Row, emit func(record.Row)) {
				emit(record.Row{(*r)[1], (*r)[4], (*r)[2], (*r)[3], (*r)[0]})
			}), []string{"k", "g", "n", "x", "t"}}
		}, "{type: MapToFields, name: %s, input: %s, config: {fields: {k: k, g: g, n: n, x: x, t: t}}}", last, name)
	}
	return last
}

// windowing draws windows and all that goes with them; several says that windows may fire more
// than once.
func (c *pair) windowing(several bool) (text string, apply func(strandline.PCollection[record.Row]) strandline.PCollection[record.Row]) {
	r := c.r
	d := func(n int) time.Duration { return time.Duration(n) * time.Second }
	var w window.Assigner
	kind := one(r, "global", "fixed", "sliding", "sessions", "cumulative", "calendar")
	c.has(kind)
	switch kind {
	case "global":
		text, w = "type: global", window.Global()
	case "fixed":
		size, offset := 1+r.IntN(20), r.IntN(5)
		text, w = fmt.Sprintf("type: fixed, size: %ds, offset: %ds", size, offset), window.Fixed(d(size)).Offset(d(offset))
	case "sliding":
		size, period := 2+r.IntN(20), 1+r.IntN(10)
		text, w = fmt.Sprintf("type: sliding, size: %d, period: %d", size, period), window.Sliding(d(size), d(period))
	case "sessions":
		gap := 1 + r.IntN(6)
		text, w = fmt.Sprintf("type: sessions, gap: %ds", gap), window.Session(d(gap))
	case "cumulative":
		step := 1 + r.IntN(5)
		size := step * (1 + r.IntN(4))
		text, w = fmt.Sprintf("type: cumulative, size: %ds, step: %ds", size, step), window.Cumulative(d(size), d(step))
	case "calendar":
		n := 1 + r.IntN(3)
		text, w = fmt.Sprintf("type: calendar, unit: day, every: %d, zone: Europe/Berlin", n), window.Days().Every(n).InZone("Europe/Berlin")
	}
	var tr trigger.Trigger
	lateness, accumulation, final := 0, "", false
	if several {
		if r.IntN(2) == 0 {
			lateness = 1 + r.IntN(20)
			text += fmt.Sprintf(", allowed_lateness: %ds", lateness)
			c.has("lateness")
		}
		switch r.IntN(5) {
		case 0, 1:
			var written string
			written, tr = c.trigger(2)
			text += ", trigger: " + written
			c.has("trigger")
		case 2:
			final = true
			text += ", final_only: true"
			c.has("final only")
		}
		if accumulation = one(r, "", "accumulating", "discarding"); accumulation != "" {
			text += ", accumulation: " + accumulation
			c.has(accumulation)
		}
	}
	return "{" + text + "}", func(in strandline.PCollection[record.Row]) strandline.PCollection[record.Row] {
		in = in.WindowInto(w)
		switch accumulation {
		case "accumulating":
			in = in.Accumulating()
		case "discarding":
			in = in.Discarding()
		}
		if tr != nil {
			in = in.Trigger(tr)
		}
		if lateness > 0 {
			in = in.AllowedLateness(d(lateness))
		}
		if final {
			in = in.FinalOnly()
		}
		return in
	}
}

// trigger draws a trigger that goes by elements and event time alone, and fires again and again.
func (c *pair) trigger(depth int) (string, trigger.Trigger) {
	r := c.r
	again := func() (string, trigger.Trigger) {
		n := 1 + r.IntN(4)
		return fmt.Sprintf("{repeat: {after_count: %d}}", n), trigger.Repeat(trigger.AfterCount(n))
	}
	switch r.IntN(6) {
	case 0:
		return again()
	case 1:
		early, e := again()
		return "{after_watermark: {early: " + early + ", late: always}}", trigger.AfterWatermark().Early(e).Late(trigger.Always())
	case 2:
		return "{after_watermark: {late: {after_count: 2}}}", trigger.AfterWatermark().Late(trigger.AfterCount(2))
	case 3:
		return "default", trigger.Default()
	case 4:
		return "{repeat: {any: [{after_count: 3}, after_watermark]}}", trigger.Repeat(trigger.AfterAny(trigger.AfterCount(3), trigger.AfterWatermark()))
	}
	return "{in_order: [{after_count: 2}, {repeat: {after_count: 3}}]}", trigger.InOrder(trigger.AfterCount(2), trigger.Repeat(trigger.AfterCount(3)))
}

// combine adds a Combine in windows, and what comes behind it.
func (c *pair) combine(in []string) {
	r := c.r
	windowing, apply := c.windowing(true)
	keys := one(r, nil, []string{"k"}, []string{"g"}, []string{"k", "g"})
	c.has(map[int]string{0: "no key", 1: one(r, "text key"), 2: "several keys"}[len(keys)])
	if len(keys) == 1 && keys[0] == "g" {
		c.has("scalar key")
	}
	type function struct{ text, field, name string }
	numbers := []function{{"count", "", "count"}, {"sum", "n", "sum"}, {"min", "n", "min"}, {"max", "x", "max"}, {"mean", "x", "mean"}, {"sum", "x", "sum"}}
	all := append(numbers, function{"first", "n", "first"}, function{"last", "x", "last"}, function{"distinct", "k", "distinct"}, function{"{type: top, config: {n: 2}}", "n", "top"}, function{"sum", "n + g", "sum"})
	from := one(r, numbers[:3], all)
	var chosen []function
	var texts []string
	for i := range 1 + r.IntN(4) {
		f := one(r, from...)
		chosen = append(chosen, f)
		value := f.field
		if value == "" {
			value = "n"
		}
		texts = append(texts, fmt.Sprintf("r%d: {value: %s, fn: %s}", i, value, f.text))
	}
	late := r.IntN(2) == 0
	c.add(func(x *calls) {
		m := x.of[in[0]]
		if len(in) > 1 {
			m = made{strandline.Flatten("Sums inputs", m.c, x.of[in[1]].c), m.names}
		}
		m.c = apply(m.c)
		types := map[string]record.Type{"k": {Kind: record.String}, "g": {Kind: record.Int}, "n": {Kind: record.Int}, "x": {Kind: record.Float}, "t": {Kind: record.Int}}
		var schema record.Schema
		for _, name := range m.names {
			schema = append(schema, record.Field{Name: name, Type: types[name]})
		}
		var by []int
		for _, k := range keys {
			by = append(by, m.at(k))
		}
		names := append([]string{}, keys...)
		width := len(m.names)
		var sums int // of fields that are computed
		var as []aggregate
		for i, f := range chosen {
			a := aggregate{name: fmt.Sprintf("r%d", i), of: record.Type{Kind: record.Int}}
			for j := range aggregateFunctions {
				if aggregateFunctions[j].name == f.name {
					a.fn = &aggregateFunctions[j]
				}
			}
			switch {
			case f.field == "n + g":
				a.field = width + sums
				sums++
			case f.field == "":
				a.field = m.at("n")
			default:
				a.field, a.of = m.at(f.field), types[f.field]
			}
			set := &settings{values: map[string]*yaml.Node{}}
			if f.name == "top" {
				set.values["n"] = scalarNode("2")
			}
			a.held = a.fn.held(set, a.of)
			as, names = append(as, a), append(names, a.name)
		}
		if sums > 0 {
			m.c = m.c.FlatMap("Sums values", func(r *record.Row, emit func(record.Row)) {
				row := append(make(record.Row, 0, width+sums), *r...)
				for range sums {
					v := record.Value{}
					if n, g := (*r)[m.at("n")], (*r)[m.at("g")]; !n.IsNull() && !g.IsNull() {
						v = record.OfInt(n.Int() + g.Int())
					}
					row = append(row, v)
				}
				emit(row)
			})
		}
		g := apiGroup{m: m, width: width, names: names, late: late}
		keying := keyingOf(schema, by)
		ops, words := numericOps(as)
		switch {
		case words > 4 && len(keys) == 1 && keys[0] == "g":
			aggregated(x, g, keying.scalar(), keying.ofScalar, numerics[[8]uint64]{ops})
		case words > 4:
			aggregated(x, g, keying.text(), keying.ofText, numerics[[8]uint64]{ops})
		case words > 0 && len(keys) == 1 && keys[0] == "g":
			aggregated(x, g, keying.scalar(), keying.ofScalar, numerics[[4]uint64]{ops})
		case words > 0:
			aggregated(x, g, keying.text(), keying.ofText, numerics[[4]uint64]{ops})
		case len(keys) == 1 && keys[0] == "g":
			aggregated(x, g, keying.scalar(), keying.ofScalar, boxes{as})
		default:
			aggregated(x, g, keying.text(), keying.ofText, boxes{as})
		}
	}, "{type: Combine, name: Sums, input: [%s], windowing: %s, config: {group_by: [%s], combine: {%s}}}", strings.Join(in, ", "), windowing, strings.Join(keys, ", "), strings.Join(texts, ", "))
	words := 0
	for _, f := range chosen {
		switch {
		case f.name == "count" || f.name == "sum" && f.field != "x" || f.name == "min" || f.name == "max" || f.name == "mean" || f.name == "sum":
			words += map[string]int{"count": 1, "sum": 3, "min": 2, "max": 2, "mean": 5}[f.name]
		default:
			words += 100
		}
		if f.field == "n + g" {
			c.has("values")
		}
	}
	c.has(map[bool]string{true: "boxes", false: "words"}[words > 8])
	c.has("Combine")
	main := "Sums"
	if r.IntN(3) == 0 {
		c.has("filter of results")
		c.add(func(x *calls) {
			m := x.of["Sums"]
			i := m.at("r0")
			x.of["Some"] = made{m.c.Filter("Some", func(r *record.Row) bool { return !(*r)[i].IsNull() }), m.names}
		}, "{type: Filter, name: Some, input: Sums, config: {keep: r0 is not None}}")
		main = "Some"
	}
	if main == "Sums" {
		c.watched = append(c.watched, main)
	}
	if late {
		c.has("late records")
		c.watched = append(c.watched, "Sums.late")
	}
	if main != "Sums" {
		c.watched = append(c.watched, main)
	}
}

// apiGroup is a grouping that is being built by calls.
type apiGroup struct {
	m     made
	width int
	names []string
	late  bool
}

func aggregated[K comparable, A any](x *calls, g apiGroup, key func(*record.Row) K, values func(record.Row, K) record.Row, c combine.Combiner[record.Row, A, record.Row]) {
	results := g.m.c.KeyBy("Sums key", key).CombinePerKey("Sums", c)
	x.of["Sums"] = made{results.Map("Sums rows", func(kv *strandline.KV[K, record.Row]) record.Row {
		return append(values(nil, kv.Key), kv.Value...)
	}), g.names}
	if g.late {
		x.of["Sums.late"] = made{results.OnLate(func(l strandline.Late[record.Row]) record.Row {
			return lateRow(g.m.names, l.Value[:g.width:g.width], l)
		}), []string{"element", "msg", "event_time", "watermark", "missed", "split", "position"}}
	}
}

// join adds a Join of two collections in windows.
func (c *pair) join(a, b string) {
	r := c.r
	windowing, apply := c.windowing(false)
	kind := one(r, "inner", "left", "right", "outer")
	on := one(r, []string{"k"}, []string{"g"}, []string{"k", "g"})
	c.has("Join")
	c.has(kind)
	var equal []string
	for _, f := range on {
		equal = append(equal, fmt.Sprintf("{a: %s, b: %s}", f, f))
	}
	c.add(func(x *calls) {
		left, right := x.of[a], x.of[b]
		key := func(m made, side string) func(*record.Row) string {
			var at []int
			for _, f := range on {
				at = append(at, m.at(f))
			}
			return partnerKey(at, side)
		}
		l := apply(left.c).KeyBy("Pairs left key", key(left, "l"))
		rt := apply(right.c).KeyBy("Pairs right key", key(right, "r"))
		pick := func(_ string, l, r *record.Row) record.Row {
			row := make(record.Row, 4)
			if l != nil {
				row[0], row[1] = (*l)[left.at("n")], (*l)[left.at("t")]
			}
			if r != nil {
				row[2], row[3] = (*r)[right.at("x")], (*r)[right.at("t")]
			}
			return row
		}
		var pairs strandline.Joined[string, record.Row, record.Row, record.Row]
		switch kind {
		case "inner":
			pairs = l.InnerJoin("Pairs", rt, pick)
		case "left":
			pairs = l.LeftJoin("Pairs", rt, pick)
		case "right":
			pairs = l.RightJoin("Pairs", rt, pick)
		case "outer":
			pairs = l.FullJoin("Pairs", rt, pick)
		}
		x.of["Pairs"] = made{pairs.Map("Pairs fields", func(r *record.Row) record.Row { return *r }), []string{"n", "at", "x", "of"}}
	}, "{type: Join, name: Pairs, input: {a: %s, b: %s}, windowing: %s, config: {type: %s, equalities: [%s], fields: {a: {n: n, at: t}, b: {x: x, of: t}}}}", a, b, windowing, kind, strings.Join(equal, ", "))
	c.watched = []string{"Pairs"}
}
