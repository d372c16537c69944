package connectortest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
)

// source is a source of the numbers 1, 2, 3 in two splits, which breaks one rule.
type source struct {
	breaks  string
	bounded bool
	runs    *int
}

func (s source) Name() string {
	if s.breaks == "name" {
		return ""
	}
	return "numbers"
}

func (s source) Bounded() bool { return s.bounded }

func (s source) Splits(context.Context) ([]connector.Split[*int], error) {
	*s.runs++
	if s.breaks == "splits" {
		return nil, errors.New("no")
	}
	if !s.bounded {
		return []connector.Split[*int]{split{s, "all", []int{1, 2, 3}}}, nil
	}
	last := "b"
	switch s.breaks {
	case "split names":
		last = "a"
	case "stable names":
		last = fmt.Sprint("b", *s.runs)
	}
	return []connector.Split[*int]{split{s, "a", []int{1, 2}}, split{s, last, []int{3}}}, nil
}

type split struct {
	source
	name   string
	values []int
}

func (s split) Name() string { return s.name }

func (s split) Open(context.Context) (connector.Reader[*int], error) {
	if s.breaks == "goroutine" {
		go func() { select {} }()
	}
	return &reader{split: s}, nil
}

type reader struct {
	split
	next   int
	reused int
	dry    bool
}

func (r *reader) Read(ctx context.Context, b *connector.Batch[*int]) error {
	if r.breaks == "foreign" {
		b.Values = append(b.Values[:0], new(int))
		return nil
	}
	*b = connector.Batch[*int]{}
	if err := ctx.Err(); err != nil && r.breaks != "context" {
		return err
	}
	if r.next == len(r.values) {
		switch {
		case r.breaks == "end" && r.bounded:
			r.next = 0
			return io.EOF
		case r.breaks == "error":
			return errors.New("broken")
		case r.bounded:
			return io.EOF
		case !r.dry || r.breaks == "busy":
			r.dry, b.CaughtUp = true, true
			return nil
		case r.breaks == "deaf":
			return errors.New("not the context's error")
		}
		<-ctx.Done()
		return ctx.Err()
	}
	v := r.values[r.next]
	b.Values = []*int{&v}
	r.next++
	switch r.breaks {
	case "order":
		v = 4 - v
	case "reuse":
		r.reused = v
		b.Values[0] = &r.reused
	case "times":
		b.Times = []int64{1, 2}
	case "places":
		b.Places = []int64{1}
	case "malformed":
		b.Malformed = []connector.Malformed{{}}
	case "empty":
		b.Values = nil
	case "lost":
		b.Values, b.CaughtUp = nil, true
	case "random":
		if *r.runs%2 == 0 {
			v++
		}
	}
	return nil
}

func (r *reader) Close() error {
	if r.breaks == "close" {
		return errors.New("no")
	}
	return nil
}

// problems runs all checks of sources and gives what they report.
func problems(breaks string, bounded bool) string {
	runs := 0
	var all strings.Builder
	report := func(format string, args ...any) { fmt.Fprintf(&all, format+"\n", args...) }
	one, two, three := 1, 2, 3
	for _, c := range sourceChecks[*int]() {
		before := goroutines()
		c.run(func() connector.Source[*int] { return source{breaks, bounded, &runs} }, []*int{&one, &two, &three}, report)
		if breaks == "goroutine" {
			if n := goroutines(); n > before {
				report("%d goroutines are left", n-before)
			}
		}
	}
	return all.String()
}

func TestASourceThatKeepsTheContractPasses(t *testing.T) {
	for _, bounded := range []bool{true, false} {
		if got := problems("", bounded); got != "" {
			t.Errorf("bounded %v:\n%s", bounded, got)
		}
		ExerciseSource(t, func(*testing.T) connector.Source[*int] { return source{"", bounded, new(int)} }, []*int{new(1), new(2), new(3)})
	}
}

