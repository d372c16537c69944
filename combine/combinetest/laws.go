package combinetest

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/combine"
)

func (s *subject[V, A, O]) laws() []law[V] {
	laws := []law[V]{
		{"fresh", "Create gives an accumulator that shares nothing with earlier ones", s.fresh},
		{"empty", "Extract of a fresh accumulator is a value if Neutral says so, else ErrEmpty", s.empty},
		{"order", "the elements in any order give the same result", s.order},
		{"grouping", "partial accumulators merged in any grouping give the same result", s.grouping},
		{"neutral", "merging with a fresh accumulator changes nothing", s.neutral},
		{"extract", "Extract leaves the accumulator as it was", s.extracting},
		{"result", "a result does not change when its accumulator goes on", s.keeping},
		{"element", "Add keeps no pointer to the element", s.element},
		{"copy", "a copy and its original are independent", s.copying},
	}
	if s.batch != nil && s.timed == nil {
		laws = append(laws, law[V]{"batch", "AddBatch does what Add does", s.batching})
	}
	if s.sub != nil {
		laws = append(laws, law[V]{"subtract", "Subtract undoes Add", s.subtracting})
	}
	return laws
}

func (s *subject[V, A, O]) empty(tr trial[V]) *breach {
	got := s.result(tr, 0)
	if combine.HasNeutral(s.c) {
		if got.err != nil {
			return &breach{done: "Extract(Create()), Neutral being true", got: got.String(), want: "no error"}
		}
		return nil
	}
	return s.compare("Extract(Create()), there being no Neutral, or false", got, outcome[O]{err: combine.ErrEmpty})
}

func (s *subject[V, A, O]) order(tr trial[V]) *breach {
	n := len(tr.values)
	other := trial[V]{seed: tr.seed}
	for _, i := range tr.rand().Perm(n) {
		other.values = append(other.values, tr.values[i])
		other.at = append(other.at, tr.at[i])
	}
	done := fmt.Sprintf("added %+v", other.values)
	if s.timed != nil {
		done += fmt.Sprintf(" at %v µs", other.at)
	}
	return s.compare(done, s.result(other, n), s.result(tr, n))
}

func (s *subject[V, A, O]) grouping(tr trial[V]) *breach {
	rnd := tr.rand()
	parts := make([]A, 1+rnd.IntN(len(tr.values)+1))
	names := make([]string, len(parts))
	for i := range parts {
		parts[i] = s.c.Create()
	}
	for i := range tr.values {
		p := rnd.IntN(len(parts))
		s.add(&parts[p], tr, i, i+1)
		names[p] += fmt.Sprintf(" %+v", tr.values[i])
	}
	for i := range names {
		names[i] = "[" + strings.TrimSpace(names[i]) + "]"
	}
	for len(parts) > 1 {
		last := len(parts) - 1
		i := rnd.IntN(last)
		j := i + 1 + rnd.IntN(last-i)
		if rnd.IntN(2) == 0 { // the one further on takes in the other
			parts[i], parts[j], names[i], names[j] = parts[j], parts[i], names[j], names[i]
		}
		s.c.Merge(&parts[i], &parts[j])
		names[i] = "(" + names[i] + " + " + names[j] + ")"
		parts[j], names[j] = parts[last], names[last]
		parts, names = parts[:last], names[:last]
	}
	return s.compare("merged "+names[0], s.extract(&parts[0]), s.result(tr, len(tr.values)))
}

func (s *subject[V, A, O]) neutral(tr trial[V]) *breach {
	n := len(tr.values)
	want := s.result(tr, n)
	acc, empty := s.build(tr, n), s.c.Create()
	s.c.Merge(&acc, &empty)
	if b := s.compare("Merge(acc, Create())", s.extract(&acc), want); b != nil {
		return b
	}
	acc, empty = s.build(tr, n), s.c.Create()
	s.c.Merge(&empty, &acc)
	return s.compare("Merge(Create(), acc)", s.extract(&empty), want)
}

func (s *subject[V, A, O]) fresh(tr trial[V]) *breach {
	before := s.result(tr, 0)
	a, b := s.c.Create(), s.c.Create()
	s.add(&a, tr, 0, len(tr.values))
	return s.compare("created a and b, added to a, extracted b", s.extract(&b), before)
}

