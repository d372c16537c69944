package yaml

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/record"
)

// words are accumulators of numbers, without pointers, so that the tables that hold them are
// never scanned: each aggregate has some words of its own in an array.
type words interface{ [4]uint64 | [8]uint64 }

// wordOp is what an aggregate does with its words.
type wordOp uint8

const (
	opCount    wordOp = iota // 1 word: how many
	opCountIf                // 1 word: how many are true
	opSumInt                 // 3 words: how many, and a sum of 128 bits (S7.3)
	opSumFloat               // 5 words: how many, and a compensated sum (S7.3)
	opMeanInt                // as the sum
	opMeanFloat
	opMin // 2 words: how many, and the least
	opMax
)

var wordsOf = [...]int{opCount: 1, opCountIf: 1, opSumInt: 3, opSumFloat: 5, opMeanInt: 3, opMeanFloat: 5, opMin: 2, opMax: 2}

// numeric is one aggregate over the field of a row.
type numeric struct {
	op    wordOp
	field int
	kind  record.Kind // of the field: Int, Float or Time
	at    int         // where its words begin
}

// numerics aggregates the fields of rows in words. It is a [combine.Combiner].
type numerics[A words] struct{ ops []numeric }

// Borrows says that an accumulator has nothing of a row.
func (numerics[A]) Borrows() bool { return true }

// Create implements [combine.Combiner].
func (numerics[A]) Create() (acc A) { return acc }

// Add implements [combine.Combiner].
func (c numerics[A]) Add(acc *A, r *record.Row) {
	for i := range c.ops {
		c.ops[i].add(wordsIn(acc), r)
	}
}

// AddBatch implements [combine.Batcher].
func (c numerics[A]) AddBatch(accs []A, slots []uint32, rows []record.Row) {
	slots = slots[:len(rows)]
	for i := range c.ops {
		switch o := &c.ops[i]; o.op {
		case opCount:
			at := o.at
			for _, s := range slots {
				wordsIn(&accs[s])[at]++
			}
		case opSumFloat, opMeanFloat:
			for j := range rows {
				w := wordsIn(&accs[slots[j]])
				if f, is := rows[j][o.field].IsFloat(); is && addFloat(w[o.at:], f) {
					continue
				}
				o.add(w, &rows[j])
			}
		default:
			for j := range rows {
				o.add(wordsIn(&accs[slots[j]]), &rows[j])
			}
		}
	}
}

// addFloat adds to a compensated sum, and counts, if all stays finite: then only Sum and Lost change,
// and the words of the others need not be taken apart.
func addFloat(w []uint64, x float64) bool {
	c := combine.Compensated{Sum: math.Float64frombits(w[1]), Lost: math.Float64frombits(w[2])}
	if c.Add(x); c.Over|c.NaN|c.PosInf|c.NegInf != 0 {
		return false
	}
	w[0], w[1], w[2] = w[0]+1, math.Float64bits(c.Sum), math.Float64bits(c.Lost)
	return true
}

// wordsIn gives the words of an accumulator.
func wordsIn[A words](acc *A) []uint64 {
	switch a := any(acc).(type) {
	case *[4]uint64:
		return a[:]
	case *[8]uint64:
		return a[:]
	}
	return nil
}

func (o *numeric) add(w []uint64, r *record.Row) {
	w = w[o.at:]
	if o.op == opCount {
		w[0]++
		return
	}
	v := (*r)[o.field]
	if v.IsNull() {
		return
	}
	switch o.op {
	case opCountIf:
		if v.Kind() == record.Bool && v.Bool() {
			w[0]++
		}
		return
	case opSumInt, opMeanInt:
		i := v.Int()
		var carry uint64
		w[2], carry = bits.Add64(w[2], uint64(i), 0)
		w[1] += uint64(i>>63) + carry
	case opSumFloat, opMeanFloat:
		f := v.Float()
		if v.Kind() == record.Int {
			f = float64(v.Int())
		}
		c := load(w)
		c.Add(f)
		store(w, c)
	case opMin, opMax:
		b := o.bits(v)
		if w[0] == 0 || o.better(b, w[1]) {
			w[1] = b
		}
	}
	w[0]++
}

// bits are the bits of a value that is compared; of all zeros one.
func (o *numeric) bits(v record.Value) uint64 {
	if o.kind != record.Float {
		return uint64(v.Int())
	}
	f := v.Float()
	if v.Kind() == record.Int {
		f = float64(v.Int())
	}
	return math.Float64bits(f + 0)
}

