package watermark

import "github.com/strandline-stream/strandline/internal/etime"

// adaptive is the generator of [Adaptive]. All times are in microseconds.
type adaptive struct {
	of          Strategy // for messages
	quantile    float64
	least, most int64

	high   frontier // the greatest event time that may drive, and what the poison guard withholds
	delays delays
	seen   int64 // delays observed since the weights were last halved
	bound  int64 // least..most
	w      int64
}

const (
	// evaluate is how many delays are observed before the bound is set anew.
	evaluate = 256
	// halfLife is how many delays are observed before all weights are halved.
	halfLife = 16_384
	// mostWeight is more than a histogram can weigh: what is observed in a half-life, and as
	// much again for all that was before.
	mostWeight = 2 * halfLife * one
)

func (a *adaptive) Observe(c Columns, w []int64) (int64, error) {
	f := &a.high
	limit := f.begin(c)
	stop := f.stop(limit)
	w = w[:len(c.At)]
	for i, t := range c.At {
		w[i] = a.w
		if t >= stop {
			f.judge(i, t, limit)
			stop = f.stop(limit)
		} else {
			f.high = max(f.high, t)
		}
		if f.high == f.floor || t == never {
			continue // nothing drives yet, or there is nothing to learn
		}
		if t <= f.high {
			a.observe(etime.Sub(f.high, t))
		}
		a.w = max(a.w, f.high-a.bound)
	}
	return a.w, nil
}

// observe learns from one delay.
func (a *adaptive) observe(delay int64) {
	a.delays.observe(delay)
	a.seen++
	if a.seen%evaluate == 0 {
		a.bound = min(max(a.delays.quantile(a.quantile), a.least), a.most)
	}
	if a.seen == halfLife {
		a.delays.halve()
		a.seen = 0
	}
}

func (a *adaptive) W() int64 { return a.w }

func (a *adaptive) Tick(now int64) int64 {
	if IdleAdvances(a.of) {
		a.high.Tick(now)
		a.w = max(a.w, a.high.high-a.bound)
	}
	return a.w
}

func (a *adaptive) Future() int64 { return a.high.Future() }

func (a *adaptive) Odd() []int { return a.high.found }

func (a *adaptive) Fresh() bool { return a.high.fresh }

func (a *adaptive) AppendState(dst []int64) []int64 {
	dst = append(a.high.AppendState(dst), a.w, a.bound, a.seen)
	return a.delays.appendState(dst)
}

func (a *adaptive) RestoreState(s []int64) error {
	const frontiers, own = 4, 3
	if len(s) < frontiers+own {
		return wrongState(a.of.String(), s)
	}
	high := a.high
	w, bound, seen := s[frontiers], s[frontiers+1], s[frontiers+2]
	delays, ok := restoreDelays(s[frontiers+own:])
	if high.RestoreState(s[:frontiers]) != nil || !ok ||
		w > high.high-a.least || bound < a.least || bound > a.most || seen < 0 || seen >= halfLife || delays.total < seen*one {
		return wrongState(a.of.String(), s)
	}
	a.high, a.w, a.bound, a.seen, a.delays = high, w, bound, seen, delays
	return nil
}

// Withheld is that of the frontier.
func (a *adaptive) Withheld() (at int64, is bool) { return a.high.Withheld() }
