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

	"github.com/klauspost/compress/zstd"

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
	for name, open := range map[string]func(io.Reader) (io.Reader, error){
		"out.gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"OUT.ZST": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
		"o.zstd":  func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
	} {
		path := filepath.Join(t.TempDir(), name)
		o, err := File(path)()
		if err != nil {
			t.Fatal(err)
		}
		text := func() (string, error) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			z, err := open(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			// A small buffer, since an error may hide what came before it in a great one.
			var got []byte
			for one := make([]byte, 1); err == nil; {
				var n int
				n, err = z.Read(one)
				got = append(got, one[:n]...)
			}
			if err == io.EOF {
				err = nil
			}
			return string(got), err
		}
		o.Buffer.WriteString("one\n")
		if err := o.Flush(); err != nil {
			t.Fatal(err)
		}
		if got, err := text(); got != "one\n" || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s after Flush: %q, %v", name, got, err)
		}
		o.Buffer.WriteString("not flushed\n")
		if err := o.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := text(); got != "one\n" || err != nil {
			t.Errorf("%s after Close: %q, %v", name, got, err)
		}
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
