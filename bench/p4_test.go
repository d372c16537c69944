package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestTheEventsOfP4AreTheSameInEveryRun(t *testing.T) {
	for _, format := range []string{"json", "csv"} {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(t.TempDir(), "events")
			if err := p4File(path, format, 1000); err != nil {
				t.Fatal(err)
			}
			var err error
			if files[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: two files differ", format)
		}
		if n := bytes.Count(files[0], []byte("vehicle-")); n != 1000 {
			t.Errorf("%s: there are %d events", format, n)
		}
	}
}
