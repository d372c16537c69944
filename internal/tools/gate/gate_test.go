package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/tools/tree"
)

func TestTargetsAreFoundInTheFilesOfTests(t *testing.T) {
	main, bench := tree.Module{Dir: ".", Path: "x"}, tree.Module{Dir: "bench", Path: "x/bench"}
	root := fstest.MapFS{
		"a_test.go":         {Data: []byte("package a\n\nfunc FuzzA(f *testing.F) {\n}\n\nfunc TestA(t *testing.T) {}\n\nfunc FuzzB(f *testing.F) {}\n")},
		"a.go":              {Data: []byte("package a\n\nfunc FuzzC(f *testing.F) {}\n")},
		"bench/b/b_test.go": {Data: []byte("package b\n\n// func FuzzD(f *testing.F)\nfunc TestRelationE(tt *testing.T) {}\nfunc Fuzzy(n int) {}\n")},
		"bench/c_test.go":   {Data: []byte("package c\n\nfunc FuzzF(f *testing.F) {}\n")},
		"benches/g_test.go": {Data: []byte("package g\n\nfunc FuzzG(f *testing.F) {}\n")},
	}
	got, err := targets(root, []tree.Module{main, bench}, "Fuzz|TestRelation")
	want := []target{{main, "x", "FuzzA"}, {main, "x", "FuzzB"}, {bench, "x/bench/b", "TestRelationE"}, {bench, "x/bench", "FuzzF"}, {main, "x/benches", "FuzzG"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestFuzzingCountsItsLastProgress(t *testing.T) {
	var f fuzzing
	var said strings.Builder
	f.read(strings.NewReader("fuzz: elapsed: 0s, gathering baseline coverage: 0/1 completed\n"+
		"fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 3 (total: 4)\n"+
		"fuzz: elapsed: 5s, execs: 2345 (572/sec), new interesting: 3 (total: 4)\n"+
		"PASS\nok  \tx/a\t5.1s\n"), &said)
	if f.execs != 2345 || f.crasher != "" {
		t.Errorf("%d execs, crasher %q", f.execs, f.crasher)
	}
	if want := "PASS\nok  \tx/a\t5.1s\n"; said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
}

func TestFuzzingNamesTheInputThatFailed(t *testing.T) {
	var f fuzzing
	f.read(strings.NewReader("--- FAIL: FuzzA (1.81s)\n    --- FAIL: FuzzA (0.00s)\n        a_test.go:7: boom\n    \n"+
		"    Failing input written to testdata/fuzz/FuzzA/d6ba\n    To re-run:\n"), &strings.Builder{})
	if want := "testdata/fuzz/FuzzA/d6ba"; f.crasher != want {
		t.Errorf("crasher %q, want %q", f.crasher, want)
	}
}

func TestTimeIsSharedInWholeSeconds(t *testing.T) {
	for _, c := range []struct {
		left    time.Duration
		targets int
		want    time.Duration
	}{
		{15 * time.Second, 4, 3 * time.Second},
		{2 * time.Second, 4, time.Second},
		{time.Millisecond, 1, time.Second},
		{0, 1, 0},
		{-time.Second, 1, 0},
	} {
		if got := share(c.left, c.targets); got != c.want {
			t.Errorf("share(%v, %d) = %v, want %v", c.left, c.targets, got, c.want)
		}
	}
}

func TestTheSummarySaysWhatFailedAndWhatWasSkipped(t *testing.T) {
	s := summary{title: "make test", start: time.Now()}
	s.add(step{kind: "vet", where: "main", took: 1500 * time.Millisecond})
	s.add(step{kind: "fuzz", where: "internal/codec FuzzDecode", took: 5 * time.Second, reached: prose.Grouped(1234567) + " execs"})
	s.notRun("test beam TestX", "no network")
	if s.failed() {
		t.Error("failed before anything did")
	}
	s.add(step{kind: "test", where: "main", took: 61 * time.Second, err: errors.New("2 failures, the first: x TestY")})
	if !s.failed() {
		t.Error("not failed after a step did")
	}
	var out strings.Builder
	s.print(&out)
	want := `
make test: FAILED in 0s
  vet   main                       1.5s                   ok
  fuzz  internal/codec FuzzDecode  5s    1,234,567 execs  ok
  test  main                       1m1s                   FAILED: 2 failures, the first: x TestY
skipped, and why:
  test beam TestX: no network
`
	if out.String() != want {
		t.Errorf("got:%s\nwant:%s", out.String(), want)
	}
}

func TestAnUnknownCheckIsAUsageError(t *testing.T) {
	for _, args := range [][]string{nil, {"frob"}, {"test", "-budget", "1m"}, {"prove", "-budget", "soon"}, {"prove", "-budget", "-1m"}, {"lint", "x"}} {
		if _, err := run(t.Context(), args); !errors.Is(err, errUsage) {
			t.Errorf("%v: %v, want the usage", args, err)
		}
	}
}
