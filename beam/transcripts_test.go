package beam

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/strandline-stream/strandline/strandlinetest"
)

// Of Beam's transcripts those that describe an engine hold, and those that are wrong are
// rejected with the text that they ask for.
func TestTriggerTranscripts(t *testing.T) {
	all := known(t)
	good := 0
	for _, x := range all {
		if t.Run(x.Name, x.holds) {
			good++
		}
	}
	if len(all) != 18 {
		t.Errorf("there are %d transcripts, not the 18 that are known", len(all))
	}
	fmt.Printf("transcripts: %d of %d as they must\n", good, len(all))
}

// known reads the transcripts. Where Beam's module cannot be had the test is skipped, except
// where CI=true.
func known(t *testing.T) []transcript {
	t.Helper()
	text, err := readTranscripts(t.TempDir())
	switch {
	case errors.Is(err, errUnavailable) && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	all, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// holds fails the test unless the transcript is accepted, or rejected, as it must be.
func (x *transcript) holds(t *testing.T) {
	err := x.play(t.Context())
	switch {
	case x.Error == "" && err != nil:
		t.Error(err)
	case x.Error != "" && err == nil:
		t.Errorf("it was accepted, and should be rejected with %q", x.Error)
	case x.Error != "" && !(judged(err) && regexp.MustCompile(x.Error).MatchString(err.Error())):
		t.Errorf("it was rejected with another text than %q: %v", x.Error, err)
	}
}

// judged says whether err is the kit's verdict on the transcript, and not a failure of the run.
func judged(err error) bool {
	return errors.Is(err, strandlinetest.ErrUnmatched) || errors.Is(err, strandlinetest.ErrUnexpected)
}
