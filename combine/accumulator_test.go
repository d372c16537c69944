package combine_test

import (
	"reflect"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

func TestAccumulatorsAreSmallAndHoldNoPointers(t *testing.T) {
	for _, tt := range []struct {
		acc   reflect.Type
		bytes uintptr
	}{
		{accumulator(combine.Count[string]()), 8},
		{accumulator(combine.CountNonNull(readingOpt)), 8},
		{accumulator(combine.Sum(readingN)), 16},
		{accumulator(combine.SumFloat(readingF)), 32},
		{accumulator(combine.Mean(readingN)), 24},
		{accumulator(combine.MeanFloat(readingF)), 40},
		{accumulator(combine.Min(readingN)), 16},
		{accumulator(combine.Max(readingF)), 16},
		{accumulator(combine.First(readingN)), 24},
		{accumulator(combine.Last(readingF)), 24},
		{accumulator(combine.NonNull(readingOpt, combine.Sum(combine.Self[int64]))), 24},
		{accumulator(combine.Of(readingN, combine.Sum(combine.Self[int64]))), 16},
		{accumulator(combine.Both(combine.Count[reading](), combine.Sum(readingN))), 24},
	} {
		if tt.acc.Size() != tt.bytes || pointers(tt.acc) {
			t.Errorf("%v: %d bytes, want %d; pointers: %v", tt.acc, tt.acc.Size(), tt.bytes, pointers(tt.acc))
		}
	}
}

func accumulator[V, A, O any](combine.Combiner[V, A, O]) reflect.Type { return reflect.TypeFor[A]() }

func pointers(t reflect.Type) bool {
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if pointers(f.Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128 // arrays, maps, strings and so on
}
