package strandlinetest

import "fmt"

// Expect says what has come out of a collection since the action before: exactly these panes,
// those of one key in this order, values without a key in any. Of a pane a [Want] says as much
// as the test cares for.
//
// A collection that a script mentions anywhere is watched all along: panes that no Expect
// behind the action that brought them wants are an [ErrUnexpected].
func (s *Stream[T]) Expect[U any](out *Collected[U], want ...Want[U]) *Stream[T] {
	s.script.watch(out)
	s.script.record(line{place: place(), text: "Expect", check: func(when string) error { return out.judge(when, want) }})
	return s
}

// ExpectNothing says that nothing has come out of a collection since the action before.
func (s *Stream[T]) ExpectNothing[U any](out *Collected[U]) *Stream[T] {
	s.script.watch(out)
	s.script.record(line{place: place(), text: "ExpectNothing", check: out.nothing})
	return s
}

// Watch has a collection watched that the script does not mention otherwise.
func (s *Stream[T]) Watch[U any](out *Collected[U]) *Stream[T] {
	s.script.watch(out)
	return s
}

// Check calls f when all that the action before brought has come out. An error of f ends the
// run, and [Stream.Play] returns it with the line of the script.
func (s *Stream[T]) Check(f func() error) *Stream[T] {
	s.script.record(line{place: place(), text: "Check", check: func(when string) error {
		if err := f(); err != nil {
			return fmt.Errorf("%s: %w", when, err)
		}
		return nil
	}})
	return s
}

// AtEnd says what comes out of a collection behind the script's last line, when the input has
// finished: the watermark goes to "after everything", and what was never given comes out
// (S8.1). Of a watched collection without AtEnd nothing may come then. It may stand anywhere
// in the script.
func (s *Stream[T]) AtEnd[U any](out *Collected[U], want ...Want[U]) *Stream[T] {
	s.script.end(line{place: place(), text: "AtEnd", of: out, check: func(when string) error { return out.judge(when, want) }})
	return s
}

// AnyAtEnd lets come out of a collection what may when the input has finished.
func (s *Stream[T]) AnyAtEnd[U any](out *Collected[U]) *Stream[T] {
	s.script.end(line{place: place(), text: "AnyAtEnd", of: out, check: func(string) error { return nil }})
	return s
}
