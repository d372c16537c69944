package lines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline/connector"
)

// input is an input over a reader that never waits.
func input(name string, r io.Reader) Input {
	return Input{Name: name, open: func() (feed, error) { return direct{io.NopCloser(r)}, nil }}
}

// readAll gives each line with its position, and "!" before the first bytes of one that is
// too long.
func readAll(t *testing.T, r *reader) (got []string) {
	t.Helper()
	for {
		line, malformed, err := r.next(t.Context(), forever)
		switch {
		case err == io.EOF:
			return got
		case err != nil:
			t.Fatal(err)
		case errors.Is(malformed, ErrTooLong):
			got = append(got, r.position()+" !"+string(line))
		case malformed != nil:
			t.Fatal(malformed)
		default:
			got = append(got, r.position()+" "+string(line))
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"an empty file has none", "", nil},
		{"each ends with LF", "a\nb\n", []string{"f:1 a", "f:2 b"}},
		{"the last may have no end", "a\nb", []string{"f:1 a", "f:2 b"}},
		{"CR LF ends a line too", "a\r\nb\r\nc\r", []string{"f:1 a", "f:2 b", "f:3 c"}},
		{"a CR elsewhere is text", "a\rb\n\r\r\n", []string{"f:1 a\rb", "f:2 \r"}},
		{"empty lines are lines", "\n\na\n\n", []string{"f:1 ", "f:2 ", "f:3 a", "f:4 "}},
		{"a byte order mark at the start is passed over", "\xef\xbb\xbfa\n\xef\xbb\xbfb\n", []string{"f:1 a", "f:2 \xef\xbb\xbfb"}},
		{"any byte is kept", "a\x00b\xff\n", []string{"f:1 a\x00b\xff"}},
		{"as long as allowed", "12345678\n12345678\r\n12345678", []string{"f:1 12345678", "f:2 12345678", "f:3 12345678"}},
		{"too long", "123456789\nb\n", []string{"f:1 !12345678", "f:2 b"}},
		{"far too long", strings.Repeat("x", 1000) + "\nb\n" + strings.Repeat("y", 1000), []string{"f:1 !xxxxxxxx", "f:2 b", "f:3 !yyyyyyyy"}},
		{"a byte order mark is no part of the length", "\xef\xbb\xbf12345678\n", []string{"f:1 12345678"}},
	} {
		for name, r := range map[string]io.Reader{
			"":                         strings.NewReader(c.text),
			", byte by byte":           iotest.OneByteReader(strings.NewReader(c.text)),
			", the end with the bytes": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			if got := readAll(t, newReader([]Input{input("f", r)}, 8)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s%s: got %q, want %q", c.name, name, got, c.want)
			}
		}
	}
}

func TestFilesFollowEachOtherAndAreNeverGlued(t *testing.T) {
	r := newReader([]Input{input("a", strings.NewReader("1\n2")), input("b", strings.NewReader("")), input("c", strings.NewReader("\xef\xbb\xbf3\n"))}, 100)
	if got, want := readAll(t, r), []string{"a:1 1", "a:2 2", "c:1 3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// letters gives so many bytes x, and then the text.
func letters(n int64, after string) io.Reader {
	return io.MultiReader(io.LimitReader(repeated('x'), n), strings.NewReader(after))
}

type repeated byte

func (r repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

func TestALineOf64MiBIsReadInBoundedMemory(t *testing.T) {
	const most = 1 << 20
	r := newReader([]Input{input("f", letters(64<<20, "\nb\n"))}, most)
	line, malformed, err := r.next(t.Context(), forever)
	if len(line) != most || malformed == nil || malformed.Error() != "line is too long: more than 1048576 bytes" || err != nil {
		t.Errorf("got %d bytes, %v and %v", len(line), malformed, err)
	}
	if line, malformed, err := r.next(t.Context(), forever); string(line) != "b" || malformed != nil || err != nil || r.position() != "f:2" {
		t.Errorf("after it: %q, %v, %v at %s", line, malformed, err, r.position())
	}
	if len(r.piece.buf) > most+firstBuffer+extraBytes {
		t.Errorf("the buffer grew to %d bytes", len(r.piece.buf))
	}
}

func TestAnErrorNamesThePosition(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("a\nb\nhalf"), iotest.ErrReader(errors.New("disk on fire")))
	r := newReader([]Input{input("f", broken)}, 100)
	for range 2 {
		if _, _, err := r.next(t.Context(), forever); err != nil {
			t.Fatal(err)
		}
	}
	if line, _, err := r.next(t.Context(), forever); err == nil || err.Error() != "f:3: disk on fire" {
		t.Errorf("got %q, %v", line, err)
	}
}

// The oracle splits the whole text; the reader sees it in pieces of random sizes.
func TestRandomPiecesGiveTheSameLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		text := make([]byte, random.IntN(60))
		for i := range text {
			text[i] = "ab\r\n\n"[random.IntN(5)]
		}
		most := 1 + random.IntN(6)
		var want []string
		if len(text) > 0 {
			for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
				line = strings.TrimSuffix(line, "\r")
				if len(line) > most {
					line = "!" + line[:most]
				}
				want = append(want, fmt.Sprintf("f:%d %s", i+1, line))
			}
		}
		r := newReader([]Input{input("f", &pieces{bytes.NewReader(text), random})}, most)
		if got := readAll(t, r); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q with lines of %d: got %q, want %q", text, most, got, want)
		}
	}
}

