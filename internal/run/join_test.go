package run

import (
	"reflect"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

func TestSidesAreTheSameOneByOneAndInBatches(t *testing.T) {
	var both combine.Batcher[Side[int, string], Sides[int, string]] = Both[int, string]{}
	vs := []Side[int, string]{{L: 1}, {Right: true, R: "a"}, {L: 2}, {Right: true, R: "b"}, {L: 3}}
	got := make([]Sides[int, string], 3)
	both.AddBatch(got, []uint32{2, 2, 0, 0, 2}, vs)
	want := []Sides[int, string]{{L: []int{2}, R: []string{"b"}}, {}, {L: []int{1, 3}, R: []string{"a"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
