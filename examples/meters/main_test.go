package main

import (
	"bytes"
	"encoding/json/v2"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// sweep is an expected outcome of the readings as a stream: see TestLateReadings.
type sweep struct {
	Delay       int                `json:"delay_periods"`
	Tolerance   int                `json:"tolerance_periods"`
	Dropped     int                `json:"dropped"`
	Polluted    int                `json:"polluted_cells"`
	Cells       int                `json:"cells"`
	Uncomputed  int                `json:"uncomputable_rows"`
	Served      map[string]float64 `json:"served"`
	JulyWritten string             `json:"july_written_in"`
	State       int64              `json:"peak_state_entries"`
}

// known are the answers that come with the file.
type known struct {
	Cells       map[string]map[string]int64 `json:"cells"` // by region and month
	Tolerances  []sweep                     `json:"tolerance_sweep"`
	NeverCloses sweep                       `json:"never_closes"`
	Kept        sweep                       `json:"state_kept"`
	Lost        sweep                       `json:"state_lost_at_start_of_2026-08"`
}

func answers(t *testing.T) known {
	t.Helper()
	file, err := os.ReadFile("expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var k known
	if err := json.Unmarshal(file, &k); err != nil {
		t.Fatal(err)
	}
	return k
}

// golden is what the program must print of the known answers.
func golden(k known, note string) string {
	var b strings.Builder
	regions := []string{"central", "east", "north", "south", "west"}
	fmt.Fprintf(&b, "m³      %10s%10s%10s%10s%10s\n", "central", "east", "north", "south", "west")
	for m := 2; m <= 12; m++ {
		month := fmt.Sprintf("2026-%02d", m)
		fmt.Fprintf(&b, "%-8s", month)
		for _, r := range regions {
			fmt.Fprintf(&b, "%10d", k.Cells[r][month])
		}
		b.WriteByte('\n')
	}
	b.WriteString("mean    ")
	for _, r := range regions {
		fmt.Fprintf(&b, "%10.2f", k.NeverCloses.Served[r])
	}
	return b.String() + "\n" + note
}

func printed(t *testing.T, lines []string, workers int) string {
	t.Helper()
	var out bytes.Buffer
	source := jsonl.Reader[Reading]("readings", strings.NewReader(strings.Join(lines, "\n"))).Ends()
	if err := run(t.Context(), &out, source, strandline.Workers(workers)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func sampleLines() []string { return strings.Split(strings.TrimSpace(string(sample)), "\n") }

// Each of the 2400 readings, 2200 usages and 55 cells is assigned to one window.
const complete = "rejected: 0, not computable: 0\n" +
	"ledger: 2400 read = 2400 kept + 0 malformed; 4655 assigned = 4655 in a window + 0 in a gap + 0 late + 0 closed; 4655 in a window = 4655 given + 0 open\n"

func TestSampleGivesTheKnownAnswersInAnyOrderOnAnyNumberOfWorkers(t *testing.T) {
	k := answers(t)
	if n := len(k.Cells) * len(k.Cells["east"]); n != 55 {
		t.Fatalf("%d cells are expected, not 55", n)
	}
	want := golden(k, complete)
	for seed := range uint64(6) {
		lines := sampleLines()
		if seed > 0 {
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		}
		for _, workers := range []int{1, 2, 5} {
			if got := printed(t, lines, workers); got != want {
				t.Errorf("seed %d, %d workers: got\n%swant\n%s", seed, workers, got, want)
			}
		}
	}
}

func TestTheFirstOfSeveralReadingsOfAMonthCounts(t *testing.T) {
	lines := sampleLines()
	for _, l := range lines[:1200] {
		lines = append(lines, strings.Replace(l, `"index": `, `"index": 9`, 1))
	}
	want, _, _ := strings.Cut(golden(answers(t), complete), "ledger")
	if got := printed(t, lines, 2); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Without its January a subscriber's February cannot be computed; its March can.
func TestRejectedAndUncomputableReadingsAreCounted(t *testing.T) {
	lines := sampleLines()
	lines[0] = strings.Replace(lines[0], `, "unit": "m3"`, "", 1)
	lines = append(lines, `{"subscriber": null, "period": "2026-02", "region": "east", "index": 1, "unit": "m3"}`, `not JSON`)
	got := printed(t, lines, 1)
	if !strings.Contains(got, "rejected: 3, not computable: 1\n") {
		t.Errorf("got\n%s", got)
	}
	// A001 is of central, and used 55088 - 55049 in February.
	if want := answers(t).Cells["central"]["2026-02"] - 39; !strings.Contains(got, fmt.Sprintf("\n2026-02 %10d", want)) {
		t.Errorf("February in central is not %d:\n%s", want, got)
	}
}

// Live, some readings of July come one or two months late, and the watermark is so many months
// behind the arrival. The pipeline is the same; what differs is what it drops.
func TestLateReadings(t *testing.T) {
	k := answers(t)
	for _, want := range append(k.Tolerances, k.NeverCloses, k.Kept) {
		t.Run(fmt.Sprintf("delay %d tolerance %d", want.Delay, want.Tolerance), func(t *testing.T) {
			if got := stream(t, k, want.Delay, want.Tolerance, ""); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// When August begins to come, the last readings are lost. June has just been closed by it, and July
// is the month that cannot be computed: its cells are missing, all others are as they should be.
func TestWhatIsCarriedFromMonthToMonthMayBeLost(t *testing.T) {
	k := answers(t)
	if got := stream(t, k, k.Lost.Delay, k.Lost.Tolerance, "2026-08"); !reflect.DeepEqual(got, k.Lost) {
		t.Errorf("got  %+v\nwant %+v", got, k.Lost)
	}
}

// stream replays the readings one by one. From the month lost on, if it is not empty, nothing is
// known that was kept before.
func stream(t *testing.T, k known, delay, tolerance int, lost string) sweep {
	month := func(r *Reading) time.Time {
		at, err := time.Parse("2006-01", r.Period)
		if err != nil {
			t.Error(err)
		}
		return at
	}
	arrival := func(r *Reading) time.Time {
		if r.Period == "2026-07" && r.Subscriber <= "A040" {
			return month(r).AddDate(0, delay, 0)
		}
		return month(r)
	}
	var readings []Reading
	for _, l := range sampleLines() {
		var r Reading
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatal(err)
		}
		readings = append(readings, r)
	}
	slices.SortStableFunc(readings, func(a, b Reading) int { return arrival(&a).Compare(arrival(&b)) })

	// The arrival of a record is asked for when the one before it has been handled: a pane that the
	// watermark gives then was complete with the records before.
	var now, before time.Time
	losses := 0
	came := func(r *Reading) time.Time {
		if lost != "" && losses == 0 && now.Format("2006-01") >= lost {
			losses++
		}
		before, now = now, arrival(r)
		return now
	}
	p := strandline.New("meters, live")
	c := consumption(strandline.Read(p, memory.Slice("readings", readings).Batch(1),
		watermark.ArrivalFrom(watermark.Periods(window.Months(), tolerance), came), month), first, func() int { return losses })
	got := collect(c)
	out := sweep{Delay: delay, Tolerance: tolerance, Served: map[string]float64{}}
	strandline.Each(c.Cells.PCollection, "written", func(x strandline.Pane[strandline.KV[string, int64]]) {
		if x.Window.Start().Format("2006-01") == "2026-07" {
			out.JulyWritten = before.Format("2006-01")
		}
	})
	late := c.Months.OnLate(func(l strandline.Late[Reading]) string { return l.Value.Subscriber })
	strandline.Each(late, "late", func(strandline.Pane[string]) { out.Dropped++ })
	report, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Steps {
		if s.ID == "months" || s.ID == "usage" { // readings that wait, and the last ones
			out.State += s.Counts.StatePeak
		}
	}
	out.Uncomputed = got.unknown
	for _, regions := range got.cells {
		out.Cells += len(regions)
	}
	for r, months := range k.Cells {
		for m, m3 := range months {
			if got, there := got.cells[m][r]; !there || got != m3 {
				out.Polluted++
			}
		}
	}
	for r, mean := range got.served {
		out.Served[r] = math.Round(mean*100) / 100
	}
	return out
}

func TestAMissingFileIsNamed(t *testing.T) {
	err := run(t.Context(), io.Discard, jsonl.File[Reading]("gone.jsonl"))
	if err == nil || !strings.Contains(err.Error(), "gone.jsonl: no such file") {
		t.Errorf("got %v", err)
	}
}
