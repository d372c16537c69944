package run

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/strandline-stream/strandline/internal/plan"
)

// Maker makes the operator of a step for one worker. The plan's steps carry one each.
type Maker interface {
	Make(p *Place) Ports
}

// MakerFunc is a function as a Maker.
type MakerFunc func(p *Place) Ports

// Make calls f.
func (f MakerFunc) Make(p *Place) Ports { return f(p) }

// windowedMaker makes operators that can be asked for the windows of a key.
type windowedMaker func(p *Place) Ports

// Make calls it.
func (f windowedMaker) Make(p *Place) Ports { return f(p) }

// HasWindows says so.
func (windowedMaker) HasWindows() bool { return true }

// Place is where an operator will live.
type Place struct {
	Step    *plan.Step
	Worker  int
	Workers int
	// Origins lists, for each input, the origins whose watermarks arrive there.
	Origins [][]int
	Counts  *Counts
	task    *task
	build   *builder
}

// Used says whether anybody consumes an output of the step.
func (p *Place) Used(port int) bool {
	return len(p.build.graph.Consumers(p.Step, port)) > 0
}

// newOrigin gives the number of the origin that the step itself is: the same on every worker.
func (p *Place) newOrigin(of int) int { return p.build.origin(p.Step, of) }

// Ports are an operator's ends.
type Ports struct {
	In      []any   // an Input[B] for each input of the step
	Out     []any   // an *Out[B] for each output
	Origins [][]int // for each output, the origins whose watermarks leave there
}

// op is what every operator that calls user functions has: its name, its counters, and the
// place of the element at hand, for the message if the user's function panics.
type op struct {
	step string
	n    *Counts
	at   int

	unbooked bool // see [Options.Unbooked]

	ended bool // the input has ended, or given the elements at hand by its end
}

func newOp(p *Place) op { return op{step: p.Step.ID, n: p.Counts, unbooked: p.build.opts.Unbooked} }

// caught turns a panic of a user function into a *PanicError that names step and element; it
// is deferred around the loops that call them. One that comes from a step further down
// passes.
func (o *op) caught(element func(i int) any) {
	r := recover()
	if r == nil {
		return
	}
	if own, ok := r.(*PanicError); ok {
		panic(own)
	}
	if own, ok := r.(stopped); ok {
		panic(own)
	}
	text := "none"
	if element != nil {
		func() {
			defer func() {
				if recover() != nil {
					text = "(cannot be printed)"
				}
			}()
			text = fmt.Sprintf("%+v", element(o.at))
		}()
	}
	if len(text) > 300 {
		text = text[:300] + "..."
	}
	panic(&PanicError{Step: o.step, Element: text, Value: r, Stack: debug.Stack()})
}

// calling calls a connector's method: its error names the step (but for io.EOF, which is none),
// and so does its panic.
func (o *op) calling(f func() error) (err error) { return calling(o.step, f) }

func calling(step string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Step: step, Element: "none", Value: r, Stack: debug.Stack()}
		}
	}()
	if err = f(); err != nil && err != io.EOF {
		err = fmt.Errorf("step %q: %w", step, err)
	}
	return err
}

// PanicError is a panic of a user function or a connector.
type PanicError struct {
	Step    string
	Element string
	Value   any
	Stack   []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("step %q: the function panicked: %v\n  element: %s\n%s", e.Step, e.Value, e.Element, e.Stack)
}

// Unwrap gives the value of the panic if it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// stopped unwinds an operator whose task has to end: the run was cancelled while it was
// sending, or a sink failed.
type stopped struct{ err error }