type pieces struct {
	in     io.Reader
	random *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	return p.in.Read(b[:min(len(b), p.random.IntN(5))])
}

func FuzzLinesAgreeWithSplit(f *testing.F) {
	f.Add([]byte("a\r\nb\n\nc"), 3)
	f.Add([]byte("\xef\xbb\xbf\xef\xbb\xbf\r"), 1)
	f.Add([]byte("\x1f\x8b"), 9)
	f.Fuzz(func(t *testing.T, text []byte, most int) {
		if most < 1 || most > 1<<20 {
			return
		}
		var want [][]byte
		if len(text) > 0 {
			want = bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
			want[0] = bytes.TrimPrefix(want[0], []byte(bom))
			if string(text) == bom {
				want = nil
			}
		}
		r := newReader([]Input{input("f", iotest.OneByteReader(bytes.NewReader(text)))}, most)
		for i, w := range want {
			w = bytes.TrimSuffix(w, []byte("\r"))
			line, malformed, err := r.next(t.Context(), forever)
			if long := len(w) > most; err != nil || long != errors.Is(malformed, ErrTooLong) || !long && malformed != nil || !bytes.Equal(line, w[:min(len(w), most)]) {
				t.Fatalf("line %d is %q, %v, %v; want %q", i+1, line, malformed, err, w)
			}
		}
		if line, _, err := r.next(t.Context(), forever); err != io.EOF {
			t.Fatalf("one more line: %q, %v", line, err)
		}
	})
}

// words is a decoder that skips blanks, refuses "bad", and stops at "stop".
type words struct{ stop bool }

func (w *words) Decode(line []byte, v *string) (int64, error) {
	*v = string(line)
	switch *v {
	case "":
		return 0, ErrSkip
	case "bad":
		return 0, errors.New("it is bad")
	case "stop":
		w.stop = true
	}
	return int64(len(line)), nil
}

func (w *words) Judge(bool) (settled bool, err error) {
	if w.stop {
		return false, errors.New("stopped")
	}
	return false, nil
}

func wordsOf(t *testing.T, inputs ...Input) connector.Reader[string] {
	s := &Split[string]{Group: Group{"words", inputs}, Max: MaxDefault, Timed: true, Decoder: func() Decoder[string] { return &words{} }}
	r, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMalformedLinesStayInTheirBatch(t *testing.T) {
	r := wordsOf(t, input("f", strings.NewReader("a\n\nbad\nabc\n")))
	var b connector.Batch[string]
	if err := r.Read(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.Values, []string{"a", "abc"}) || !slices.Equal(b.Times, []int64{1, 3}) || len(b.Malformed) != 1 ||
		b.Malformed[0].String() != "f:3: it is bad" || string(b.Malformed[0].Raw) != "bad" {
		t.Errorf("got %+v", b)
	}
	if err := r.Read(t.Context(), &b); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
}

func TestABatchOfLongLinesEndsEarly(t *testing.T) {
	text := strings.Repeat(strings.Repeat("x", 1<<20)+"\n", 10)
	r := wordsOf(t, input("f", strings.NewReader(text)))
	var b connector.Batch[string]
	var sizes []int
	for r.Read(t.Context(), &b) == nil {
		sizes = append(sizes, len(b.Values))
	}
	if want := []int{4, 4, 2}; !slices.Equal(sizes, want) { // 4 MiB each
		t.Errorf("batches of %v, want %v", sizes, want)
	}
}

func TestRecordsBeforeAnErrorAreGivenOut(t *testing.T) {
	r := wordsOf(t, input("f", io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(errors.New("disk on fire")))))
	var b connector.Batch[string]
	if err := r.Read(t.Context(), &b); err != nil || !slices.Equal(b.Values, []string{"a"}) {
		t.Errorf("got %+v, %v", b, err)
	}
	for range 2 {
		if err := r.Read(t.Context(), &b); err == nil || err.Error() != "f:2: disk on fire" || len(b.Values) > 0 {
			t.Errorf("got %+v, %v", b, err)
		}
	}
}

