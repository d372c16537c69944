package jsonl_test

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/jsonl"
)

func TestFilesOfJSONLinesKeepTheContract(t *testing.T) {
	values := []reading{{Sensor: "a"}, {Sensor: "b\n\"<&>", Value: 1.5}, {Tags: []string{}}, {Extra: map[string]any{"z": 1.0, "a": nil}}, {Count: -1 << 63}}
	for _, name := range []string{"out.jsonl", "out.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			connectortest.ExerciseSink(t, func(t *testing.T) (connector.Sink, func() []reading) {
				path := filepath.Join(t.TempDir(), name)
				return jsonl.Create(path), func() []reading {
					if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
						return nil // nothing was opened
					}
					// A compressed file that is still being written has no end yet.
					got := read(t, jsonl.File[reading](path))
					if got.err != nil && !strings.Contains(got.err.Error(), "cut off") || len(got.malformed) > 0 {
						t.Errorf("what was written is read as %+v", got)
					}
					return normal(got.values)
				}
			}, normal(values))
		})
	}
}

// normal makes values alike that JSON does not tell apart.
func normal(values []reading) []reading {
	for i := range values {
		if values[i].Tags == nil {
			values[i].Tags = []string{}
		}
	}
	return values
}

func write[T any](t *testing.T, s connector.Sink, values ...T) error {
	t.Helper()
	w, err := s.Open(t.Context())
	if err != nil {
		return err
	}
	err = errors.Join(w.Write(t.Context(), connectortest.NewRows(values)), w.Flush(t.Context()), w.Close())
	return err
}

func TestOneLineAValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	if err := os.WriteFile(path, []byte("what was there before\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := write[any](t, jsonl.Create(path), 1, "a\nb", nil, map[string]int{"b": 1, "a": 2}, jsontext.Value("{\n  \"x\": [1,\n 2]}"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "1\n\"a\\nb\"\nnull\n{\"a\":2,\"b\":1}\n{\"x\":[1,2]}\n"
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAFileThatCannotBeCreatedIsExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("out", 0o777); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"nowhere/out.jsonl": "jsonl: cannot create nowhere/out.jsonl: there is no directory nowhere: open nowhere/out.jsonl: no such file or directory",
		"out":               "jsonl: cannot create out: open out: is a directory",
	} {
		if err := write(t, jsonl.Create(path), 1); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestWhatJSONCannotHoldIsAnErrorAndLeavesWholeLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	err := write[any](t, jsonl.Create(path), "before", map[string]any{"a": 1, "b": math.NaN()}, "after")
	if err == nil || !strings.Contains(err.Error(), "jsonl: a value of type map[string]interface {} cannot be written") || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, []byte("\"before\"\n")) {
		t.Errorf("the file has %q", got)
	}
}
