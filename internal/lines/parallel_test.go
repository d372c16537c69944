package lines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline/connector"
)

// outcome is all that a split gives, without the borders of batches.
type outcome struct {
	values    []string
	times     []int64
	malformed []string
	raw       []string
	err       string
}

func outcomeOf(t testing.TB, s *Split[string]) (got outcome) {
	t.Helper()
	r, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		var b connector.Batch[string]
		err = r.Read(t.Context(), &b)
		if len(b.Values) > connector.BatchSize || len(b.Malformed) > connector.BatchSize {
			t.Fatalf("a batch of %d values and %d malformed records", len(b.Values), len(b.Malformed))
		}
		got.values = append(got.values, b.Values...)
		got.times = append(got.times, b.Times...)
		for _, m := range b.Malformed {
			got.malformed = append(got.malformed, m.String())
			got.raw = append(got.raw, string(m.Raw))
		}
	}
	got.err = err.Error()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	return got
}

// settled is words that is settled at once, so that reading in parallel begins after the first
// batch.
type settled struct{ words }

func (settled) Judge(bool) (bool, error) { return true, nil }

// numbered is so many lines; some are blank, bad, or too long for 30 bytes, and some end in
// CR LF.
func numbered(from, to int) string {
	var text strings.Builder
	for i := from; i < to; i++ {
		switch {
		case i%11 == 3:
			text.WriteString("bad\n")
		case i%17 == 5:
			text.WriteString("\n")
		case i%101 == 7:
			fmt.Fprintf(&text, "%d%s\n", i, strings.Repeat("x", i%500))
		case i%5 == 2:
			fmt.Fprintf(&text, "%d\r\n", i)
		default:
			fmt.Fprintf(&text, "%d\n", i)
		}
	}
	return text.String()
}

func TestDecodingInParallelShowsInNoResult(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name   string
		inputs func() []Input
	}{
		{"files that follow each other", func() []Input {
			return []Input{
				input("a", strings.NewReader(numbered(0, 3000))), input("empty", strings.NewReader("")),
				input("b", strings.NewReader(bom+numbered(3000, 7000)+"no end")), input("c", strings.NewReader("last")),
			}
		}},
		{"pieces of any size", func() []Input { return []Input{input("a", &pieces{strings.NewReader(numbered(0, 5000)), random})} }},
		{"an error in the middle", func() []Input {
			return []Input{input("a", io.MultiReader(strings.NewReader(numbered(0, 4000)+"half"), iotest.ErrReader(errors.New("disk on fire"))))}
		}},
		{"an error in the head of a second", func() []Input {
			return []Input{input("a", strings.NewReader(numbered(0, 4000))), input("b", iotest.ErrReader(errors.New("disk on fire")))}
		}},
		{"a second that is gone", func() []Input {
			return []Input{input("a", strings.NewReader(numbered(0, 4000))), {Name: "b", open: func() (feed, error) { return nil, errors.New("b: gone") }}}
		}},
		{"a second that cannot be closed", func() []Input {
			return []Input{input("a", strings.NewReader(numbered(0, 2000))), {Name: "b", open: func() (feed, error) {
				return direct{unclosable{strings.NewReader(numbered(0, 2000))}}, nil
			}}}
		}},
		{"lines longer than a block", func() []Input {
			return []Input{input("a", strings.NewReader(numbered(0, 1500)+strings.Repeat("y", 3000)+"\n"+numbered(0, 1500)))}
		}},
		{"nothing after the start", func() []Input { return []Input{input("a", strings.NewReader(numbered(0, 1120)))} }},
		{"nothing", func() []Input { return nil }},
	} {
		split := func(n, block int) *Split[string] {
			return &Split[string]{
				Group: Group{"words", c.inputs()}, Max: 30, Timed: true, Parallel: n, Block: block,
				Decoder: func() Decoder[string] { return &settled{} },
			}
		}
		want := outcomeOf(t, split(0, 0))
		if c.name == "files that follow each other" && (len(want.values) < 5000 || len(want.malformed) < 500) {
			t.Fatalf("%d values and %d malformed records are no test", len(want.values), len(want.malformed))
		}
		for _, n := range []int{2, 3, 8} {
			for _, block := range []int{1, 10, 100, 1000, 0} {
				if got := outcomeOf(t, split(n, block)); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %d goroutines, blocks of %d: got %d values, %d malformed, %s; want %d, %d, %s\nfirst %.300q\nwant  %.300q", c.name, n, block,
						len(got.values), len(got.malformed), got.err, len(want.values), len(want.malformed), want.err, got.malformed, want.malformed)
				}
			}
		}
	}
}

