package parquetrow_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/parquetrow"
)

// counting counts the bytes that are read.
type counting struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	c.bytes.Add(int64(n))
	return n, err
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// count reads all rows.
func count(t testing.TB, f *parquetrow.File, fields ...string) (n int) {
	t.Helper()
	rows, err := f.Rows(parquetrow.Options{Fields: fields})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b parquetrow.Batch
	for {
		switch err := rows.Read(1024, &b); err {
		case nil:
			n += len(b.Rows)
		case io.EOF:
			return n
		default:
			t.Fatal(err)
		}
	}
}

func TestOnlyTheColumnsInUseAreRead(t *testing.T) {
	// Columns of one size each: 8 of 100,000 integers that do not compress.
	var text bytes.Buffer
	var schema record.Schema
	for i := range 8 {
		schema = append(schema, record.Field{Name: fmt.Sprintf("c%d", i), Type: record.Type{Kind: record.Int}})
	}
	w := parquetrow.NewWriter(&text, schema)
	row, x := make(record.Row, 8), uint64(1)
	for i := range 100_000 {
		for k := range row {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			row[k] = record.OfInt(int64(x))
		}
		if err := w.Put(row); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 0 {
			if err := w.Write(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const column = 800_000
	for _, c := range []struct {
		fields  []string
		columns int64
	}{{nil, 1}, {[]string{"c3"}, 1}, {[]string{"c7", "c0"}, 2}, {schema.Names(), 8}} {
		in := &counting{ReaderAt: bytes.NewReader(text.Bytes())}
		f, err := parquetrow.Open(in, int64(text.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if n := in.bytes.Load(); n > 64<<10 {
			t.Errorf("%d bytes were read for the schema", n)
		}
		if n := count(t, f, c.fields...); n != 100_000 {
			t.Errorf("%d rows", n)
		}
		if n := in.bytes.Load(); n < c.columns*column || n > c.columns*column+column/4 {
			t.Errorf("%v: %d bytes were read, and a column has %d", c.fields, n, column)
		}
	}
}

// TestADamagedFileGivesNoOtherRows: with a checksum on each page, whatever byte is
// changed, the rows that are given are those that were written.
func TestADamagedFileGivesNoOtherRows(t *testing.T) {
	whole := fixture(t, "many.parquet")
	if testing.Short() {
		t.Skip("reads a file a thousand times: left out of -short")
	}
	failed := 0
	for at := 4; at < len(whole)-5000; at += 97 { // in pages: the footer is not checksummed
		text := bytes.Clone(whole)
		text[at] ^= 0x10
		f, err := parquetrow.Open(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			continue
		}
		rows, err := f.Rows(parquetrow.Options{Fields: []string{"n", "text"}})
		if err != nil {
			t.Fatal(err)
		}
		var b parquetrow.Batch
		n := 0
		for err == nil {
			err = rows.Read(1024, &b)
			for _, row := range b.Rows {
				if row[0].Int() != int64(n) || row[1].Str() != fmt.Sprintf("text number %d", n) {
					t.Fatalf("byte %d changed: row %d is %v", at, n, row)
				}
				n++
			}
		}
		if rows.Close(); err != io.EOF {
			failed++
		}
	}
	if failed < 20 {
		t.Errorf("%d of the files were found to be damaged", failed)
	}
}

func TestClaimsAreNotBelieved(t *testing.T) {
	// A footer whose list of schema elements claims 2,000,000,000: of Thrift's compact
	// protocol a field 2 (19: a list), of structs (fc: 15 and more), and the number.
	footer := []byte{0x15, 0x02, 0x19, 0xfc, 0x80, 0xa8, 0xd6, 0xb9, 0x07}
	text := append([]byte("PAR1"), footer...)
	text = append(text, byte(len(footer)), 0, 0, 0)
	text = append(text, "PAR1"...)
	_, err := parquetrow.Open(bytes.NewReader(text), int64(len(text)))
	if err == nil || err.Error() != "the file is damaged: its footer: it ends in the middle" {
		t.Errorf("got %v", err)
	}
	// Structs within structs, 100,000 deep.
	footer = bytes.Repeat([]byte{0x1c}, 100_000)
	text = append([]byte("PAR1"), footer...)
	text = append(text, 0xa0, 0x86, 0x01, 0)
	text = append(text, "PAR1"...)
	if _, err = parquetrow.Open(bytes.NewReader(text), int64(len(text))); err == nil || !strings.HasPrefix(err.Error(), "the file is damaged: its footer: it is damaged") {
		t.Errorf("got %v", err)
	}
}

// A decompressor asks for what compressed bytes claim to become, LZ4's for twice as much again
// for as long as they make no sense. Each byte of a page is changed; none may cost memory.
func TestCompressedBytesAreLookedAtBeforeTheyAreDecompressed(t *testing.T) {
	for _, name := range []string{"int96.parquet", "unsigned.parquet", "union1.parquet", "kinds2.parquet"} {
		whole := fixture(t, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		for at := 4; at < min(len(whole), 200); at++ {
			for _, to := range []byte{0, 0x7f, 0xff} {
				text := bytes.Clone(whole)
				text[at] = to
				fuzzed(t, text)
				n++
			}
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / uint64(n); each > 8<<20 {
			t.Errorf("%s: %d bytes for each of %d damaged files of %d", name, each, n, len(whole))
		}
	}
}

// FuzzParquet: whatever the bytes are, there is an error or there are rows, each of the fields
// asked for, and no more of them than the file says.
func FuzzParquet(f *testing.F) {
	names, err := filepath.Glob("../testdata/*.parquet")
	if err != nil || len(names) < 5 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		if b := fixture(f, filepath.Base(name)); len(b) < 12<<10 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<15 {
			return
		}
		// It must end, and not panic. What a damaged page holds may differ from one reading to the
		// next: where its levels promise more values than it has, the library takes as many from
		// what its buffer held before, up to the buffer's capacity, and does not tell.
		fuzzed(t, text)
	})
}

// FuzzDamage changes some bytes of whole files, and so comes further into them than arbitrary
// bytes do. A change is three bytes: where, from the beginning or, in odd ones, from the end,
// and to what.
func FuzzDamage(f *testing.F) {
	names, err := filepath.Glob("../testdata/*.parquet")
	if err != nil || len(names) < 5 {
		f.Fatal(names, err)
	}
	var files [][]byte
	for i, name := range names {
		if b := fixture(f, filepath.Base(name)); len(b) < 12<<10 {
			files = append(files, b)
			f.Add(byte(i), []byte("\x20\x00\xff\x81\x00\x7f"))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, changes []byte) {
		text := bytes.Clone(files[int(which)%len(files)])
		for ; len(changes) >= 3; changes = changes[3:] {
			at := int(changes[0]>>1)<<8 | int(changes[1])
			if at %= len(text); changes[0]&1 != 0 {
				at = len(text) - 1 - at
			}
			text[at] = changes[2]
		}
		// It must end, and not panic. What a damaged page holds may differ from one reading to the
		// next: where its levels promise more values than it has, the library takes as many from
		// what its buffer held before, up to the buffer's capacity, and does not tell.
		fuzzed(t, text)
	})
}

// fuzzed reads up to 2,000 rows of a file, all fields together, and describes them.
func fuzzed(t *testing.T, text []byte) string {
	f, err := parquetrow.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err.Error()
	}
	rows, err := f.Rows(parquetrow.Options{Fields: f.Schema().Names()})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b parquetrow.Batch
	var n int64
	var all strings.Builder
	for n < 2000 {
		err := rows.Read(500, &b)
		n += int64(len(b.Rows) + len(b.Bad))
		for i, row := range b.Rows {
			if len(row) != len(f.Schema()) || b.Number(i) < 1 || b.Number(i) > n {
				t.Fatalf("row %d is %v", b.Number(i), row)
			}
			if all.Len() < 1<<20 {
				fmt.Fprintln(&all, row)
			}
		}
		if n > f.NumRows() {
			t.Fatalf("%d rows of %d", n, f.NumRows())
		}
		if err != nil {
			break // which need not be the same: see the order of maps in messages of the library
		}
	}
	return all.String()
}

// The library would fill what is missing of the page with what its buffer held before.
func TestAPageThatIsNotCompressedHasOneSize(t *testing.T) {
	text := bytes.Clone(fixture(t, "kinds2.parquet"))
	const at = 479 // how many bytes a page of u64 has in the file: 18, in zigzag
	if text[at] != 0x24 {
		t.Fatalf("the fixture has %#x there", text[at])
	}
	text[at] = 0x04
	f, err := parquetrow.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := f.Rows(parquetrow.Options{Fields: []string{"u64"}})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var b parquetrow.Batch
	err = rows.Read(500, &b)
	if !errors.Is(err, parquetrow.ErrDamaged) || !strings.Contains(err.Error(), "it is not compressed, and has 2 bytes and 18") || len(b.Rows) > 0 {
		t.Errorf("%d rows, %v", len(b.Rows), err)
	}
}
