package strandlinetest_test

import (
	"testing"
	"time"

	"github.com/strandline-stream/strandline/strandlinetest"
)

func TestClockMovesOnlyWhenTold(t *testing.T) {
	c := strandlinetest.NewClock(at(100))
	if c.Now() != 100_000_000 || !c.Time().Equal(at(100)) {
		t.Fatalf("it stands at %d µs, %v", c.Now(), c.Time())
	}
	c.Advance(1500 * time.Millisecond)
	if c.Now() != 101_500_000 {
		t.Errorf("it stands at %d µs, want 101500000", c.Now())
	}
}

func TestClockWakesWhoWaits(t *testing.T) {
	c := strandlinetest.NewClock(at(0))
	rang := func(ring <-chan time.Time) bool {
		select {
		case <-ring:
			return true
		default:
			return false
		}
	}
	now, _ := c.After(0)
	soon, _ := c.After(2_000_000)
	later, _ := c.After(3_000_000)
	dropped, drop := c.After(1_000_000)
	drop()
	if !rang(now) || rang(soon) {
		t.Error("at 0 only the wish for 0 is due")
	}
	c.Advance(2*time.Second - time.Microsecond)
	if rang(soon) {
		t.Error("it came a microsecond early")
	}
	c.Advance(time.Microsecond)
	if !rang(soon) || rang(later) {
		t.Error("at 2 s the wish for 2 s is due, and the one for 3 s is not")
	}
	c.Advance(time.Hour)
	if !rang(later) || rang(later) {
		t.Error("a wish that was passed comes once")
	}
	if rang(dropped) {
		t.Error("a wish that was taken back came")
	}
}

func TestClockDoesNotGoBack(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it went back")
		}
	}()
	strandlinetest.NewClock(at(0)).Advance(-1)
}
