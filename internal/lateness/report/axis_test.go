package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/prose"
)

// texts are the texts of ticks.
func texts(all []tick) string {
	var some []string
	for _, t := range all {
		some = append(some, t.Text)
	}
	return strings.ReplaceAll(strings.Join(some, " "), "\u00a0", " ")
}

func TestTicksAreRoundNumbersOfTheirUnit(t *testing.T) {
	for _, c := range []struct {
		unit   unit
		values []float64
		want   string
	}{
		{counts, []float64{0, 7}, "0 2 4 6"},
		{counts, []float64{1, 2}, "0 1 2"},
		{counts, []float64{500, 2400}, "0 1,000 2,000"},
		{shares, []float64{0, 0.03, 0.06}, "0 % 2 % 4 % 6 %"},
		{shares, []float64{0, 0}, "0 % 0.5 % 1 %"},
		{shares, []float64{0, 0.0001, 0.6}, "0 % 0.01 % 0.1 % 1 % 10 %"},
		{spans, []float64{0, 20 * second, 60 * second}, "0s 15s 30s 45s 1m"},
		{spans, []float64{0, 3600 * second, 4 * 3600 * second}, "0s 1h 2h 3h 4h"},
		{spans, []float64{0, 200 * 86400 * second, 300 * 86400 * second}, "0s 2400h 4800h 7200h"},
		{spans, []float64{0, 1000, 3600 * second}, "0s 10ms 1s 1m 1h"},
		{spans, []float64{1000, 100_000}, "1ms 10ms 100ms"},
		{periods, []float64{0, 1, 2}, "0 1 2"},
		{periods, []float64{0, 1, 240}, "0 100 200"},
		{sizes, []float64{100, 2000}, "0 bytes 500 bytes 1 kB 1.5 kB 2 kB"},
	} {
		if got := texts(newAxis(c.unit, c.values, 0, 300).ticks(5, 20)); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
}

func TestALinearAxisBeginsAtZero(t *testing.T) {
	a := newAxis(counts, []float64{90, 100}, 150, 50)
	for v, want := range map[float64]float64{0: 150, 50: 100, 100: 50} {
		if got := a.at(v); got != want {
			t.Errorf("%g is at %g, want %g", v, got, want)
		}
	}
}

func TestALogarithmicAxisHasAPlaceForZero(t *testing.T) {
	a := newAxis(shares, []float64{0, 0.001, 0.1}, 0, 100)
	// 0, then 12 of 100 for what is between it and the least, then two decades of the same width.
	for v, want := range map[float64]string{0: "0", 0.001: "12", 0.01: "56", 0.1: "100"} {
		if got := num(a.at(v)); got != want {
			t.Errorf("%g is at %s, want %s", v, got, want)
		}
	}
	if b := newAxis(shares, []float64{0.001, 0.1}, 0, 100); num(b.at(0.001)) != "0" || num(b.at(0.01)) != "50" {
		t.Errorf("without a zero the least is at %s, and the next at %s", num(b.at(0.001)), num(b.at(0.01)))
	}
}

func TestBarsAreAsHighAsTheirNumbersFromZeroUp(t *testing.T) {
	x := newAxis(spans, []float64{0, 100}, 0, 100)
	path, most := bars(x, []lateness.Bin{{Upto: 0, N: 1000}, {Upto: 10, N: 4}, {Upto: 50, N: 1}, {Upto: 51, N: 1}, {Upto: 90, N: 1}}, 0, 80)
	if most != 4 {
		t.Errorf("the most is %d, want 4: who is not late has no bar", most)
	}
	var tops []string
	for _, m := range regexp.MustCompile(`M[\d.]+ ([\d.]+)V([\d.]+)H[\d.]+V[\d.]+z`).FindAllStringSubmatch(path, -1) {
		if m[1] != "80" {
			t.Errorf("a bar begins at %s", m[1])
		}
		top, _ := strconv.ParseFloat(m[2], 64)
		tops = append(tops, num(80-top))
	}
	// 4 are 80 high; 50 and 51 are in the bars from 48 and from 51.
	if got := fmt.Sprint(tops); got != "[80 20 20 20]" {
		t.Errorf("heights %s", got)
	}
}

func TestTheShareOfLaterRecordsFallsToZero(t *testing.T) {
	d := lateness.Distribution("x", lateness.Bound, []int64{0, 0, 0, 0, 0, 1, 2, 2, 3, 9})
	got := fmt.Sprint(cover(axis{}, []lateness.Delays{d}))
	if want := "[{0 0.5 0 } {1 0.4 0 } {2 0.2 0 } {3 0.1 0 } {9 0 0 }]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNamesOfLinesDoNotLieOverOneAnother(t *testing.T) {
	c := &chart{Lines: []line{{Text: "a", Y: 100}, {Text: "", Y: 101}, {Text: "b", Y: 101}, {Text: "c", Y: plotBottom + 3}, {Text: "d", Y: plotBottom + 4}}}
	c.part()
	var last float64
	for i, l := range c.Lines {
		if l.Text == "" {
			continue
		}
		if i > 0 && l.Y < last+12 || l.Y > plotBottom+4 {
			t.Errorf("%s is at %g, the one before at %g", l.Text, l.Y, last)
		}
		last = l.Y
	}
}

func TestLinesThatAreTheSameAreOne(t *testing.T) {
	x, y := newAxis(spans, []float64{0, 10}, 0, 100), newAxis(counts, []float64{0, 10}, 100, 0)
	flat, falling := []point{{x: 0, y: 5}, {x: 10, y: 5}}, []point{{x: 0, y: 9}, {x: 10, y: 1}}
	var c chart
	c.draw([]series{{name: "0s", at: flat}, {name: "1h", at: falling, main: true}, {name: "2h", at: flat}}, x, y)
	if len(c.Lines) != 2 || c.Lines[0].Text != "0s, 2h" || c.Lines[1].Text != "1h" || !c.Lines[1].Main {
		t.Errorf("lines %+v", c.Lines)
	}
	c = chart{}
	c.draw([]series{{name: "0s", at: flat}, {name: "1h", at: flat, main: true}}, x, y)
	if len(c.Lines) != 1 || c.Lines[0].Text != "all" || !c.Lines[0].Main {
		t.Errorf("lines %+v", c.Lines)
	}
}

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 1234567: "1,234,567"} {
		if got := prose.Grouped(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
	for s, want := range map[lateness.Span]string{
		4_500_000*3600*1000_000 + 400_000: "4500000h",
		0:                                 "0s", 7: "7µs", 9_999: "9.999ms", 12_345: "12.35ms", 1_234_567: "1.235s", 12_345_678: "12.35s", 61_499_999: "1m1s", 3_600_000_000: "1h", -61_600_000: "-1m2s",
	} {
		if got := short(s); got != want {
			t.Errorf("%d µs are written %s, want %s", int64(s), got, want)
		}
	}
}

func TestFieldsOfAnObjectKeepTheirOrder(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":"x y","c":[1, 2],"d":null,"e":""}`: `b=1 a=x y c=[1, 2] d=null e=""`,
		`{"a":1,"a":2}`: "a=1 a=2",
		`{}`:            "",
		`[1]`:           "none", `{"a":1} x`: "none", `{"a":`: "none", "": "none", `{"a"}`: "none",
	} {
		got := []string{}
		all, is := fields(text)
		for _, f := range all {
			got = append(got, f.Name+"="+f.Text())
		}
		if !is {
			got = []string{"none"}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", text, s, want)
		}
	}
}

func TestTextThatIsCutSaysByHowMuch(t *testing.T) {
	if got := cut(strings.Repeat("ä", 100), 81); got != strings.Repeat("ä", 40)+"… (120 more bytes)" {
		t.Errorf("got %s", got)
	}
	if text := strings.Repeat("x", 100); cut(text, 80) != text {
		t.Error("a text is cut by less than what it takes to say so")
	}
}
