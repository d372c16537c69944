package window

import (
	"strings"
	"testing"
	"time"
)

func TestValidateReportsEveryFault(t *testing.T) {
	for _, c := range []struct {
		a    Assigner
		want []string
	}{
		{Fixed(0), []string{"window.Fixed: size must be more than 0, is 0s"}},
		{Fixed(-time.Second).Offset(1), []string{"size must be more than 0, is -1s", "offset must be of whole microseconds, is 1ns"}},
		{Fixed(1500), []string{"size must be of whole microseconds, is 1.5µs"}},
		{Fixed(500), []string{"size must be of whole microseconds, is 500ns"}},
		{Sliding(0, -1).Offset(7), []string{"window.Sliding: size must", "period must", "offset must"}},
		{Sliding(time.Second, 1001), []string{"period must be of whole microseconds, is 1.001µs"}},
		{Cumulative(10*time.Second, 3*time.Second), []string{"window.Cumulative: size must be a multiple of step, but 10s is not one of 3s"}},
		{Cumulative(time.Second, 2*time.Second), []string{"multiple"}},
		{Cumulative(0, 0).Offset(1), []string{"size must", "step must", "offset must"}},
		{Session(0), []string{"window.Session: gap must be more than 0, is 0s"}},
		{Session(999).MergeTouching(), []string{"gap must be of whole microseconds"}},
		{Days().In(nil), []string{"window.Days: the time zone is nil"}},
		{Days().In(time.Local), []string{"time.Local depends on the machine"}},
		{Months().InZone("Local"), []string{`"Local" depends on the machine`}},
		{Weeks().InZone("Europe/Berln").Every(0).StartingOn(9), []string{"the number of weeks must be from 1 to 1000000, is 0", `is it "Europe/Berlin"?`, "the start day 9 is no weekday"}},
		{Years().Every(1_000_001), []string{"window.Years: the number of years"}},
		{Months().StartingOn(time.Monday), []string{"window.Months: only weeks have a start day"}},
		{Days().StartingIn(time.April), []string{"window.Days: only months, quarters and years have a start month"}},
		{Weeks().StartingIn(time.April), []string{"window.Weeks: only months, quarters and years have a start month"}},
		{Years().StartingIn(0), []string{"window.Years: the start month 0 is no month"}},
		{Quarters().StartingIn(13).StartingOn(time.Monday), []string{"only weeks have a start day", "window.Quarters: the start month 13 is no month"}},
		{Days().In(time.FixedZone("UTC+2", 7200)), []string{`no IANA time zone is named "UTC+2"`}},
		{Days().In(time.FixedZone("CET", 3600)), []string{`given as "CET" is not the IANA zone of that name`}}, // which has summers
		{CalendarWindows{}, []string{"number of days", "no time zone"}},
		{Custom("", nil).OutputTimes(nil).Merging(nil), []string{"the name is empty", "nil assign", "nil output-time", "nil merge"}},
	} {
		err := c.a.Validate()
		if err == nil {
			t.Errorf("%v is accepted", c.a)
			continue
		}
		if lines := strings.Split(err.Error(), "\n"); len(lines) != len(c.want) {
			t.Errorf("%v: %d faults, want %d:\n%v", c.a, len(lines), len(c.want), err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: no mention of %q in:\n%v", c.a, want, err)
			}
		}
	}
}

func TestCanonicalText(t *testing.T) {
	berlin, err := Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	odd := Custom("shifts", func(time.Time) []Interval { return nil })
	for want, a := range map[string]Assigner{
		"global":                                Global(),
		"fixed(10s)":                            Fixed(10 * time.Second),
		"fixed(1h)":                             Fixed(time.Hour),
		"fixed(1h30m)":                          Fixed(90 * time.Minute),
		"fixed(10m)":                            Fixed(10 * time.Minute),
		"fixed(10.5s)":                          Fixed(10500 * time.Millisecond),
		"fixed(24h, offset 6h)":                 Fixed(24 * time.Hour).Offset(-18 * time.Hour),
		"sliding(10s, 5s)":                      Sliding(10*time.Second, 5*time.Second).Offset(5 * time.Second),
		"sliding(1h, 1m, offset 30s)":           Sliding(time.Hour, time.Minute).Offset(30 * time.Second),
		"cumulative(24h, 1h)":                   Cumulative(24*time.Hour, time.Hour),
		"cumulative(24h, 1h, offset 2h)":        Cumulative(24*time.Hour, time.Hour).Offset(2 * time.Hour),
		"session(30m)":                          Session(30 * time.Minute),
		"session(30m, touching)":                Session(30 * time.Minute).MergeTouching(),
		"days(Europe/Berlin)":                   Days().In(berlin),
		"months(UTC)":                           Months(),
		"quarters(UTC, every 2)":                Quarters().Every(2).StartingIn(time.January),
		"weeks(UTC)":                            Weeks().StartingOn(time.Monday),
		"years(Asia/Tokyo)":                     Years().InZone("Asia/Tokyo"),
		"weeks(UTC, every 2, starting Sunday)":  Weeks().StartingOn(time.Sunday).Every(2),
		"years(UTC, starting April)":            Years().StartingIn(time.April),
		"quarters(UTC, every 2, starting July)": Quarters().Every(2).StartingIn(time.July),
		`custom("shifts")`:                      odd,
		`custom("shifts", merging)`:             odd.Merging(func([]Interval) []Merged { return nil }),
	} {
		if got := a.String(); got != want {
			t.Errorf("written %s, want %s", got, want)
		}
		if err := a.Validate(); err != nil {
			t.Errorf("%s is refused: %v", want, err)
		}
		if got := ForWorker(a).String(); got != want {
			t.Errorf("a worker's copy is written %s, want %s", got, want)
		}
	}
}
