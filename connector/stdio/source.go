package stdio

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/lines"
)

// Source is a [connector.Source] of lines of text: their bytes without the line's end (LF or
// CR LF), whatever they are; an empty line is an empty string. A line above the limit is
// malformed. Text has no event time of its own. Its methods give changed copies.
type Source struct {
	origin  lines.Origin
	maxLine int
}

// Stdin reads the standard input of the process, decompressed if it is gzip or zstd. It is
// unbounded: see [Source.Ends].
func Stdin() Source { return Source{lines.Stdin(), lines.MaxDefault} }

// Text reads a file, or the files that a glob such as "logs/*.txt" matches, in the order of
// their names as bytes, decompressed if they are gzip or zstd. They are one split (S3.2).
func Text(path string) Source { return Source{lines.Files(path), lines.MaxDefault} }

// SplitPerFile makes each file a split with a watermark of its own (S3.2). By default all
// files are one split.
func (s Source) SplitPerFile() Source {
	s.origin = s.origin.Each()
	return s
}

// Ends says that the standard input ends by itself, so that it may be read as batch. By
// default it does not.
func (s Source) Ends() Source {
	s.origin = s.origin.Ending()
	return s
}

// MaxLine makes lines of more bytes malformed. Defaults to 16 MiB.
func (s Source) MaxLine(bytes int) Source {
	s.maxLine = bytes
	return s
}

// Name is "stdin", or the file's name without its directory.
func (s Source) Name() string { return s.origin.Name() }

// Bounded says whether the source ends by itself.
func (s Source) Bounded() bool { return s.origin.Bounded() }

// Splits finds the files.
func (s Source) Splits(context.Context) ([]connector.Split[string], error) {
	if s.maxLine < 1 {
		return nil, fmt.Errorf("stdio: MaxLine(%d): a line has a byte at least", s.maxLine)
	}
	if err := s.origin.Check(); err != nil {
		return nil, fmt.Errorf("stdio: %w", err)
	}
	groups, err := s.origin.Groups()
	if err != nil {
		return nil, fmt.Errorf("stdio: %w", err)
	}
	splits := make([]connector.Split[string], len(groups))
	for i, group := range groups {
		splits[i] = &lines.Split[string]{
			Group:   group,
			Max:     s.maxLine,
			Decoder: func() lines.Decoder[string] { return text{} },
		}
	}
	return splits, nil
}

// text is the decoder of lines that are records as they are.
type text struct{}

func (text) Decode(line []byte, v *string) (int64, error) {
	*v = string(line)
	return 0, nil
}

func (text) Judge(bool) (settled bool, err error) { return true, nil }
