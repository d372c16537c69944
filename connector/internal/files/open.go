package files

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// File is an open file, read as plain bytes.
type File struct {
	io.Reader
	file *os.File
	// Live says that reading may have to wait for somebody else to write: a named pipe, a
	// terminal. Close, from another goroutine, ends a Read that waits.
	Live bool
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Open opens a file for reading. It is decompressed if it begins like gzip or is named .gz.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, explain(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		f.Close()
		return nil, explain(path, err)
	}
	return &File{
		Reader: Decompress(f, strings.HasSuffix(strings.ToLower(path), ".gz")),
		file:   f,
		Live:   !info.Mode().IsRegular(),
	}, nil
}

// Decompress gives the bytes of r, decompressed if they begin like gzip; several gzip
// members in a row are one stream. If compressed is set they must, or be none at all. It
// reads nothing before its first Read.
func Decompress(r io.Reader, compressed bool) io.Reader {
	return &decompressor{in: r, must: compressed}
}

type decompressor struct {
	in   io.Reader
	must bool
	out  io.Reader // nil until the first bytes were seen
	gzip bool
}

func (d *decompressor) Read(p []byte) (int, error) {
	if d.out == nil {
		if err := d.sniff(); err != nil {
			return 0, err
		}
	}
	n, err := d.out.Read(p)
	if d.gzip && err != nil && err != io.EOF {
		err = damaged(err)
	}
	return n, err
}

func (d *decompressor) sniff() error {
	const magic = "\x1f\x8b"
	// The size is below the reads of callers, so that plain bytes are not copied twice.
	in := bufio.NewReaderSize(d.in, 32<<10)
	head, err := in.Peek(len(magic))
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case string(head) == magic:
		z, err := gzip.NewReader(in)
		if err != nil {
			return damaged(err)
		}
		d.out, d.gzip = z, true
	case d.must && len(head) > 0:
		return errors.New("named .gz, but the content is not gzip: rename it if it is plain text")
	default:
		d.out = in
	}
	return nil
}

func damaged(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the gzip data is cut off: %w", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the gzip data is damaged: %w", err)
}
