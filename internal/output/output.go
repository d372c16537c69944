// Package output is where the writing connectors write to: a file or the standard output,
// buffered, with a reader that has gone away told apart from other errors.
//
// Layer: below the connectors that write. It knows nothing of rows, and starts no goroutine
// of its own.
package output

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"github.com/strandline-stream/strandline/connector"
)

// Opener opens an output: [File], [Stdout] or [To] make them.
type Opener func() (*Output, error)

// bufferSize is how many bytes are gathered before they are written.
const bufferSize = 64 << 10

// Output gathers bytes and writes them on. It is used by one goroutine at a time.
type Output struct {
	// Buffer takes what is to be written; then [Output.Spill] is called, at the end of a line.
	Buffer bytes.Buffer

	name   string
	out    io.Writer
	zip    compressor // nil if it is not compressed
	closer func() error
	finish func() error // nil if it is as good as closer
}

// compressor compresses what is written to it.
type compressor interface {
	io.WriteCloser
	// Flush makes all that was written readable.
	Flush() error
}

// compress gives what compresses files of that name, or nil.
func compress(path string, w io.Writer) (compressor, error) {
	switch path = strings.ToLower(path); {
	case strings.HasSuffix(path, ".gz"):
		return gzip.NewWriter(w), nil
	case strings.HasSuffix(path, ".zst"), strings.HasSuffix(path, ".zstd"):
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // and so without goroutines
	}
	return nil, nil
}

// File creates a file, or empties the one that is there, as a shell's > does. One named .gz
// is compressed as gzip, one named .zst or .zstd as zstd.
func File(path string) Opener {
	return func() (*Output, error) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			return nil, uncreatable(path, err)
		}
		o := &Output{name: path, out: f, closer: f.Close}
		if o.zip, err = compress(path, f); err != nil {
			f.Close()
			return nil, fmt.Errorf("cannot compress %s: %w", path, err)
		}
		if o.zip != nil {
			o.out = o.zip
			// A file without its end is damaged, so it is written even after a run that failed.
			o.closer = func() error { return errors.Join(o.zip.Close(), f.Close()) }
		}
		return o, nil
	}
}

func uncreatable(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot create %s: there is no directory %s: %w", path, filepath.Dir(path), err)
	}
	return fmt.Errorf("cannot create %s: %w", path, err)
}

// Stdout is the standard output of the process. While it is open a write to a closed pipe is
// an error, and does not end the process by a signal as it otherwise would.
func Stdout() Opener {
	return func() (*Output, error) {
		broken := make(chan os.Signal, 1)
		signal.Notify(broken, syscall.SIGPIPE)
		return &Output{name: "stdout", out: os.Stdout, closer: func() error {
			signal.Stop(broken)
			return nil
		}}, nil
	}
}

// To is a writer that somebody else owns and closes.
func To(w io.Writer) Opener {
	return func() (*Output, error) {
		return &Output{name: "output", out: w, closer: func() error { return nil }}, nil
	}
}

// Spill writes what has gathered, once it is enough to be worth it.
func (o *Output) Spill() error {
	if o.Buffer.Len() < bufferSize {
		return nil
	}
	return o.write()
}

// Flush writes everything.
func (o *Output) Flush() error {
	if err := o.write(); err != nil {
		return err
	}
	if o.zip != nil {
		return o.explain(o.zip.Flush())
	}
	return nil
}

func (o *Output) write() error {
	if o.Buffer.Len() == 0 {
		return nil
	}
	_, err := o.out.Write(o.Buffer.Bytes())
	o.Buffer.Reset()
	return o.explain(err)
}

func (o *Output) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.ErrClosedPipe):
		return fmt.Errorf("%s: %w", o.name, connector.ErrReaderGone)
	}
	return fmt.Errorf("%s: %w", o.name, err)
}

// Close releases everything, without writing what has gathered. A second Close does nothing.
func (o *Output) Close() error {
	if o.closer == nil {
		return nil
	}
	err := o.closer()
	o.closer = nil
	o.Buffer.Reset()
	return o.explain(err)
}
