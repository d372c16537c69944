package core

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestTheScheduleIsByInstantThenKindThenOrderOfAdding(t *testing.T) {
	var s Schedule
	for _, e := range []Event{
		{At: 20, Kind: Due, Ref: 1}, {At: 10, Kind: Expire, Ref: 2}, {At: 10, Kind: Due, Ref: 3},
		{At: 10, Kind: Timer, Ref: 4}, {At: 10, Kind: Due, Ref: 5}, {At: -5, Kind: Expire, Ref: 6},
	} {
		s.Add(e)
	}
	var got []uint32
	for {
		e, ok := s.Pop(etime.Max)
		if !ok {
			break
		}
		got = append(got, e.Ref)
	}
	if want := []uint32{6, 3, 5, 4, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNothingIsTakenBeforeItsInstant(t *testing.T) {
	var s Schedule
	if _, ok := s.Next(); ok {
		t.Error("an empty schedule has a next event")
	}
	s.Add(Event{At: 10, Ref: 7})
	if _, ok := s.Pop(9); ok {
		t.Error("taken at 9")
	}
	if at, ok := s.Next(); !ok || at != 10 || s.Peek().Ref != 7 || s.Len() != 1 {
		t.Errorf("next %d, %t, %d planned", at, ok, s.Len())
	}
	if e, ok := s.Pop(10); !ok || e.Ref != 7 || s.Len() != 0 {
		t.Errorf("at 10: %v, %t, %d planned", e, ok, s.Len())
	}
}

func TestARandomScheduleComesOutSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var s Schedule
		var all, got []Event
		take := func(w int64) {
			for {
				e, ok := s.Pop(w)
				if !ok {
					return
				}
				e.seq = 0
				got = append(got, e)
			}
		}
		low := int64(-20)
		for i := range uint32(r.IntN(60)) {
			e := Event{At: low + r.Int64N(10), Kind: Kind(r.IntN(3)), Ref: i}
			s.Add(e)
			all = append(all, e)
			if r.IntN(5) == 0 {
				take(low - 1)
				low += r.Int64N(5)
			}
		}
		take(etime.Max)
		slices.SortStableFunc(all, func(a, b Event) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Kind, b.Kind)) })
		// What was added after an advance lies behind it, so the whole comes out sorted.
		if !slices.Equal(got, all) {
			t.Fatalf("got %v, want %v", got, all)
		}
	}
}
