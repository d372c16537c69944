package watermark

import (
	"fmt"
	"time"
)

// idle is what a strategy asks for when its split falls silent (S3.3). Strategies embed it.
type idle struct {
	timeout time.Duration
	advance bool
}

func (i idle) whenIdle() idle { return i }

// idling is a strategy that says what it asks for when its split falls silent.
type idling interface{ whenIdle() idle }

// IdleTimeout gives how long a split with strategy s must be without data, while nothing
// downstream is blocked, to count as idle, so that it no longer holds back the others. Zero
// means that silence never makes it idle: only its source does, by saying that it is caught up.
func IdleTimeout(s Strategy) time.Duration {
	if i, ok := s.(idling); ok {
		return i.whenIdle().timeout
	}
	return 0
}

// IdleAdvances says whether the watermark of strategy s follows the clock while every split is
// idle. Otherwise it stays where it is.
func IdleAdvances(s Strategy) bool {
	i, ok := s.(idling)
	return ok && i.whenIdle().advance
}

func (i idle) validate(of string) error {
	if i.timeout < 0 {
		return fmt.Errorf("%s: idle timeout must not be negative, is %v", of, i.timeout)
	}
	return nil
}

// text is what the options add to a strategy's canonical text.
func (i idle) text() (s string) {
	if i.timeout != 0 {
		s = ".idle(" + text(i.timeout) + ")"
	}
	if i.advance {
		s += ".idleAdvance"
	}
	return s
}