func (o *numeric) better(a, b uint64) bool {
	var c int
	if o.kind == record.Float {
		c = cmp.Compare(math.Float64frombits(a), math.Float64frombits(b))
	} else {
		c = cmp.Compare(int64(a), int64(b))
	}
	return o.op == opMin && c < 0 || o.op == opMax && c > 0
}

// load and store keep a compensated sum in the words after the count.
func load(w []uint64) combine.Compensated {
	return combine.Compensated{
		Sum: math.Float64frombits(w[1]), Lost: math.Float64frombits(w[2]),
		Over: int32(w[3]), NaN: int32(w[3] >> 32), PosInf: int32(w[4]), NegInf: int32(w[4] >> 32),
	}
}

func store(w []uint64, c combine.Compensated) {
	w[1], w[2] = math.Float64bits(c.Sum), math.Float64bits(c.Lost)
	w[3] = uint64(uint32(c.Over)) | uint64(uint32(c.NaN))<<32
	w[4] = uint64(uint32(c.PosInf)) | uint64(uint32(c.NegInf))<<32
}

// Merge implements [combine.Combiner].
func (c numerics[A]) Merge(acc, other *A) {
	for _, o := range c.ops {
		a, b := wordsIn(acc)[o.at:], wordsIn(other)[o.at:]
		switch o.op {
		case opSumInt, opMeanInt:
			var carry uint64
			a[2], carry = bits.Add64(a[2], b[2], 0)
			a[1] += b[1] + carry
		case opSumFloat, opMeanFloat:
			sum := load(a)
			sum.Merge(load(b))
			store(a, sum)
		case opMin, opMax:
			if b[0] > 0 && (a[0] == 0 || o.better(b[1], a[1])) {
				a[1] = b[1]
			}
		}
		a[0] += b[0]
	}
}

// CanSubtract says whether all of the aggregates can take a row back: the least and the greatest
// cannot.
func (c numerics[A]) CanSubtract() bool {
	for _, o := range c.ops {
		if o.op == opMin || o.op == opMax {
			return false
		}
	}
	return true
}

// Subtract implements [combine.Subtractor].
func (c numerics[A]) Subtract(acc *A, r *record.Row) {
	for i := range c.ops {
		o := &c.ops[i]
		w := wordsIn(acc)[o.at:]
		if o.op == opCount {
			w[0]--
			continue
		}
		v := (*r)[o.field]
		if v.IsNull() || o.op == opCountIf && !(v.Kind() == record.Bool && v.Bool()) {
			continue
		}
		switch o.op {
		case opSumInt, opMeanInt:
			n := v.Int()
			var borrow uint64
			w[2], borrow = bits.Sub64(w[2], uint64(n), 0)
			w[1] -= uint64(n>>63) + borrow
		case opSumFloat, opMeanFloat:
			f := v.Float()
			if v.Kind() == record.Int {
				f = float64(v.Int())
			}
			sum := load(w)
			sum.Subtract(f)
			store(w, sum)
		}
		w[0]--
	}
}

// Extract implements [combine.Combiner]. What saw no value but null is null.
func (c numerics[A]) Extract(acc *A) (record.Row, error) {
	row := make(record.Row, len(c.ops))
	for i, o := range c.ops {
		w := wordsIn(acc)[o.at:]
		if o.op != opCount && o.op != opCountIf && w[0] == 0 {
			continue
		}
		sum := combine.Int128{}
		if o.op == opSumInt || o.op == opMeanInt {
			sum = combine.Int128{Hi: int64(w[1]), Lo: w[2]}
		}
		switch o.op {
		case opCount, opCountIf:
			row[i] = record.OfInt(int64(w[0]))
		case opSumInt:
			if sum.Hi != int64(sum.Lo)>>63 {
				return nil, combine.ErrOverflow
			}
			row[i] = record.OfInt(int64(sum.Lo))
		case opSumFloat:
			row[i] = record.OfFloat(load(w).Value())
		case opMeanInt:
			mean, err := combine.Mean(combine.Self[int64]).Extract(&combine.IntMeanAcc{Sum: sum, N: int64(w[0])})
			if err != nil {
				return nil, err
			}
			row[i] = record.OfFloat(mean)
		case opMeanFloat:
			mean, err := combine.MeanFloat(combine.Self[float64]).Extract(&combine.FloatMeanAcc{Sum: load(w), N: int64(w[0])})
			if err != nil {
				return nil, err
			}
			row[i] = record.OfFloat(mean)
		case opMin, opMax:
			switch o.kind {
			case record.Float:
				row[i] = record.OfFloat(math.Float64frombits(w[1]))
			case record.Time:
				row[i] = record.OfTime(int64(w[1]))
			default:
				row[i] = record.OfInt(int64(w[1]))
			}
		}
	}
	return row, nil
}
