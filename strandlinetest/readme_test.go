package strandlinetest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/window"
)

func TestALateVisitIsNotCounted(t *testing.T) {
	p := strandline.New("visits")
	s := strandlinetest.NewStream[string]("visits")
	counts := s.Read(p).
		KeyBy("page", func(page *string) string { return *page }).
		WindowInto(window.Fixed(time.Minute)).
		CombinePerKey("count", combine.Count[string]())
	out := strandlinetest.Collect(counts.PCollection)
	late := strandlinetest.Collect(counts.OnLate(func(l strandline.Late[string]) string { return l.Value }))

	s.Add(at(7), "/home", "/home").
		AdvanceWatermark(at(59)).ExpectNothing(out).
		AdvanceWatermark(at(60)).Expect(out, strandlinetest.Entry("/home", int64(2)).OnTime().Last()).
		Add(at(8), "/help").Expect(late, strandlinetest.Value("/help")).
		Run(t, p)
}

type visit struct {
	Page string
	At   time.Time
}

func visitAt(v *visit) time.Time { return v.At }

var visits = []visit{{"/home", at(7)}, {"/help", at(61)}, {"/home", at(58)}, {"/home", at(66)}, {"/help", at(130)}}

func TestVisitsAreCountedAlwaysTheSame(t *testing.T) {
	strandlinetest.Verify(t, visits, visitAt, 5*time.Second, func(in strandline.PCollection[visit]) strandline.PCollection[strandline.KV[string, int64]] {
		return in.KeyBy("page", func(v *visit) string { return v.Page }).
			WindowInto(window.Fixed(time.Minute)).
			CombinePerKey("count", combine.Count[visit]()).PCollection
	})
}

// The code in the README is code of this file, and has been run.
func TestReadmeShowsWhatIsRun(t *testing.T) {
	readme, err1 := os.ReadFile("README.md")
	code, err2 := os.ReadFile("readme_test.go")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(readme, -1)
	if len(shown) == 0 {
		t.Fatal("the README shows no code")
	}
	for _, block := range shown {
		if !strings.Contains(string(code), string(block[1])) {
			t.Errorf("this is not run:\n%s", block[1])
		}
	}
}
