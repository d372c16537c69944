package yaml_test

import (
	"fmt"
	"strings"
	"testing"
)

// counts is a pipeline that counts the rows of in.json by k in windows; its arguments are the
// watermark and the windowing.
const counts = `pipeline:
  type: chain
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: '{{dir}}/in.json'}, watermark: {%s}}
    - {type: Combine, name: Counts, config: {group_by: k, combine: {n: count}}, windowing: {%s}}
options: {streaming: %t}
`

// at makes lines of events: of the key a, at these times.
func at(times ...any) string {
	var b strings.Builder
	for _, x := range times {
		if _, ok := x.(string); ok {
			fmt.Fprintf(&b, "{\"k\": \"a\", \"t\": %q}\n", x)
		} else {
			fmt.Fprintf(&b, "{\"k\": \"a\", \"t\": %v}\n", x)
		}
	}
	return b.String()
}

// in is a result: of the key a in a window.
func in(from, to string, n int, pane string) string {
	return fmt.Sprintf(`{"window_start":"%s","window_end":"%s","k":"a","n":%d,"pane":%q}`, from, to, n, pane)
}

func TestTimesBefore1970AreInTheWindowThatEndsAfterThem(t *testing.T) { // floor, not cut towards zero
	gives(t, fmt.Sprintf(counts, "timestamp: t, unit: ms", "type: fixed, size: 10s", false), []string{"in.json", at(-1, -100, 0, 1)},
		in("1969-12-31T23:59:50Z", "1970-01-01T00:00:00Z", 2, "on time"),
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", 2, "on time"))
}

func TestSecondsReadAsMillisecondsAreRefusedAtTheStart(t *testing.T) {
	_, err := play(t, fmt.Sprintf(counts, "timestamp: t, unit: ms", "type: fixed, size: 10s", false), "in.json", at(1720000000, 1720000001, 1720000002))
	if err == nil || !strings.Contains(err.Error(), "these look like seconds read as milliseconds") {
		t.Errorf("the error is %v", err)
	}
}

func TestATimeThatCannotBeReadIsMalformedAndNotNow(t *testing.T) {
	p := gives(t, `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: '{{dir}}/in.json'}, watermark: {timestamp: t}}
    - {type: Combine, name: Counts, input: Read, config: {group_by: k, combine: {n: count}}, windowing: {type: calendar, unit: day}}
    - {type: MapToFields, name: Bad, input: Read.errors, config: {fields: {element: element}}}
`, []string{"in.json", at("2026-07-01T10:00:00Z", "yesterday", "2026-07-01T23:59:59.999999Z")},
		`{"step":"Counts","window_start":"2026-07-01T00:00:00Z","window_end":"2026-07-02T00:00:00Z","k":"a","n":2,"pane":"on time"}`,
		`{"step":"Bad","element":"{\"k\": \"a\", \"t\": \"yesterday\"}"}`)
	if c := p.report.Steps[0].Counts; c.In != 3 || c.Malformed != 1 {
		t.Errorf("%d read, %d malformed", c.In, c.Malformed)
	}
}

func TestALoneRecordFromTheFutureMakesNothingLate(t *testing.T) {
	var times []any
	for i := range 10 {
		times = append(times, 1_782_900_000+i)
	}
	times = append(times, 1_782_900_000+86_400)
	for i := range 10 {
		times = append(times, 1_782_900_010+i)
	}
	p, err := play(t, fmt.Sprintf(counts, "timestamp: t, unit: s, bound: 1s", "type: fixed, size: 100s", true), "in.json", at(times...))
	if err != nil {
		t.Fatal(err)
	}
	same(t, p.rows, []string{
		in("2026-07-01T10:00:00Z", "2026-07-01T10:01:40Z", 20, "on time"),
		in("2026-07-02T10:00:00Z", "2026-07-02T10:01:40Z", 1, "on time"),
	})
	for _, s := range p.report.Steps {
		if s.Counts.LateRecords != 0 {
			t.Errorf("%s: %d records are late", s.ID, s.Counts.LateRecords)
		}
	}
	if got := p.report.Steps[0].Counts.Future; got != 1 {
		t.Errorf("%d records are from the future", got)
	}
}

func TestARowBehindTheWatermarkGoesToTheLateOutput(t *testing.T) {
	gives(t, `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: '{{dir}}/in.json'}, watermark: {timestamp: t, unit: s, bound: 2s}}
    - {type: Combine, name: Counts, input: Read, config: {group_by: k, combine: {n: count}}, windowing: {type: fixed, size: 10s}}
    - {type: StripErrorMetadata, name: Late, input: Counts.late}
options: {streaming: true}
`, []string{"in.json", at(1, 9, 12, 8, 13)}, // the watermark is 10 when 8 comes, and its window is closed
		`{"step":"Counts","window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:00:10Z","k":"a","n":2,"pane":"on time"}`,
		`{"step":"Counts","window_start":"1970-01-01T00:00:10Z","window_end":"1970-01-01T00:00:20Z","k":"a","n":2,"pane":"on time"}`,
		`{"step":"Late","k":"a","t":8}`)
}

func TestARowBehindTheWatermarkWhoseWindowIsOpenIsOnTime(t *testing.T) {
	gives(t, fmt.Sprintf(counts, "timestamp: t, unit: s", "type: fixed, size: 10s", true), []string{"in.json", at(1, 9, 2, 2)},
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", 4, "on time"))
}

func TestTwoRowsOfOneTimeAreBothOnTimeWithoutAnyBound(t *testing.T) {
	gives(t, fmt.Sprintf(counts, "timestamp: t, unit: s", "type: fixed, size: 10s", true), []string{"in.json", at(9, 9, 10, 10)},
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", 2, "on time"),
		in("1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z", 2, "on time"))
}

func TestALateRowCorrectsItsWindowOnceMoreBeforeItIsForgotten(t *testing.T) {
	// Lateness is over at 15: the row 3 comes at watermark 14, the row 4 at 16.
	p := gives(t, fmt.Sprintf(counts, "timestamp: t, unit: s", "type: fixed, size: 10s, allowed_lateness: 5s, accumulation: accumulating", true),
		[]string{"in.json", at(1, 14, 3, 16, 4)},
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", 1, "on time"),
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", 2, "late"),
		in("1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z", 2, "on time"))
	var late int64
	for _, s := range p.report.Steps {
		late += s.Counts.LateRecords
	}
	if late != 1 {
		t.Errorf("%d records were too late, not 1", late)
	}
}

func TestARowMayBeTooLateForOneSlidingWindowAndInTimeForTheNext(t *testing.T) {
	// [-10, 10) is over when 5 comes at watermark 12, and [0, 20) is not.
	gives(t, `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: '{{dir}}/in.json'}, watermark: {timestamp: t, unit: s}}
    - {type: Combine, name: Counts, input: Read, config: {group_by: k, combine: {n: count}}, windowing: {type: sliding, size: 20s, period: 10s}}
    - {type: MapToFields, name: Late, input: Counts.late, config: {fields: {t: element.t, missed: missed}}}
options: {streaming: true}
`, []string{"in.json", at(1, 12, 5)},
		`{"step":"Counts","window_start":"1969-12-31T23:59:50Z","window_end":"1970-01-01T00:00:10Z","k":"a","n":1,"pane":"on time"}`,
		`{"step":"Counts","window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:00:20Z","k":"a","n":3,"pane":"on time"}`,
		`{"step":"Counts","window_start":"1970-01-01T00:00:10Z","window_end":"1970-01-01T00:00:30Z","k":"a","n":1,"pane":"on time"}`,
		`{"step":"Late","t":5,"missed":[{"window_start":"1969-12-31T23:59:50Z","window_end":"1970-01-01T00:00:10Z"}]}`)
}

func TestAnOldFileClosesItsWindowsByItsOwnTimes(t *testing.T) {
	for _, streaming := range []bool{false, true} { // batch waits for the end, and gives the same
		gives(t, fmt.Sprintf(counts, "timestamp: t", "type: calendar, unit: month", streaming),
			[]string{"in.json", at("2001-01-31T23:59:59Z", "2001-02-01T00:00:00Z", "2001-02-28T12:00:00Z", "2004-02-29T00:00:00Z")},
			in("2001-01-01T00:00:00Z", "2001-02-01T00:00:00Z", 1, "on time"),
			in("2001-02-01T00:00:00Z", "2001-03-01T00:00:00Z", 2, "on time"),
			in("2004-02-01T00:00:00Z", "2004-03-01T00:00:00Z", 1, "on time")) // and no window without rows
	}
}

func TestDaysInBerlinAreTwentyThreeAndTwentyFiveHoursWhenClocksChange(t *testing.T) {
	gives(t, fmt.Sprintf(counts, "timestamp: t", "type: calendar, unit: day, zone: Europe/Berlin", false),
		[]string{"in.json", at("2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z")},
		in("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 2, "on time"),
		in("2026-03-29T22:00:00Z", "2026-03-30T22:00:00Z", 1, "on time"),
		in("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 2, "on time"),
		in("2026-10-25T23:00:00Z", "2026-10-26T23:00:00Z", 1, "on time"))
}

func TestSessionsOfTwoKeysThatInterleaveAreMergedEachForItself(t *testing.T) {
	gives(t, fmt.Sprintf(counts, "timestamp: t, unit: s, bound: 10s", "type: sessions, gap: 5s", true), []string{"in.json", `{"k": "a", "t": 0}
{"k": "b", "t": 2}
{"k": "a", "t": 8}
{"k": "b", "t": 6}
{"k": "a", "t": 4}
`},
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:13Z", 3, "on time"),
		`{"window_start":"1970-01-01T00:00:02Z","window_end":"1970-01-01T00:00:11Z","k":"b","n":2,"pane":"on time"}`)
}

func TestAnEmptyFileAmongOthersHoldsNothingBack(t *testing.T) {
	gives(t, `pipeline:
  type: chain
  transforms:
    - {type: ReadFromJson, config: {path: '{{dir}}/*.json'}, watermark: {timestamp: t, unit: s}}
    - {type: Combine, config: {group_by: k, combine: {n: count}}, windowing: {type: fixed, size: 10s}}
`, []string{"a.json", at(1, 11), "b.json", "", "c.json", at(2, 12)},
		in("1970-01-01T00:00:00Z", "1970-01-01T00:00:10Z", 2, "on time"),
		in("1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z", 2, "on time"))
}

func TestOneFileGivesTheSamePanesHoweverItIsRead(t *testing.T) {
	var b strings.Builder
	var n [5]int // of the rows in each window
	for i := range 5_000 {
		fmt.Fprintf(&b, "{\"k\": \"a\", \"t\": %d}\n", i-i%7)
		n[(i-i%7)/1000]++
	}
	text := fmt.Sprintf(counts, "timestamp: t, unit: s, bound: 10s", "type: fixed, size: 1000s", true)
	var first []string
	for _, way := range []struct{ parallel, workers int }{{1, 1}, {4, 1}, {1, 3}, {4, 4}} {
		p, err := playWith(t, strings.Replace(text, "streaming: true", fmt.Sprintf("streaming: true, workers: %d", way.workers), 1), way.parallel, "in.json", b.String())
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = p.rows
		}
		same(t, p.rows, first)
	}
	same(t, first, []string{
		in("1970-01-01T00:00:00Z", "1970-01-01T00:16:40Z", n[0], "on time"),
		in("1970-01-01T00:16:40Z", "1970-01-01T00:33:20Z", n[1], "on time"),
		in("1970-01-01T00:33:20Z", "1970-01-01T00:50:00Z", n[2], "on time"),
		in("1970-01-01T00:50:00Z", "1970-01-01T01:06:40Z", n[3], "on time"),
		in("1970-01-01T01:06:40Z", "1970-01-01T01:23:20Z", n[4], "on time"),
	})
}