func TestASourceThatBreaksARuleFails(t *testing.T) {
	for _, c := range []struct {
		breaks, says string
		unbounded    bool
	}{
		{"name", `Name() = ""`, false},
		{"splits", "Splits: no", false},
		{"split names", "given twice", false},
		{"stable names", "differ from run to run", false},
		{"order", "record 0 is 3, want 1", false},
		{"lost", "want 3", false},
		{"random", "want 1", false},
		{"end", "want io.EOF again", false},
		{"error", "broken", false},
		{"error", "Read after the last record: broken", true},
		{"reuse", "memory that is used again", false},
		{"foreign", "wrote into slices", false},
		{"context", "cancelled context", false},
		{"times", "1 values and 2 times", false},
		{"places", `1 values and 1 places behind ""`, false},
		{"malformed", "malformed record has position", false},
		{"empty", "it must wait for a record", false},
		{"busy", "no news", true},
		{"deaf", "not the context's error", true},
		{"close", "Close", false},
		{"goroutine", "goroutines are left", false},
	} {
		if got := problems(c.breaks, !c.unbounded); !strings.Contains(got, c.says) {
			t.Errorf("%s: want a report with %q, got:\n%s", c.breaks, c.says, got)
		}
	}
}

// list is a sink that breaks one rule.
type list struct {
	breaks  string
	buffer  []*int
	visible []*int
	rows    []connector.Rows
}

func (l *list) Name() string {
	if l.breaks == "name" {
		return "two\nlines"
	}
	return "list"
}

func (l *list) Open(context.Context) (connector.Writer, error) {
	if l.breaks == "open" {
		return nil, errors.New("no")
	}
	if l.breaks == "header" {
		l.visible = append(l.visible, new(int))
	}
	return l, nil
}

func (l *list) Write(_ context.Context, rows connector.Rows) error {
	switch l.breaks {
	case "write":
		return errors.New("no")
	case "keep":
		l.rows = append(l.rows, rows)
		return nil
	}
	for i := range rows.Len() {
		v := rows.Value(i).(*int)
		if l.breaks == "order" {
			l.buffer = append([]*int{v}, l.buffer...)
			continue
		}
		l.buffer = append(l.buffer, v)
	}
	return nil
}

func (l *list) Flush(context.Context) error {
	for _, rows := range l.rows {
		l.visible = append(l.visible, rows.Values().([]*int)...)
	}
	l.rows = nil
	if l.breaks == "flush" {
		return nil
	}
	if l.breaks == "flush error" {
		return errors.New("no")
	}
	l.visible = append(l.visible, l.buffer...)
	if l.breaks != "twice" {
		l.buffer = nil
	}
	return nil
}

func (l *list) Close() error {
	switch l.breaks {
	case "close":
		return errors.New("no")
	case "garbage":
		l.visible = append(l.visible, new(9))
	}
	return nil
}

func TestASinkThatBreaksARuleFails(t *testing.T) {
	values := []*int{new(1), new(2), new(3)}
	problems := func(breaks string) string {
		var all strings.Builder
		report := func(format string, args ...any) { fmt.Fprintf(&all, format+"\n", args...) }
		for _, c := range sinkChecks[*int]() {
			l := &list{breaks: breaks}
			c.run(l, func() []*int { return l.visible }, values, report)
		}
		return all.String()
	}
	if got := problems(""); got != "" {
		t.Errorf("a sink that keeps the contract:\n%s", got)
	}
	for breaks, says := range map[string]string{
		"name": "Name()", "open": "Open: no", "write": "Write: no", "flush error": "Flush: no", "close": "Close: no",
		"keep": "want 1", "order": "record 0 is", "flush": "got 0 records, want", "twice": "records, want",
		"header": "none was written", "garbage": "record 0 is 9",
	} {
		if got := problems(breaks); !strings.Contains(got, says) {
			t.Errorf("%s: want a report with %q, got:\n%s", breaks, says, got)
		}
	}
	ExerciseSink(t, func(*testing.T) (connector.Sink, func() []*int) {
		l := &list{}
		return l, func() []*int { return l.visible }
	}, values)
}
