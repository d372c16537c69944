package yaml

import (
	"fmt"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/sketch"
	"github.com/strandline-stream/strandline/internal/record"
)

// aggregateFunction is a row of the table of functions for Combine.
type aggregateFunction struct {
	name     string
	ours     bool // not in Beam YAML
	doc      string
	settings []setting
	// takes says which values it can be used with; "" is any.
	takes string
	// result is the type of its results, given that of the values.
	result func(of record.Type) record.Type
	// op is what it does in words, if the values are of a kind with words for it.
	op func(of record.Kind) (wordOp, bool)
	// held makes it for values of any kind.
	held func(s *settings, of record.Type) held
}

// held is an aggregate over values whose accumulator is in a box.
type held struct {
	create  func() any
	add     func(acc any, v record.Value, at int64)
	merge   func(acc, other any)
	clone   func(acc any) any
	extract func(acc any) (record.Value, error)
}

// hold boxes a combiner. Null values do not reach it unless nulls is true.
func hold[A, O any](c combine.Combiner[record.Value, A, O], nulls bool, out func(O) record.Value) held {
	timed, ok := combine.AsTimed(c)
	add := func(acc any, v record.Value, _ int64) { c.Add(acc.(*A), &v) }
	if ok {
		add = func(acc any, v record.Value, at int64) { timed.AddAt(acc.(*A), &v, at) }
	}
	return held{
		create: func() any { a := c.Create(); return &a },
		add: func(acc any, v record.Value, at int64) {
			if nulls || !v.IsNull() {
				add(acc, v, at)
			}
		},
		merge: func(acc, other any) { c.Merge(acc.(*A), other.(*A)) },
		clone: func(acc any) any {
			a := *acc.(*A)
			if cl, ok := any(c).(combine.Cloner[A]); ok {
				a = cl.Clone(acc.(*A))
			}
			return &a
		},
		extract: func(acc any) (record.Value, error) {
			o, err := c.Extract(acc.(*A))
			if err == combine.ErrEmpty {
				return record.Value{}, nil // nothing but null
			}
			if err != nil {
				return record.Value{}, err
			}
			return out(o), nil
		},
	}
}

func number(v *record.Value) float64 { f, _ := v.Number(); return f }
func whole(v *record.Value) int64    { return v.Int() }

// exactly gives values of one kind as text by which they are told apart.
func exactly(v *record.Value) string { return string(record.AppendBinary(nil, *v)) }

func same(of record.Type) record.Type { of.Nullable = true; return of }

func always(t record.Type) func(record.Type) record.Type {
	return func(record.Type) record.Type { return t }
}

func listOf(of record.Type) record.Type { return record.Type{Kind: record.List, Elem: &of} }

// onNumbers gives one of two operations by the kind of the values.
func onNumbers(ints, floats wordOp) func(record.Kind) (wordOp, bool) {
	return func(k record.Kind) (wordOp, bool) {
		switch k {
		case record.Int:
			return ints, true
		case record.Float:
			return floats, true
		}
		return 0, false
	}
}

func onOrdered(op wordOp) func(record.Kind) (wordOp, bool) {
	return func(k record.Kind) (wordOp, bool) {
		return op, k == record.Int || k == record.Float || k == record.Time
	}
}

func reduced(f func(a, b record.Value) record.Value) func(*settings, record.Type) held {
	return func(*settings, record.Type) held {
		return hold(combine.Reduce(f), false, func(v record.Value) record.Value { return v })
	}
}

var anInt, aFloat, aBool = record.Type{Kind: record.Int}, record.Type{Kind: record.Float, Nullable: true}, record.Type{Kind: record.Bool, Nullable: true}

func list(vs []record.Value) record.Value { return record.OfList(vs) }

