package datagen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
)

// Generator is a [connector.Source] of made-up events. Its methods give changed copies.
//
// Event number n (from 0) comes n steps after the start; a step is one second divided by
// the rate, or [Generator.Step]. Its event time is that, less a delay of its own if there is
// disorder. So with the same options and seed the events are the same but for the start.
type Generator[T any] struct {
	name     string
	make     func(n int64, at time.Time, r *rand.Rand) T
	rate     float64
	step     time.Duration
	start    time.Time // zero: when it is opened
	disorder time.Duration
	count    int64         // negative: no limit
	span     time.Duration // negative: no limit
	seed     uint64
}

// Events makes events by calling f with their number, their event time, and a source of
// randomness that is f's alone. By default they come as fast as they are taken, a
// millisecond of event time apart, in order and without end.
func Events[T any](name string, f func(n int64, at time.Time, r *rand.Rand) T) Generator[T] {
	return Generator[T]{name: name, make: f, step: time.Millisecond, count: -1, span: -1}
}

// Rate makes so many events come in a second, as a live source. Defaults to 0: as fast as
// they are taken.
func (g Generator[T]) Rate(perSecond float64) Generator[T] {
	g.rate = perSecond
	return g
}

// Step is the event time between two events if there is no rate. Defaults to a millisecond.
func (g Generator[T]) Step(d time.Duration) Generator[T] {
	g.step = d
	return g
}

// Start is the event time of the start. Defaults to the wall clock when a run opens the
// source if there is a rate, and to 2026-01-01T00:00:00Z if there is none.
func (g Generator[T]) Start(t time.Time) Generator[T] {
	g.start = t
	return g
}

// Disorder delays each event by up to d, evenly: its event time is that much before its turn.
// Whoever bounds out-of-orderness by d has nothing late. Defaults to 0.
func (g Generator[T]) Disorder(d time.Duration) Generator[T] {
	g.disorder = d
	return g
}

// Count ends the source after n events. By default it does not end.
func (g Generator[T]) Count(n int64) Generator[T] {
	g.count = n
	return g
}

// For ends the source before the first event whose turn is d or more after the start. By
// default it does not end.
func (g Generator[T]) For(d time.Duration) Generator[T] {
	g.span = d
	return g
}

// Seed chooses the random numbers. Defaults to 0.
func (g Generator[T]) Seed(seed uint64) Generator[T] {
	g.seed = seed
	return g
}

// Name is the name that was given.
func (g Generator[T]) Name() string { return g.name }

// Bounded says whether there is a limit.
func (g Generator[T]) Bounded() bool { return g.count >= 0 || g.span >= 0 }

// Splits gives the one split.
func (g Generator[T]) Splits(context.Context) ([]connector.Split[T], error) {
	var problems []error
	refuse := func(option string, value any, why string) {
		problems = append(problems, fmt.Errorf("datagen: %s: %s(%v): %s", g.name, option, value, why))
	}
	if g.make == nil {
		problems = append(problems, fmt.Errorf("datagen: %s: there is no function that makes events", g.name))
	}
	if g.rate < 0 || math.IsNaN(g.rate) || math.IsInf(g.rate, 0) {
		refuse("Rate", g.rate, "a rate is a number of events a second, or 0")
	}
	if g.step < 0 {
		refuse("Step", g.step, "events cannot come backwards")
	}
	if g.disorder < 0 {
		refuse("Disorder", g.disorder, "a delay cannot be negative")
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return []connector.Split[T]{split[T]{g}}, nil
}

type split[T any] struct{ g Generator[T] }

func (s split[T]) Name() string { return s.g.name }

func (s split[T]) Open(context.Context) (connector.Reader[T], error) {
	g := s.g
	switch {
	case !g.start.IsZero():
	case g.rate > 0:
		g.start = time.Now()
	default:
		g.start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return &reader[T]{
		Generator: g,
		opened:    time.Now(),
		first:     etime.Micros(g.start),
		random:    rand.New(rand.NewPCG(g.seed, 1)),
		delays:    rand.New(rand.NewPCG(g.seed, 2)),
		values:    make([]T, connector.BatchSize),
		times:     make([]int64, connector.BatchSize),
	}, nil
}

// Timed says that the generator itself knows its event times: Read of package strandline needs no
// function for them.
func (g Generator[T]) Timed() bool { return true }
