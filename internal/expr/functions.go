package expr

import (
	"slices"
	"strings"
	"sync"

	"github.com/strandline-stream/strandline/internal/record"
)

// Function is a function of expressions: the table of them checks calls, and is documented.
type Function struct {
	// Name is how it is called, Aliases are other names for it.
	Name    string
	Aliases []string
	// Group is what it is about: text, numbers, conversion, conditions, times.
	Group string
	// Signature is like substr(text string, start integer, [length integer]) string.
	Signature string
	// Doc says what it gives, in a sentence or two.
	Doc string
	// Example is an expression without fields, Result its value as text.
	Example, Result string
	// Method says that it may also be written behind its first argument: text.lower().
	Method bool

	params []param
	result string
	build  func(c *checker, k *call) code
}

// kinds is a set of kinds.
type kinds uint16

const (
	text     kinds = 1 << record.String
	integer  kinds = 1 << record.Int
	numeric  kinds = 1<<record.Int | 1<<record.Float
	boolean  kinds = 1 << record.Bool
	instant  kinds = 1 << record.Time
	lists    kinds = 1 << record.List
	anyKind  kinds = 1 << record.Any
	nothing  kinds = 1 << record.Null
	anything kinds = 1<<(record.Any+1) - 1
)

func (ks kinds) has(k record.Kind) bool { return ks&(1<<k) != 0 }

// String names the set in signatures and messages.
func (ks kinds) String() string {
	switch {
	case ks|nothing|anyKind == anything:
		return "any"
	case ks == numeric:
		return "number"
	}
	var names []string
	for k := record.Bool; k <= record.Struct; k++ {
		if ks.has(k) && !(k == record.Int && ks.has(record.Float)) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " or ")
}

// param is a parameter.
type param struct {
	name     string
	kinds    kinds
	optional bool
	rest     bool // and any number after it
	literal  bool // must be written out, so that it is checked and prepared once
}

func in(name string, ks kinds) param  { return param{name: name, kinds: ks} }
func opt(name string, ks kinds) param { return param{name: name, kinds: ks, optional: true} }
func rest(name string, ks kinds) param {
	return param{name: name, kinds: ks, optional: true, rest: true}
}
func fixed(name string) param { return param{name: name, kinds: text, literal: true} }
func optFixed(name string) param {
	return param{name: name, kinds: text, literal: true, optional: true}
}
func params(ps ...param) []param { return ps }

func (p param) String() string {
	s := p.name + " " + p.kinds.String()
	switch {
	case p.rest:
		return p.name + "..."
	case p.optional:
		return "[" + s + "]"
	}
	return s
}

// Functions lists all functions in the order of their groups.
func Functions() []Function { return slices.Clone(functions()) }

var functions = sync.OnceValue(func() []Function {
	all := slices.Concat(
		group("text", textFunctions()), group("numbers", numberFunctions()), group("conversion", castFunctions()),
		group("conditions", conditionFunctions()), group("times", timeFunctions()))
	for i := range all {
		words := make([]string, len(all[i].params))
		for j, p := range all[i].params {
			words[j] = p.String()
		}
		all[i].Signature = all[i].Name + "(" + strings.Join(words, ", ") + ") " + all[i].result
	}
	return all
})

// group puts functions into a group.
func group(name string, fs []Function) []Function {
	for i := range fs {
		fs[i].Group = name
	}
	return fs
}

var functionIndex = sync.OnceValue(func() map[string]*Function {
	index := make(map[string]*Function)
	for i := range functions() {
		f := &functions()[i]
		index[f.Name] = f
		for _, name := range f.Aliases {
			index[name] = f
		}
	}
	return index
})

// functionNamed is the function of that name or alias, nil if there is none.
func functionNamed(name string) *Function { return functionIndex()[name] }