// aggregateFunctions is the table.
var aggregateFunctions = []aggregateFunction{
	{name: "count", doc: "how many rows", result: always(anInt),
		op:   func(record.Kind) (wordOp, bool) { return opCount, true },
		held: func(*settings, record.Type) held { return hold(combine.Count[record.Value](), true, record.OfInt) }},
	{name: "sum", doc: "the sum; an integer if the values are, exact or failing; null does not count", takes: "numbers", result: same,
		op: onNumbers(opSumInt, opSumFloat),
		held: func(_ *settings, of record.Type) held {
			if of.Kind == record.Int {
				return hold(combine.Sum(whole), false, record.OfInt)
			}
			return hold(combine.SumFloat(number), false, record.OfFloat)
		}},
	{name: "mean", doc: "the mean; null does not count", takes: "numbers", result: always(aFloat),
		op: onNumbers(opMeanInt, opMeanFloat),
		held: func(_ *settings, of record.Type) held {
			if of.Kind == record.Int {
				return hold(combine.Mean(whole), false, record.OfFloat)
			}
			return hold(combine.MeanFloat(number), false, record.OfFloat)
		}},
	{name: "min", doc: "the least value", result: same, op: onOrdered(opMin), held: reduced(func(a, b record.Value) record.Value {
		if record.Compare(b, a) < 0 {
			return b
		}
		return a
	})},
	{name: "max", doc: "the greatest value", result: same, op: onOrdered(opMax), held: reduced(func(a, b record.Value) record.Value {
		if record.Compare(b, a) > 0 {
			return b
		}
		return a
	})},
	{name: "any", doc: "whether any is true", takes: "booleans", result: always(aBool), held: reduced(func(a, b record.Value) record.Value { return record.OfBool(a.Bool() || b.Bool()) })},
	{name: "all", doc: "whether all are true", takes: "booleans", result: always(aBool), held: reduced(func(a, b record.Value) record.Value { return record.OfBool(a.Bool() && b.Bool()) })},
	{name: "group", doc: "the values as a list, in no particular order", result: listOf,
		held: func(*settings, record.Type) held { return hold(combine.List[record.Value]{}, true, list) }},
	{name: "concat", doc: "lists as one list", takes: "lists", result: func(of record.Type) record.Type { of.Nullable = false; return of },
		held: func(*settings, record.Type) held {
			return hold(combine.List[record.Value]{}, false, func(vs []record.Value) record.Value {
				var all []record.Value
				for _, v := range vs {
					all = append(all, v.List()...)
				}
				return record.OfList(all)
			})
		}},
	{name: "top", doc: "the n greatest values, the greatest first", result: listOf, settings: []setting{
		{name: "n", form: intForm, required: true, doc: "how many"},
		{name: "reverse", form: boolForm, doc: "the least values instead, the least first"},
	},
		held: func(s *settings, _ record.Type) held {
			order := record.Compare
			if s.bool("reverse") {
				order = func(a, b record.Value) int { return record.Compare(b, a) }
			}
			return hold(combine.TopFunc(s.int("n", 1), combine.Self[record.Value], order), false, list)
		}},
	{name: "countIf", ours: true, doc: "how many of the values are true", takes: "booleans", result: always(anInt),
		op: func(k record.Kind) (wordOp, bool) { return opCountIf, true },
		held: func(*settings, record.Type) held {
			c := combine.Sum(func(v *record.Value) int64 {
				if v.Kind() == record.Bool && v.Bool() {
					return 1
				}
				return 0
			})
			return hold(c, true, record.OfInt)
		}},
	{name: "first", ours: true, doc: "the value of the earliest event time", result: same,
		held: func(*settings, record.Type) held {
			return hold(combine.FirstFunc(combine.Self[record.Value], record.Compare), false, combineSelf)
		}},
	{name: "last", ours: true, doc: "the value of the latest event time", result: same,
		held: func(*settings, record.Type) held {
			return hold(combine.LastFunc(combine.Self[record.Value], record.Compare), false, combineSelf)
		}},
	{name: "distinct", ours: true, doc: "how many different values", result: always(anInt),
		held: func(*settings, record.Type) held { return hold(combine.Distinct(exactly), false, record.OfInt) }},
	{name: "approxDistinct", ours: true, doc: "about how many different values, in bounded memory", result: always(anInt),
		held: func(*settings, record.Type) held { return hold(sketch.Distinct(exactly), false, record.OfInt) }},
	{name: "quantile", ours: true, doc: "about the value below which a share of the values lies, in bounded memory", takes: "numbers", result: always(aFloat),
		settings: []setting{{name: "q", form: numberForm, doc: "the share, from 0 to 1; 0.5, the median, if it is not given"}},
		held: func(s *settings, _ record.Type) held {
			return hold(sketch.Quantiles(number, s.number("q", 0.5)), false, func(fs []float64) record.Value { return record.OfFloat(fs[0]) })
		}},
}