type unclosable struct{ io.Reader }

func (unclosable) Close() error { return errors.New("cannot be closed") }

// scripts is the shape of lines that go on where they end in a backslash, at most two lines,
// and of inputs whose lines that begin with # are a head. What would go on beyond that is
// malformed in its first line.
type scripts struct{ heads int }

func (s *scripts) Head(record []byte) (head any, more bool, err error) {
	switch {
	case record == nil:
		s.heads = 0
		return "", true, nil
	case string(record) == "#!":
		return nil, false, errors.New("no head")
	case s.heads == 2:
		return "head", false, nil
	}
	s.heads++
	return "", true, nil
}

func (s *scripts) Find(text []byte, end bool) (Frame, Verdict) {
	i := bytes.Index(text, []byte("\\\n"))
	if i < 0 {
		return Frame{}, None
	}
	from, first := bytes.LastIndexByte(text[:i], '\n')+1, i+2
	to := len(text)
	if next := bytes.IndexByte(text[first:], '\n'); next >= 0 {
		to = first + next + 1
	} else if !end {
		return Frame{From: from}, Open
	}
	if bytes.HasSuffix(text[:to], []byte("\\\n")) {
		return Frame{From: from, To: first, Err: errors.New("goes on too long")}, Whole
	}
	return Frame{From: from, To: to}, Whole
}

// under is words that tells under which head they stand, and whether they were foreseen.
type under struct {
	settled
	head any
	text []byte
}

func (u *under) Under(head any) { u.head = head }

func (u *under) Foresee(text []byte) { u.text = text }

func (u *under) Decode(record []byte, v *string) (int64, error) {
	at, err := u.settled.Decode(record, v)
	*v = fmt.Sprintf("%v:%s", u.head, *v)
	if !bytes.Contains(u.text, record) {
		*v += " (not foreseen)"
	}
	return at, err
}

func scripted(n, block int, inputs ...Input) *Split[string] {
	return &Split[string]{
		Group: Group{"scripts", inputs}, Max: 100, Parallel: n, Block: block,
		Decoder: func() Decoder[string] { return &under{} }, Shape: func() Shape { return &scripts{} },
	}
}

func TestRecordsOfSeveralLinesUnderAHead(t *testing.T) {
	const text = bom + "#1\n#2\\\n# goes on\n#3\na\\\nbad\r\nbad\nb\\\nc\\\nd\ne\\"
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
	} {
		got := outcomeOf(t, scripted(0, 0, input("f", r), input("g", strings.NewReader("#\n#\n#\nlast\\\nline\\")), input("h", strings.NewReader("#\n#!\n#\n"))))
		want := outcome{
			values:    []string{"head:a\\\nbad", "head:c\\\nd", "head:e\\", "head:last\\\nline\\"},
			malformed: []string{"f:7: it is bad", "f:8: goes on too long"},
			raw:       []string{"bad", "b\\"},
			err:       "h:2: no head",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got  %+v\nwant %+v", name, got, want)
		}
	}
}

func TestRecordsOfSeveralLinesAcrossTheBordersOfBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		var text strings.Builder
		text.WriteString("#1\n#2\n#3\n")
		for i := range 3000 {
			fmt.Fprintf(&text, "%d%s\n", i, []string{"", "", "", "\\", "\r"}[random.IntN(5)])
		}
		want := outcomeOf(t, scripted(0, 0, input("f", strings.NewReader(text.String()))))
		for _, block := range []int{1, 7, 100, 5000} {
			if got := outcomeOf(t, scripted(3, block, input("f", &pieces{strings.NewReader(text.String()), random}))); !reflect.DeepEqual(got, want) {
				t.Fatalf("blocks of %d: got %d values, %.200q; want %d, %.200q", block, len(got.values), got.malformed, len(want.values), want.malformed)
			}
		}
	}
}

