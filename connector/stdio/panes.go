package stdio

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/output"
	"github.com/strandline-stream/strandline/trigger"
)

// Panes prints each row on a line of the standard output with all that is known of it: event
// time, window, pane and value, in columns, for people who want to see what fires and when.
// Columns grow with what is in them. The value is printed as by [Lines].
func Panes() connector.Sink { return sink{"stdout", output.Stdout(), pane} }

// PanesTo is [Panes] to w, which it does not close.
func PanesTo(w io.Writer) connector.Sink { return sink{"panes", output.To(w), pane} }

// widths are those of the columns so far: time, window, pane.
type widths [3]int

func pane(out *bytes.Buffer, rows connector.Rows, i int, widths *widths) error {
	where := "no window"
	if w, ok := rows.Window(i); ok {
		where = w.String()
	}
	fired := "no pane"
	if p := rows.Pane(i); p != trigger.NoFiring {
		fired = p.String()
	}
	for column, text := range []string{etime.Format(rows.Time(i)), where, fired} {
		out.WriteString(text)
		n := utf8.RuneCountInString(text)
		widths[column] = max(widths[column], n)
		for range widths[column] - n + 2 {
			out.WriteByte(' ')
		}
	}
	return value(out, rows.Value(i))
}
