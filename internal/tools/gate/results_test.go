package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// stream writes events as "go test -json" does.
func stream(t *testing.T, events ...event) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func output(pkg, test, text string) event {
	return event{Action: "output", Package: pkg, Test: test, Output: text}
}

func end(action, pkg, test string) event { return event{Action: action, Package: pkg, Test: test} }

func TestAPackageThatPassesPrintsOneLine(t *testing.T) {
	var r results
	var out strings.Builder
	r.read(strings.NewReader(stream(t,
		output("x/a", "TestGood", "=== RUN   TestGood\n"),
		output("x/a", "TestGood", "    a_test.go:3: quiet\n"),
		event{Action: "attr", Package: "x/a", Test: "TestGood", Key: "cases", Value: "2000"},
		output("x/a", "TestGood", "--- PASS: TestGood (0.00s)\n"),
		end("pass", "x/a", "TestGood/sub"),
		end("pass", "x/a", "TestGood"),
		output("x/a", "", "printed by TestMain\n"),
		output("x/a", "", "PASS\n"),
		output("x/a", "", "ok  \tx/a\t0.006s\n"),
		end("pass", "x/a", ""),
		output("x/c", "", "?   \tx/c\t[no test files]\n"),
		end("skip", "x/c", ""),
	)), &out)
	if want := "ok  \tx/a\t0.006s\n?   \tx/c\t[no test files]\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if r.tests != 1 || r.packages != 1 || len(r.failures)+len(r.skips) != 0 {
		t.Errorf("%d tests in %d packages, failures %v, skips %v", r.tests, r.packages, r.failures, r.skips)
	}
	if want := []reached{{"x/a", "TestGood", "cases", "2000"}}; !slices.Equal(r.reached, want) {
		t.Errorf("reached %v, want %v", r.reached, want)
	}
}

func TestAFailureIsPrintedAndCountedOnce(t *testing.T) {
	var r results
	var out strings.Builder
	r.read(strings.NewReader(stream(t,
		output("x/a", "TestBad", "=== RUN   TestBad\n"),
		output("x/a", "TestBad/in", "=== RUN   TestBad/in\n"),
		output("x/a", "TestBad/in", "    a_test.go:6: got 1, want 2\n"),
		output("x/a", "TestBad/in", "    --- FAIL: TestBad/in (0.00s)\n"),
		end("fail", "x/a", "TestBad/in"),
		output("x/a", "TestBad", "--- FAIL: TestBad (0.00s)\n"),
		end("fail", "x/a", "TestBad"),
		output("x/a", "", "FAIL\n"),
		output("x/a", "", "FAIL\tx/a\t0.006s\n"),
		end("fail", "x/a", ""),
	)), &out)
	want := "    a_test.go:6: got 1, want 2\n    --- FAIL: TestBad/in (0.00s)\n--- FAIL: TestBad (0.00s)\nFAIL\nFAIL\tx/a\t0.006s\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if want := []string{"x/a TestBad"}; !slices.Equal(r.failures, want) {
		t.Errorf("failures %q, want %q", r.failures, want)
	}
}

func TestAPackageThatDoesNotBuildOrDiesIsAFailure(t *testing.T) {
	var r results
	var out strings.Builder
	r.read(strings.NewReader("go: a line of the go command\n"+stream(t,
		event{Action: "build-output", Output: "d_test.go:3:27: undefined: y\n"},
		event{Action: "build-fail"},
		output("x/d", "", "FAIL\tx/d [build failed]\n"),
		end("fail", "x/d", ""),
		output("x/b", "TestDies", "=== RUN   TestDies\n"),
		output("x/b", "TestDies", "panic: oh\n"),
		output("x/b", "", "FAIL\tx/b\t0.014s\n"),
		end("fail", "x/b", ""),
	)), &out)
	want := "go: a line of the go command\nd_test.go:3:27: undefined: y\nFAIL\tx/d [build failed]\npanic: oh\nFAIL\tx/b\t0.014s\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	if want := []string{"x/d", "x/b"}; !slices.Equal(r.failures, want) {
		t.Errorf("failures %q, want %q", r.failures, want)
	}
}

func TestASkippedTestKeepsItsReason(t *testing.T) {
	var r results
	r.read(strings.NewReader(stream(t,
		output("x/a", "TestNet", "=== RUN   TestNet\n"),
		output("x/a", "TestNet", "    a_test.go:4: no network here\n"),
		output("x/a", "TestNet", "--- SKIP: TestNet (0.00s)\n"),
		end("skip", "x/a", "TestNet"),
		output("x/a", "TestSub/y", "    --- SKIP: TestSub/y (0.00s)\n"),
		end("skip", "x/a", "TestSub/y"),
	)), &strings.Builder{})
	want := []skip{
		{"x/a", "TestNet", "a_test.go:4: no network here"},
		{"x/a", "TestSub/y", "it gave no reason"},
	}
	if !slices.Equal(r.skips, want) {
		t.Errorf("skips %q, want %q", r.skips, want)
	}
}