func (s *subject[V, A, O]) extracting(tr trial[V]) *breach {
	n := len(tr.values)
	cut := tr.rand().IntN(n + 1)
	acc := s.build(tr, cut)
	s.extract(&acc)
	if b := s.compare(fmt.Sprintf("extracted twice after %d", cut), s.extract(&acc), s.result(tr, cut)); b != nil {
		return b
	}
	s.add(&acc, tr, cut, n)
	return s.compare(fmt.Sprintf("extracted after %d and after all", cut), s.extract(&acc), s.result(tr, n))
}

func (s *subject[V, A, O]) keeping(tr trial[V]) *breach {
	n := len(tr.values)
	cut := tr.rand().IntN(n + 1)
	acc := s.build(tr, cut)
	early := s.extract(&acc)
	s.add(&acc, tr, cut, n)
	s.extract(&acc)
	return s.compare(fmt.Sprintf("extracted after %d, went on, looked at that result again", cut), early, s.result(tr, cut))
}

func (s *subject[V, A, O]) element(tr trial[V]) *breach {
	acc, zero := s.c.Create(), *new(V)
	for i, v := range tr.values {
		s.addOne(&acc, &v, tr.at[i])
		v = zero
	}
	return s.compare("zeroed each element after its Add", s.extract(&acc), s.result(tr, len(tr.values)))
}

func (s *subject[V, A, O]) copying(tr trial[V]) *breach {
	n := len(tr.values)
	cut := tr.rand().IntN(n + 1)
	rest := trial[V]{tr.values[cut:], tr.at[cut:], tr.seed}
	type step struct {
		name string
		do   func(a, b *A) // b is a copy of a, which is of the first cut elements
		want int           // elements that a stands for afterwards
	}
	steps := []step{
		{"added to the copy", func(_, b *A) { s.add(b, tr, cut, n) }, cut},
		{"added to the copy, then to the original", func(a, b *A) { s.add(b, tr, cut, n); s.add(a, tr, cut, n) }, n},
		{"added to the original, then to the copy", func(a, b *A) { s.add(a, tr, cut, n); s.add(b, tr, 0, cut) }, n},
		{"merged others into the copy", func(_, b *A) { more := s.build(rest, n-cut); s.c.Merge(b, &more) }, cut},
		{"merged the copy into others, and added to that", func(_, b *A) {
			more := s.build(rest, n-cut)
			s.c.Merge(&more, b)
			s.add(&more, tr, cut, n)
		}, cut},
	}
	for _, st := range steps {
		a := s.build(tr, cut)
		b, by := s.clone(&a)
		st.do(&a, &b)
		done := fmt.Sprintf("copied by %s after %d, %s, extracted the original", by, cut, st.name)
		if br := s.compare(done, s.extract(&a), s.result(tr, st.want)); br != nil {
			return br
		}
		a = s.build(tr, cut)
		b, by = s.clone(&a)
		st.do(&b, &a)
		done = fmt.Sprintf("copied by %s after %d, %s (original and copy exchanged), extracted the copy", by, cut, st.name)
		if br := s.compare(done, s.extract(&b), s.result(tr, st.want)); br != nil {
			return br
		}
	}
	return nil
}

func (s *subject[V, A, O]) batching(tr trial[V]) *breach {
	rnd := tr.rand()
	n := len(tr.values)
	accs, slots := make([]A, 1+rnd.IntN(3)), make([]uint32, n)
	each := make([]trial[V], len(accs))
	for i := range accs {
		accs[i] = s.c.Create()
	}
	for i, v := range tr.values {
		slots[i] = uint32(rnd.IntN(len(accs)))
		e := &each[slots[i]]
		e.values, e.at = append(e.values, v), append(e.at, tr.at[i])
	}
	cut := rnd.IntN(n + 1) // two batches
	s.batch.AddBatch(accs, slots[:cut], append([]V(nil), tr.values[:cut]...))
	s.batch.AddBatch(accs, slots[cut:], append([]V(nil), tr.values[cut:]...))
	for i := range accs {
		done := fmt.Sprintf("AddBatch to slots %v, then %v, extracted slot %d", slots[:cut], slots[cut:], i)
		if b := s.compare(done, s.extract(&accs[i]), s.result(each[i], len(each[i].values))); b != nil {
			return b
		}
	}
	return nil
}

func (s *subject[V, A, O]) subtracting(tr trial[V]) *breach {
	n := len(tr.values)
	keep := tr.rand().IntN(n + 1)
	acc := s.build(tr, n)
	for i := keep; i < n; i++ {
		v := tr.values[i]
		s.sub.Subtract(&acc, &v)
	}
	return s.compare(fmt.Sprintf("subtracted those after the first %d", keep), s.extract(&acc), s.result(tr, keep))
}
