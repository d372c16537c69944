package rowio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
)

// Config says what rows to read, and from where.
type Config struct {
	// Format is "json" (a JSON object a line), "jsonarray" (a file is one JSON array of
	// objects), "csv", "text" (rows of one field, line) or "parquet".
	Format string
	// Paths are files and globs, each file is read once; gzip and zstd are known by their
	// content. "-" alone is the standard input, which cannot be Parquet.
	Paths []string
	// Stdin is read for "-". Defaults to the standard input of the process.
	Stdin io.Reader
	// Follow reads on as the files grow, or the standard input lasts: the source is unbounded,
	// and each file a split. See Tail of package connector/jsonl for what rotation it bears.
	Follow bool
	// Poll is the time between two looks at a file that is followed. Defaults to 100 ms.
	Poll time.Duration
	// SplitPerFile makes each file a split with a watermark of its own (S3.2). By default all
	// are one.
	SplitPerFile bool

	// Schema declares fields; others are passed over. A value that is missing or null then
	// makes a record malformed unless its type is nullable. By default fields and types are
	// inferred from the beginning of the input; then any value may be null. Parquet files have
	// theirs in themselves: several files' are united, where a field of the one may be missing
	// in the other, and integers of the one be numbers in the other.
	Schema record.Schema
	// Time says which field is the event time. By default there is none.
	Time *TimeField

	// Columns names the columns of CSV, in the order of the file. By default the header does.
	Columns []string
	// Header says whether CSV files begin with one. With Columns it is passed over, and
	// defaults to false; otherwise it defaults to true.
	Header *bool
	// Delimiter is between the fields of CSV. Defaults to ','.
	Delimiter rune
	// Comment begins lines of CSV that are no records. By default there are none.
	Comment rune

	// Parallel is how many goroutines decode; the rows and their order are the same. Defaults
	// to 1: whoever reads decodes. Parquet is decoded by one goroutine at most beside the one that
	// reads.
	Parallel int
	// MaxLine is how long a record may be, in bytes. Defaults to 16 MiB, for CSV to 1 MiB.
	MaxLine int
}

// TimeField is a field that holds the event time.
type TimeField struct {
	// Field is a name; in JSON a dot steps into an object. Rows hold it as it is written, of its
	// own type: the event time goes with the batch.
	Field string
	// Layout is how the time is written. A timestamp of Parquet needs none.
	Layout timestamp.Layout
	// AcceptUnlikely keeps the run going if the first times look like another unit (S1.5).
	AcceptUnlikely bool
}

// Formats are the names of the formats.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

const (
	hardParallel  = 1024
	maxCSVDefault = 1 << 20
)

// settle fills in the defaults, and gives all that is wrong.
func (c *Config) settle() (*format, error) {
	var problems []error
	i := slices.IndexFunc(formats, func(f *format) bool { return f.name == c.Format })
	if i < 0 {
		return nil, fmt.Errorf("there is no format %q, but %s", c.Format, strings.Join(Formats(), ", "))
	}
	format := formats[i]
	c.Parallel = cmp.Or(c.Parallel, 1)
	c.MaxLine = cmp.Or(c.MaxLine, format.maxLine)
	if len(c.Paths) == 0 {
		problems = append(problems, errors.New(`no path: name files, globs such as "data/*.json", or "-" for the standard input`))
	}
	if slices.Contains(c.Paths, "-") && len(c.Paths) > 1 {
		problems = append(problems, errors.New(`"-" is the standard input, and cannot be read along with files`))
	}
	if c.MaxLine < 1 {
		problems = append(problems, fmt.Errorf("the longest line has %d bytes: it has one at least", c.MaxLine))
	}
	if c.Parallel < 1 || c.Parallel > hardParallel {
		problems = append(problems, fmt.Errorf("%d goroutines that decode: from 1 to %d", c.Parallel, hardParallel))
	}
	if c.Time != nil {
		if c.Time.Field == "" {
			problems = append(problems, errors.New("the event time needs the name of a field"))
		}
		if err := c.Time.Layout.Check(); err != nil {
			problems = append(problems, fmt.Errorf("event time %q: %w", c.Time.Field, err))
		}
	}
	for i, f := range c.Schema {
		if c.Schema.Index(f.Name) < i {
			problems = append(problems, fmt.Errorf("the schema has two fields %q", f.Name))
		}
	}
	if !format.delimited && (c.Columns != nil || c.Header != nil || c.Delimiter != 0 || c.Comment != 0) {
		problems = append(problems, fmt.Errorf("columns, header, delimiter and comment are options of csv, and the format is %s", c.Format))
	}
	return format, errors.Join(problems...)
}

// origin says where the lines come from.
func (c *Config) origin() lines.Origin {
	var o lines.Origin
	switch {
	case c.Paths[0] == "-" && c.Stdin != nil && c.Stdin != io.Reader(os.Stdin):
		o = lines.Reader("stdin", c.Stdin)
	case c.Paths[0] == "-":
		o = lines.Stdin()
	case c.Follow:
		o = lines.Tail(c.Paths[0], c.Paths[1:]...)
		if c.Poll != 0 {
			o = o.Polling(c.Poll)
		}
		return o
	default:
		o = lines.Files(c.Paths[0], c.Paths[1:]...)
		if c.SplitPerFile {
			o = o.Each()
		}
	}
	if !c.Follow {
		o = o.Ending()
	}
	return o
}