// inPython are functions by the names that pipelines in Python call them by.
var inPython = map[string]string{
	"apache_beam.transforms.combiners.TopCombineFn":        "top",
	"apache_beam.transforms.combiners.CountCombineFn":      "count",
	"apache_beam.transforms.combiners.MeanCombineFn":       "mean",
	"apache_beam.transforms.combiners.ToListCombineFn":     "group",
	"apache_beam.transforms.combiners.ConcatListCombineFn": "concat",
}

func combineSelf(v record.Value) record.Value { return v }

func functionNames() []string {
	list := make([]string, len(aggregateFunctions))
	for i, f := range aggregateFunctions {
		list[i] = f.name
	}
	return list
}

// fits says whether a function can be used with values of a type.
func (f *aggregateFunction) fits(of record.Type) bool {
	switch f.takes {
	case "numbers":
		return of.Kind == record.Int || of.Kind == record.Float
	case "booleans":
		return of.Kind == record.Bool
	case "lists":
		return of.Kind == record.List
	}
	return true
}

// aggregate is one aggregate of a Combine.
type aggregate struct {
	name  string
	fn    *aggregateFunction
	field int // of the rows that come in
	of    record.Type
	held  held
}

// boxes aggregates the fields of rows with an accumulator in a box for each aggregate. It is a
// [combine.Combiner], and looks at event times.
type boxes struct{ all []aggregate }

// Borrows says that an accumulator has values of rows, and no row.
func (boxes) Borrows() bool { return true }

// Create implements [combine.Combiner].
func (c boxes) Create() []any {
	acc := make([]any, len(c.all))
	for i := range c.all {
		acc[i] = c.all[i].held.create()
	}
	return acc
}

// Add implements [combine.Combiner].
func (c boxes) Add(acc *[]any, r *record.Row) { c.AddAt(acc, r, 0) }

// AddAt implements [combine.Timed].
func (c boxes) AddAt(acc *[]any, r *record.Row, at int64) {
	for i := range c.all {
		v := record.Value{} // of a count, which looks at no field
		if f := c.all[i].field; f >= 0 {
			v = (*r)[f]
		}
		c.all[i].held.add((*acc)[i], v, at)
	}
}

// Merge implements [combine.Combiner].
func (c boxes) Merge(acc, other *[]any) {
	for i := range c.all {
		c.all[i].held.merge((*acc)[i], (*other)[i])
	}
}

// Clone implements [combine.Cloner].
func (c boxes) Clone(acc *[]any) []any {
	copied := make([]any, len(*acc))
	for i := range c.all {
		copied[i] = c.all[i].held.clone((*acc)[i])
	}
	return copied
}

// Extract implements [combine.Combiner].
func (c boxes) Extract(acc *[]any) (record.Row, error) {
	row := make(record.Row, len(c.all))
	for i := range c.all {
		v, err := c.all[i].held.extract((*acc)[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.all[i].name, err)
		}
		row[i] = v
	}
	return row, nil
}