func TestALiveInputDecodedInParallelGivesWhatIsAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		group, err := Reader("pipe", in).Groups()
		if err != nil {
			t.Fatal(err)
		}
		s := &Split[string]{Group: group[0], Max: 100, Parallel: 3, Decoder: func() Decoder[string] { return &settled{} }}
		r, err := s.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		step := func(what string, want []string, caughtUp bool, took time.Duration) {
			t.Helper()
			began := time.Now()
			var b connector.Batch[string]
			err := r.Read(t.Context(), &b)
			if err != nil || !slices.Equal(b.Values, want) || b.CaughtUp != caughtUp || time.Since(began) != took {
				t.Errorf("%s: %q, caught up %v, %v after %v; want %q, %v after %v", what, b.Values, b.CaughtUp, err, time.Since(began), want, caughtUp, took)
			}
		}
		go io.WriteString(out, "first\nsec")
		step("the start", []string{"first"}, false, 0)
		step("then half a line", nil, true, settle)
		go io.WriteString(out, "ond\n")
		step("its other half", []string{"second"}, false, 0)
		step("then nothing", nil, true, settle)
		go func() {
			<-time.After(time.Hour)
			io.WriteString(out, "one\ntw")
		}()
		step("after an hour", []string{"one"}, false, time.Hour)
		step("half a line is no news", nil, true, settle)
		go io.WriteString(out, "o\n\n")
		step("the other half", []string{"two"}, false, 0)
		step("again nothing", nil, true, settle)
		go func() {
			io.WriteString(out, "\n\n") // no record, and so no news
			<-time.After(time.Minute)
			io.WriteString(out, "three\n")
		}()
		step("after a minute", []string{"three"}, false, time.Minute)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var b connector.Batch[string]
		r.Read(ctx, &b) // says that it is caught up
		if err := r.Read(ctx, &b); err != context.DeadlineExceeded {
			t.Errorf("waiting beyond the context: %v", err)
		}
		began := time.Now()
		if err := r.Close(); err != nil || time.Since(began) != 0 {
			t.Errorf("Close: %v after %v", err, time.Since(began))
		}
		if err := r.Read(t.Context(), &b); err == nil || err == io.EOF {
			t.Errorf("Read after Close: %v", err)
		}
	}) // and no goroutine is left, or the bubble would say so
}

// A slow consumer finds word of a dry input in its queue with records behind it: the input is
// not dry any more, and must not count as idle (S3.3).
func TestBackPressureIsNoIdleness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		group, _ := Reader("pipe", in).Groups()
		s := &Split[string]{Group: group[0], Max: 100, Parallel: 2, Decoder: func() Decoder[string] { return &settled{} }}
		r, _ := s.Open(t.Context())
		defer r.Close()
		go func() {
			for i := range 5 {
				fmt.Fprintln(out, i)
				<-time.After(time.Second)
			}
		}()
		var b connector.Batch[string]
		for want := range 4 {
			if err := r.Read(t.Context(), &b); err != nil || len(b.Values) != 1 || b.Values[0] != fmt.Sprint(want) {
				t.Fatalf("got %+v, %v; want %d", b, err, want)
			}
			if want == 0 {
				r.Read(t.Context(), &b) // starts the goroutines, and finds nothing
			}
			if want == 1 {
				<-time.After(time.Hour) // the consumer is busy
			}
		}
	})
}

// panics is a decoder of a user's own that panics.
type panics struct{ settled }

func (p *panics) Decode(record []byte, v *string) (int64, error) {
	if string(record) == "3000" {
		panic("cannot bear it")
	}
	return p.settled.Decode(record, v)
}

func TestAPanicOfADecoderComesOutOfRead(t *testing.T) {
	for _, n := range []int{0, 2} {
		before := runtime.NumGoroutine()
		s := &Split[string]{
			Group: Group{"words", []Input{input("f", strings.NewReader(numbered(0, 5000)))}}, Max: 1000, Parallel: n,
			Decoder: func() Decoder[string] { return &panics{} },
		}
		r, _ := s.Open(t.Context())
		var got any
		func() {
			defer func() { got = recover() }()
			var b connector.Batch[string]
			for r.Read(t.Context(), &b) == nil {
			}
		}()
		if got != "cannot bear it" {
			t.Errorf("%d goroutines: got %v", n, got)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		for began := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
			}
		}
	}
}

func TestMemoryStaysBoundedWhileNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := &counted{repeated('\n'), 0}
		s := &Split[string]{
			Group: Group{"words", []Input{input("f", endless)}}, Max: 100, Parallel: 4,
			Decoder: func() Decoder[string] { return lengths{} },
		}
		r, _ := s.Open(t.Context())
		defer r.Close()
		var b connector.Batch[string]
		for range 2 {
			if err := r.Read(t.Context(), &b); err != nil || len(b.Values) != connector.BatchSize {
				t.Fatalf("%d values, %v", len(b.Values), err)
			}
		}
		synctest.Wait() // everything has come to rest
		if most := int64((2*4+4+1)*blockBytes + firstBuffer); endless.n > most {
			t.Errorf("%d bytes were read ahead, more than %d", endless.n, most)
		}
	})
}

type lengths struct{ settled }

func (lengths) Decode([]byte, *string) (int64, error) { return 0, nil }

type counted struct {
	in io.Reader
	n  int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