func TestAVerdictStopsBeforeTheBatchIsGivenOut(t *testing.T) {
	r := wordsOf(t, input("f", strings.NewReader("a\nstop\nb\n")))
	var b connector.Batch[string]
	if err := r.Read(t.Context(), &b); err == nil || err.Error() != "stopped" || len(b.Values) > 0 {
		t.Errorf("got %+v, %v", b, err)
	}
}

func TestALiveInputGivesWhatIsAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		group, err := Reader("pipe", in).Groups()
		if err != nil {
			t.Fatal(err)
		}
		r := wordsOf(t, group[0].inputs...)
		step := func(what string, want []string, caughtUp bool, took time.Duration) {
			t.Helper()
			began := time.Now()
			var b connector.Batch[string]
			err := r.Read(t.Context(), &b)
			if err != nil || !slices.Equal(b.Values, want) || b.CaughtUp != caughtUp || time.Since(began) != took {
				t.Errorf("%s: %q, caught up %v, %v after %v; want %q, %v after %v", what, b.Values, b.CaughtUp, err, time.Since(began), want, caughtUp, took)
			}
		}
		step("silent from the start", nil, true, settle)
		go func() {
			<-time.After(time.Hour)
			io.WriteString(out, "one\ntw")
		}()
		step("after an hour", []string{"one"}, false, time.Hour)
		step("half a line is no news", nil, true, settle)
		go io.WriteString(out, "o\nthree\n")
		step("two", []string{"two", "three"}, false, 0)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var b connector.Batch[string]
		r.Read(ctx, &b) // says that it is caught up
		if err := r.Read(ctx, &b); err != context.DeadlineExceeded {
			t.Errorf("waiting beyond the context: %v", err)
		}
		go func() {
			io.WriteString(out, "last")
			out.Close()
		}()
		step("the end", []string{"last"}, false, 0)
		if err := r.Read(t.Context(), &b); err != io.EOF {
			t.Errorf("got %v, want io.EOF", err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}) // and no goroutine is left, or the bubble would say so
}

func TestClosingInterruptsALiveInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := io.Pipe()
		group, _ := Reader("pipe", in).Groups()
		r := wordsOf(t, group[0].inputs...)
		var b connector.Batch[string]
		r.Read(t.Context(), &b)
		began := time.Now()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("Close took %v", took)
		}
	})
}

func TestAReaderIsReadOnce(t *testing.T) {
	group, _ := Reader("text", strings.NewReader("a\n")).Groups()
	r := wordsOf(t, group[0].inputs...)
	defer r.Close()
	var b connector.Batch[string]
	r.Read(t.Context(), &b)
	if err := wordsOf(t, group[0].inputs...).Read(t.Context(), &b); err == nil || err.Error() != "text: was read before, and cannot be read a second time" {
		t.Errorf("got %v", err)
	}
}

func TestSplits(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	glob := filepath.Join(dir, "*.txt")
	one, err := Files(glob).Groups()
	if err != nil || len(one) != 1 || one[0].Name != glob {
		t.Fatalf("got %+v, %v; want one split", one, err)
	}
	r := wordsOf(t, one[0].inputs...)
	defer r.Close()
	for _, name := range []string{"a", "b", "c"} { // a batch is of one file
		var b connector.Batch[string]
		at := filepath.Join(dir, name+".txt:")
		if err := r.Read(t.Context(), &b); err != nil || !slices.Equal(b.Values, []string{name}) || b.Place != at || !slices.Equal(b.Places, []int64{1}) {
			t.Errorf("in name order: %q at %s%d, %v", b.Values, b.Place, b.Places, err)
		}
	}
	each, err := Files(glob).Each().Groups()
	if err != nil || len(each) != 3 || each[1].Name != filepath.Join(dir, "b.txt") {
		t.Errorf("got %+v, %v; want three splits in name order", each, err)
	}
	if err := Stdin().Each().Check(); err == nil || err.Error() != "stdin: is no set of files, and cannot be split by file" {
		t.Errorf("got %v", err)
	}
}
