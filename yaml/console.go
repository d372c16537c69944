package yaml

import (
	"bytes"

	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
)

// console is standard output, shared by steps: what the first writes appears as it comes, and
// what the others write when the run is over, in the order of the text. In a run that does not
// end everything appears as it comes.
type console struct {
	mu    sync.Mutex
	w     io.Writer
	live  bool
	parts []*part
}

func newConsole(w io.Writer, live bool) *console { return &console{w: w, live: live} }

// part is what one step writes.
type part struct {
	c     *console
	first bool
	kept  bytes.Buffer
	file  *os.File // takes the place of kept when that grows
}

const keptInMemory = 4 << 20

func (c *console) part() *part {
	p := &part{c: c, first: c.live || len(c.parts) == 0}
	c.parts = append(c.parts, p)
	return p
}

// Write implements [io.Writer].
func (p *part) Write(b []byte) (int, error) {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	switch {
	case p.first:
		n, err := p.c.w.Write(b)
		if errors.Is(err, syscall.EPIPE) {
			err = fmt.Errorf("standard output: %w", connector.ErrReaderGone)
		}
		return n, err
	case p.file != nil:
		return p.file.Write(b)
	case p.kept.Len()+len(b) > keptInMemory:
		f, err := os.CreateTemp("", "strandline-*")
		if err != nil {
			return 0, err
		}
		os.Remove(f.Name()) // it lives as long as it is open
		p.file = f
		if _, err := f.Write(p.kept.Bytes()); err != nil {
			return 0, err
		}
		p.kept = bytes.Buffer{}
		return f.Write(b)
	}
	return p.kept.Write(b)
}

// flush writes what was kept, part by part.
func (c *console) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.parts {
		if p.first {
			continue
		}
		if p.file != nil {
			if _, err := p.file.Seek(0, io.SeekStart); err != nil {
				return err
			}
			_, err := io.Copy(c.w, p.file)
			p.file.Close()
			p.file = nil
			if err != nil {
				return err
			}
		}
		if _, err := c.w.Write(p.kept.Bytes()); err != nil {
			return err
		}
		p.kept.Reset()
	}
	return nil
}

// watching hands rows to a function. It is a [connector.Sink].
type watching struct {
	step  string
	names []string
	row   func(Row) error
	flush func() error // when the input pauses, and at the end; may be nil
}

func (w watching) Name() string                                   { return w.step + " rows" }
func (w watching) Open(context.Context) (connector.Writer, error) { return w, nil }

func (w watching) Write(_ context.Context, all connector.Rows) error {
	for i, r := range all.Values().([]record.Row) {
		win, ok := all.Window(i)
		if err := w.row(Row{w.step, w.names, r, all.Time(i), win, ok, all.Pane(i)}); err != nil {
			return err
		}
	}
	return nil
}

func (w watching) Flush(context.Context) error {
	if w.flush != nil {
		return w.flush()
	}
	return nil
}

func (w watching) Close() error { return nil }

// finish adds what nobody consumes, and what is looked at.
func (b *builder) finish() {
	var printed []ref
	for _, s := range b.inOrder {
		for _, output := range s.outputs() {
			r := ref{step: s, output: output}
			if _, there := b.outs[r]; !there {
				continue
			}
			if f := b.watches[r]; f != nil {
				b.outs[r].c.WriteTo(watching{s.id, b.outs[r].schema.Names(), func(row Row) error { f(row); return nil }, nil})
			}
			t := b.tried
			switch {
			case !b.printed(s, output):
			case t != nil && t.result != nil:
				t.result(name(r), r, s, b.outs[r])
			default:
				printed = append(printed, r)
			}
		}
	}
	if b.wantsLate() {
		for _, s := range b.steps {
			if out, there := b.outs[ref{step: s, output: "late"}]; there && s.def.windowed {
				b.tried.late(s, out)
			}
		}
	}
	if t := b.tried; t != nil && t.inner != nil {
		for _, s := range b.steps {
			for _, output := range s.outputs() {
				if out, there := b.outs[ref{step: s, output: output}]; there && output != "late" && !(s.def.reads && output != "") {
					r := ref{step: s, output: output}
					t.inner(name(r), r, s, out)
				}
			}
		}
	}
	for _, r := range printed {
		title := ""
		if len(printed) > 1 {
			title = name(r)
		}
		names := b.outs[r].schema.Names()
		w := watching{step: r.step.id, names: names}
		if out := b.console.part(); b.options.Table {
			t := &table{w: out, title: title, names: names}
			w.row, w.flush = t.row, t.flush
		} else {
			l := &jsonLines{w: out, step: title}
			w.row, w.flush = l.row, l.flush
		}
		row, flush := w.row, w.flush
		o := &ordered{row: func(r Row) error {
			if !b.limit.take() {
				return nil
			}
			return row(r)
		}}
		w.row, w.flush = o.add, func() error { return errors.Join(o.give(), flush()) }
		b.printers = append(b.printers, w.flush)
		b.outs[r].c.WriteTo(w)
	}
}

// ordered gives the rows of a window in the order of their values, since the order of keys
// differs from run to run. Rows in no window keep their order.
type ordered struct {
	row     func(Row) error
	waiting []Row
}

const orderedRows = 100_000 // of a window; what comes beyond that is ordered apart

