package output

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/strandline-stream/strandline/connector"
)

func TestBytesAreWrittenInBulk(t *testing.T) {
	var out counter
	o, err := To(&out)()
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		o.Buffer.WriteString(strings.Repeat("x", 99) + "\n")
		if err := o.Spill(); err != nil {
			t.Fatal(err)
		}
	}
	// 100,000 bytes: one write after 656 lines, which are the first to reach 64 KiB.
	if out.writes != 1 || out.bytes != 65_600 {
		t.Errorf("%d writes of %d bytes before Flush, want 1 of 65600", out.writes, out.bytes)
	}
	if err := o.Flush(); err != nil || out.bytes != 100_000 {
		t.Errorf("%d bytes after Flush, %v", out.bytes, err)
	}
	if err := errors.Join(o.Flush(), o.Close(), o.Close()); err != nil || out.writes != 2 {
		t.Errorf("%d writes, %v; want 2: the rest has nothing to do", out.writes, err)
	}
}

type counter struct{ writes, bytes int }

func (c *counter) Write(p []byte) (int, error) {
	c.writes++
	c.bytes += len(p)
	return len(p), nil
}

func TestACompressedFileIsReadableAfterFlushAndWholeAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.gz")
	o, err := File(path)()
	if err != nil {
		t.Fatal(err)
	}
	text := func() (string, error) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(z)
		return string(out), err
	}
	o.Buffer.WriteString("one\n")
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, err := text(); got != "one\n" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("after Flush: %q, %v", got, err)
	}
	o.Buffer.WriteString("not flushed\n")
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := text(); got != "one\n" || err != nil {
		t.Errorf("after Close: %q, %v", got, err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

func TestOnlyAClosedOtherEndIsAReaderThatHasGoneAway(t *testing.T) {
	for err, gone := range map[error]bool{
		&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}: true,
		syscall.ECONNRESET: true, io.ErrClosedPipe: true, syscall.ENOSPC: false, io.ErrShortWrite: false,
	} {
		o, _ := To(failing{err})()
		o.Buffer.WriteString("x")
		if got := o.Flush(); got == nil || errors.Is(got, connector.ErrReaderGone) != gone || !gone && !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}
