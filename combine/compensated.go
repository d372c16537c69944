package combine

import "math"

// Float is what SumFloat and MeanFloat take.
type Float interface{ ~float32 | ~float64 }

// Compensated is a floating-point sum that keeps what rounding would lose: Neumaier's variant of
// Kahan's summation (ZAMM 54, 1974). For n values its error is at most about one unit in the
// last place of the sum, plus n²·2⁻¹⁰⁶ times the sum of the absolute values; so the order of the
// values, and how partial sums were grouped, shows only in the last bits (S7.3).
//
// The sum is Over·2¹⁰²³ + Sum + Lost, where Over is 0 but for sums that pass float64 on their way
// and may come back. Infinities and NaN are counted apart, so that they can be taken away again;
// together they follow IEEE 754: infinities of both signs are NaN. Counts saturate.
type Compensated struct {
	Sum, Lost                 float64
	Over, NaN, PosInf, NegInf int32
}

// huge is the unit of Over: half of the first power of two that is beyond float64.
const huge = 0x1p1023

// Add adds x.
func (s *Compensated) Add(x float64) {
	sum := s.Sum + x
	if sum-sum != 0 { // not finite
		s.addHuge(x)
		return
	}
	if math.Abs(s.Sum) >= math.Abs(x) {
		s.Lost += (s.Sum - sum) + x
	} else {
		s.Lost += (x - sum) + s.Sum
	}
	s.Sum = sum
}

// addHuge adds an x that is not finite, or takes the sum beyond float64. Then both have one
// sign, and at least one of them is huge; taking huge from such a number is exact.
func (s *Compensated) addHuge(x float64) {
	if x-x != 0 {
		s.count(x, 1)
		return
	}
	unit := math.Copysign(1, x)
	if math.Abs(s.Sum) >= huge {
		s.Sum -= unit * huge
		s.Over += int32(unit)
	}
	if math.Abs(x) >= huge {
		x -= unit * huge
		s.Over += int32(unit)
	}
	s.Add(x)
}

// Subtract takes away an x that was added.
func (s *Compensated) Subtract(x float64) {
	if x-x != 0 {
		s.count(x, -1)
		return
	}
	s.Add(-x)
}

// count counts an infinity or a NaN.
func (s *Compensated) count(x float64, by int32) {
	switch {
	case x > 0:
		s.PosInf = tally(s.PosInf, by)
	case x < 0:
		s.NegInf = tally(s.NegInf, by)
	default:
		s.NaN = tally(s.NaN, by)
	}
}

// tally gives n+by. A count that has reached the greatest stays there, being no longer known.
func tally(n, by int32) int32 {
	if n > math.MaxInt32-max(by, 0) || n == math.MaxInt32 {
		return math.MaxInt32
	}
	return n + by
}

// Merge adds the sum o.
func (s *Compensated) Merge(o Compensated) {
	s.Add(o.Sum)
	s.Lost += o.Lost
	s.Over += o.Over
	s.NaN = tally(s.NaN, o.NaN)
	s.PosInf = tally(s.PosInf, o.PosInf)
	s.NegInf = tally(s.NegInf, o.NegInf)
}

// Value gives the sum as a float64, infinite if it is beyond.
func (s Compensated) Value() float64 { return s.over(1) }

// over gives the sum divided by n, which may be a float64 where the sum is not.
func (s Compensated) over(n float64) float64 {
	switch {
	case s.NaN > 0, s.PosInf > 0 && s.NegInf > 0:
		return math.NaN()
	case s.PosInf > 0:
		return math.Inf(1)
	case s.NegInf > 0:
		return math.Inf(-1)
	}
	for s.Over > 0 && s.Sum < 0 { // at most twice: Sum is above -2·huge
		s.Over--
		s.Add(huge)
	}
	for s.Over < 0 && s.Sum > 0 {
		s.Over++
		s.Add(-huge)
	}
	if s.Over == 0 && math.Abs(s.Sum) < huge {
		return (s.Sum + s.Lost) / n
	}
	const down, up = 0x1p-64, 0x1p64
	return (float64(s.Over)*(huge*down) + s.Sum*down + s.Lost*down) / n * up
}