func (o *ordered) add(r Row) error {
	if n := len(o.waiting); n > 0 && (o.waiting[0].Window != r.Window || n >= orderedRows) {
		if err := o.give(); err != nil {
			return err
		}
	}
	if !r.Windowed() {
		return o.row(r)
	}
	o.waiting = append(o.waiting, r)
	return nil
}

func (o *ordered) give() error {
	slices.SortStableFunc(o.waiting, func(a, b Row) int {
		for i := range a.Values {
			if c := record.Compare(a.Values[i], b.Values[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	rows := o.waiting
	o.waiting = o.waiting[:0]
	for _, r := range rows {
		if err := o.row(r); err != nil {
			return err
		}
	}
	return nil
}

// jsonLines prints rows for programs: an object a line. Rows in windows begin with
// window_start and window_end and end with pane; where several steps print, step comes first.
type jsonLines struct {
	w    io.Writer
	step string
	buf  []byte
}

func (l *jsonLines) row(r Row) error {
	l.buf = append(r.appendJSON(l.buf, l.step), '\n')
	if len(l.buf) > 32<<10 {
		return l.flush()
	}
	return nil
}

func (l *jsonLines) flush() error {
	_, err := l.w.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

// appendJSON appends the row as an object, with its window and pane if it has one.
func (r Row) appendJSON(dst []byte, step string) []byte {
	dst = append(dst, '{')
	field := func(name string, v record.Value) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(record.AppendQuoted(dst, name), ':')
		dst = v.AppendJSON(dst)
	}
	if step != "" {
		field("step", record.OfString(step))
	}
	about := func(name string, v record.Value) { // unless the row has it already
		if r.fired() && !slices.Contains(r.Names, name) {
			field(name, v)
		}
	}
	about("window_start", record.OfTime(etime.Micros(r.Window.Start())))
	about("window_end", record.OfTime(etime.Micros(r.Window.End())))
	for i, name := range r.Names {
		field(name, r.Values[i])
	}
	about("pane", record.OfString(timing(r.Pane)))
	return append(dst, '}')
}

// table prints rows for people. The columns are as wide as the rows need that come before the
// input pauses, at most a hundred.
type table struct {
	w        io.Writer
	title    string
	names    []string
	windowed bool
	waiting  [][]string
	numbers  []bool
	widths   []int
	begun    bool
}

const (
	tableRows = 100
	cellWidth = 40
)

func (t *table) row(r Row) error {
	if !t.begun && len(t.waiting) == 0 {
		t.windowed = r.fired()
	}
	var cells []string
	if t.windowed {
		cells = append(cells, windowCell(r))
	}
	for _, v := range r.Values {
		cells = append(cells, cell(v))
	}
	if t.windowed {
		cells = append(cells, timing(r.Pane))
	}
	if t.numbers == nil {
		t.numbers = make([]bool, len(cells))
		for i, v := range r.Values {
			_, t.numbers[i+len(cells)-len(r.Values)-btoi(t.windowed)] = v.Number()
		}
	}
	t.waiting = append(t.waiting, cells)
	if len(t.waiting) >= tableRows {
		return t.flush()
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *table) flush() error {
	if len(t.waiting) == 0 {
		return nil
	}
	var b strings.Builder
	if !t.begun {
		t.begun = true
		head := t.names
		if t.windowed {
			head = append(append([]string{"window"}, head...), "pane")
		}
		t.widths = make([]int, len(head))
		for i, h := range head {
			t.widths[i] = utf8.RuneCountInString(h)
		}
		for _, cells := range t.waiting {
			for i, c := range cells {
				t.widths[i] = min(max(t.widths[i], utf8.RuneCountInString(c)), max(cellWidth, t.widths[i]))
			}
		}
		if t.title != "" {
			fmt.Fprintf(&b, "%s\n", t.title)
		}
		t.line(&b, head)
		rule := make([]string, len(head))
		for i, w := range t.widths {
			rule[i] = strings.Repeat("-", w)
		}
		t.line(&b, rule)
	}
	for _, cells := range t.waiting {
		t.line(&b, cells)
	}
	t.waiting = t.waiting[:0]
	_, err := io.WriteString(t.w, b.String())
	return err
}

func (t *table) line(b *strings.Builder, cells []string) {
	var line strings.Builder
	for i, c := range cells {
		if i > 0 {
			line.WriteString("  ")
		}
		pad := strings.Repeat(" ", max(t.widths[i]-utf8.RuneCountInString(c), 0))
		if t.numbers[i] {
			line.WriteString(pad + c)
		} else {
			line.WriteString(c + pad)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func cell(v record.Value) string {
	switch v.Kind() {
	case record.Null:
		return ""
	case record.String:
		return strings.Map(func(r rune) rune {
			if r < ' ' {
				return ' '
			}
			return r
		}, v.Str())
	case record.Time:
		return clock(etime.Time(v.Time()))
	}
	return v.String()
}

// windowCell writes a window as short as it can be understood.
func windowCell(r Row) string {
	if !r.Windowed() {
		return "all of time"
	}
	a, b := r.Window.Start(), r.Window.End()
	if a.Format(time.DateOnly) == b.Format(time.DateOnly) {
		return clock(a) + " to " + strings.TrimPrefix(clock(b), b.Format(time.DateOnly)+" ")
	}
	return clock(a) + " to " + clock(b)
}

// clock writes an instant in UTC, without what is zero at its end.
func clock(t time.Time) string {
	if t.Truncate(24 * time.Hour).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04:05.999999")
}
