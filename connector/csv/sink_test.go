package csv_test

import (
	"database/sql"
	"errors"
	"io/fs"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/csv"
)

func TestFilesOfCSVKeepTheContract(t *testing.T) {
	values := []reading{{"a", 1, 1}, {"", 1.5, -1 << 63}, {"b,\n\"c\"\r\n", 0, 0}, {"#x", math.MaxFloat64, 5}, {" y ", 5e-324, 1}}
	for _, name := range []string{"out.csv", "out.csv.gz", "out.csv.zst"} {
		t.Run(name, func(t *testing.T) {
			connectortest.ExerciseSink(t, func(t *testing.T) (connector.Sink, func() []reading) {
				path := filepath.Join(t.TempDir(), name)
				return csv.Create(path), func() []reading {
					if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
						return nil // nothing was opened
					}
					// A compressed file that is still being written has no end yet.
					got := read(t, csv.File[reading](path).Comment('#'))
					if got.err != nil && !strings.Contains(got.err.Error(), "cut off") || len(got.malformed) > 0 {
						t.Errorf("what was written is read as %+v", got)
					}
					return got.values
				}
			}, values)
		})
	}
}

func write[T any](t *testing.T, s connector.Sink, values ...T) error {
	t.Helper()
	w, err := s.Open(t.Context())
	if err != nil {
		return err
	}
	return errors.Join(w.Write(t.Context(), connectortest.NewRows(values)), w.Flush(t.Context()), w.Close())
}

// Numbers of other packages keep their places: what is written here is what spreadsheets and
// the reading side of this package take.
func TestARecordOfEveryType(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	one, empty := int32(-1), ""
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	full := all{
		Text: `say "x", y`, Bytes: []byte{}, Bool: true, I8: -128, U64: math.MaxUint64, F32: 0.1, At: at, For: 90 * time.Second, Address: netip.MustParseAddr("1.2.3.4"),
		MaybeI: &one, MaybeS: &empty, MaybeT: &at, SQL: sql.NullInt64{Int64: 5, Valid: true}, Null: combine.Some("#"), part: part{Extra: 1e21},
	}
	full.Where.Room = "r\n1"
	if err := write(t, csv.Create(path), full, all{At: at}); err != nil {
		t.Fatal(err)
	}
	want := allColumns + ",extra\n" +
		`"say ""x"", y","",true,-128,18446744073709551615,0.1,2026-03-01T12:00:00Z,1m30s,1.2.3.4,-1,"",2026-03-01T12:00:00Z,5,"#","r` + "\n" + `1",,1e+21` + "\n" +
		`"",,false,0,0,0,2026-03-01T12:00:00Z,0s,"",,,,,,"",,0` + "\n"
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got := read(t, csv.File[all](path))
	if got.err != nil || len(got.malformed) > 0 || !reflect.DeepEqual(got.values, []all{full, {At: at}}) {
		t.Errorf("it is read as %+v\nwant %+v", got, full)
	}
}

func TestFloatsAreReadBackAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	type row struct {
		F float64
		G float32
	}
	values := []row{{0.1, 0.1}, {1 << 53, 1 << 24}, {1<<53 + 2, 1<<24 + 2}, {-1e300, 1e38}, {5e-324, 1e-45}, {math.Inf(1), float32(math.Inf(-1))}, {math.Copysign(0, -1), 0}, {123456.75, 0.000001}}
	if err := write(t, csv.Create(path), values...); err != nil {
		t.Fatal(err)
	}
	if got := read(t, csv.File[row](path)); got.err != nil || len(got.malformed) > 0 || !reflect.DeepEqual(got.values, values) {
		t.Errorf("got %+v, want %+v", got, values)
	}
	if err := write(t, csv.Create(path), row{F: math.NaN()}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, csv.File[row](path)); len(got.values) != 1 || !math.IsNaN(got.values[0].F) {
		t.Errorf("NaN is read as %+v", got)
	}
}

func TestSinksOfOtherDialects(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	if err := write(t, csv.Create(path).Delimiter(';').NoHeader(), &reading{"a;b", 1.5, 2}, &reading{"a,b", 1, 2}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "\"a;b\";1.5;2\na,b;1;2\n" {
		t.Errorf("got %q", got)
	}
	if _, err := csv.Create(path).Delimiter('\n').Open(t.Context()); err == nil || !strings.HasPrefix(err.Error(), `csv: Delimiter('\n')`) {
		t.Errorf("got %v", err)
	}
}

func TestWhatCSVCannotHoldIsAnErrorAndLeavesWholeLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	type text struct{ S, T string }
	type pointer struct{ P *int }
	type maps struct{ M map[string]int }
	for want, err := range map[string]error{
		`csv: a value of type csv_test.text cannot be written: column "T": not UTF-8`:                                 write(t, csv.Create(path), text{"a", "b"}, text{"c", "\xff"}),
		"csv: a value of type csv_test.pointer cannot be written: its one field is null, and its line would be empty": write(t, csv.Create(path+"1"), pointer{}),
		"csv: field M of csv_test.maps: a Go map[string]int cannot be written into a column":                          write(t, csv.Create(path+"2"), maps{}),
		"csv: records are structs with a field for each column, and int is none":                                      write(t, csv.Create(path+"3"), 5),
		"csv: records are structs with a field for each column, and interface {} is none":                             write[any](t, csv.Create(path+"4"), 5),
		"csv: a value of type *csv_test.text cannot be written: it is nil":                                            write[*text](t, csv.Create(path+"5"), nil),
		"csv: struct {} has no field that could be a column":                                                          write(t, csv.Create(path+"6"), struct{}{}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "S,T\na,b\n" {
		t.Errorf("the file has %q", got)
	}
}

func TestRowsOfTwoTypesDoNotGoIntoOneFile(t *testing.T) {
	w, err := csv.Create(filepath.Join(t.TempDir(), "out.csv")).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	type other struct{ X int }
	if err := w.Write(t.Context(), connectortest.NewRows([]reading{{}})); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), connectortest.NewRows([]other{{}})); err == nil || err.Error() != "csv: out.csv has rows of type csv_test.reading, and cannot have others, of csv_test.other" {
		t.Errorf("got %v", err)
	}
}
