package trigger

import "github.com/strandline-stream/strandline/internal/etime"

// State is one window's trigger state: plain words of a fixed number, [Program.Words], that can
// be copied, compared and stored (S5.1, S11.3). A fresh window's state is all zero. Its content
// has a meaning only for programs of triggers with equal text. The caller owns it; a Program
// keeps no reference to one.
type State []int64

// Moment is all that an evaluation may look at, in microseconds.
type Moment struct {
	W   int64 // the watermark
	Due int64 // the watermark at which the window fires on time: its end (S4.1)
	Now int64 // processing time
}

// past says whether the window's end is reached.
func (m Moment) past() bool { return m.W >= m.Due }

// isDue says whether what is ready from instant t on is ready at now. Nothing ever happens at
// etime.Max.
func isDue(t, now int64) bool { return t <= now && t != etime.Max }

// Program is a trigger made ready for evaluation. It is immutable, shared by all windows and
// workers, and allocates nothing.
//
// A window under it lives like this: OnElement after each element is added, then ShouldFire;
// ShouldFire also when the watermark reaches Due and when processing time reaches
// NextProcessing; OnFire for the same Moment when ShouldFire says true. ShouldFire changes
// nothing, so asking more often does not change what is fired with what in it.
type Program struct {
	root                  Trigger
	words                 int
	isDefault, perElement bool
	usesClock             bool
}

// Compile makes t ready for evaluation, or gives Validate's error.
func Compile(t Trigger) (*Program, error) {
	if err := Validate(t); err != nil {
		return nil, err
	}
	t = given(t)
	_, perElement := early(t)
	return &Program{
		root:       t,
		words:      t.words(),
		isDefault:  t.String() == Default().String(),
		perElement: perElement,
		usesClock:  usesClock(t),
	}, nil
}

// Trigger gives what was compiled.
func (p *Program) Trigger() Trigger { return p.root }

// Words is the length of a State of this program, at least 1.
func (p *Program) Words() int { return p.words }

// IsDefault says whether it is [Default]: a runner then knows without any State what fires.
func (p *Program) IsDefault() bool { return p.isDefault }

// PerElement says whether an element can make it fire before the watermark reaches the window's
// end. If not, a runner need not ask after each element until then. (Past the end it must, under
// any trigger.)
func (p *Program) PerElement() bool { return p.perElement }

// UsesProcessingTime says whether processing time can make it fire, so that results depend on
// the wall clock (S1.6).
func (p *Program) UsesProcessingTime() bool { return p.usesClock }

// OnElement takes note that one element was added to the window at m. A finished trigger
// ignores it.
func (p *Program) OnElement(s State, m Moment) {
	if s[0]&finished == 0 {
		s[0] |= reached
		p.root.element(s, m)
	}
}

// ShouldFire says whether the window fires at m. It is a function of its arguments.
func (p *Program) ShouldFire(s State, m Moment) bool {
	return s[0]&finished == 0 && ready(p.root, s, m)
}

// OnFire moves on after the window has fired, and says whether that was the last time. It may be
// called only if ShouldFire says true for the same arguments.
func (p *Program) OnFire(s State, m Moment) (finished bool) {
	p.root.fire(s, m)
	return p.Finished(s)
}

// Finished says whether the trigger will not fire again: the window is closed (S4.2).
func (p *Program) Finished(s State) bool { return s[0]&finished != 0 }

// NextProcessing gives the earliest processing time, in microseconds, at which the passing of
// time alone could make it fire, or etime.Max if it could not. The runner asks ShouldFire at
// that time, and again for the next one after every element, firing and merge. An instant that
// is not after the present one says that time has done its part and the watermark is missing.
//
// It is exact until the watermark reaches the window's end. After that, under a trigger that
// both combines two delays by AfterAll and offers the watermark as an alternative to one of
// them, it can name the later delay; no trigger loses a firing by that.
func (p *Program) NextProcessing(s State) int64 {
	if !p.usesClock || s[0]&finished != 0 {
		return etime.Max
	}
	if t := p.root.when(s, Moment{W: etime.Min, Due: etime.Max}); t != etime.Max {
		return t
	}
	// Nothing without the watermark. With it, but not at once?
	if t := p.root.when(s, Moment{W: etime.Max, Due: etime.Max}); t != etime.Min {
		return t
	}
	return etime.Max
}
