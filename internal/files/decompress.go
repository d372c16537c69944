package files

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// format is a way to compress.
type format struct {
	name   string
	suffix []string // of names of files
	magic  []string // the ways to begin
	open   func(io.Reader) (io.Reader, error)
}

var formats = []*format{
	{
		name: "gzip", suffix: []string{".gz"}, magic: []string{"\x1f\x8b"},
		open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	},
	{
		name: "zstd", suffix: []string{".zst", ".zstd"}, magic: zstdMagic(), open: openZstd,
	},
}

// zstdMagic is how data and frames to be skipped begin (RFC 8878, 3.1).
func zstdMagic() []string {
	magic := []string{"\x28\xb5\x2f\xfd"}
	for i := range 16 {
		magic = append(magic, string(byte(0x50+i))+"\x2a\x4d\x18")
	}
	return magic
}

// maxWindow is how far back zstd data may reach, in bytes, which is the memory that it takes:
// as much as the zstd command allows by itself.
const maxWindow = 128 << 20

// openZstd decompresses in the caller's goroutine.
func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxWindow))
}

// named gives the format that a file's name promises, or nil.
func named(path string) *format {
	for _, f := range formats {
		for _, s := range f.suffix {
			if strings.HasSuffix(strings.ToLower(path), s) {
				return f
			}
		}
	}
	return nil
}

// Compressed says whether a file's name promises compressed data.
func Compressed(path string) bool { return named(path) != nil }

// Decompress gives the bytes of r, decompressed within limits if they begin like gzip or
// zstd; several gzip members or zstd frames in a row are one stream. It reads nothing before
// its first Read.
func Decompress(r io.Reader, limits Limits) io.Reader { return decompress(r, nil, limits) }

// decompress is [Decompress]. If promised is not nil r must be compressed, or empty.
func decompress(r io.Reader, promised *format, limits Limits) io.Reader {
	return &decompressor{in: counter{in: r, all: limits.Read}, promised: promised, limits: limits}
}

type decompressor struct {
	in       counter
	promised *format
	limits   Limits
	out      io.Reader // nil until the first bytes were seen
	format   *format   // nil if the bytes are plain
	given    int64
	failed   error // a limit was passed
}

func (d *decompressor) Read(p []byte) (int, error) {
	if d.out == nil {
		if err := d.sniff(); err != nil {
			return 0, err
		}
	}
	if d.format == nil {
		return d.out.Read(p)
	}
	if d.failed != nil {
		return 0, d.failed
	}
	if most := d.limits.Size; most > 0 {
		p = p[:min(int64(len(p)), most+1-d.given)] // a byte too many shows that there is more
	}
	n, err := d.out.Read(p)
	d.given += int64(n)
	if d.failed = d.limits.check(d.given, d.in.n); d.failed != nil {
		// What is within the limits is given before the error.
		if d.limits.Size > 0 && d.given > d.limits.Size {
			n--
		}
		return n, nil
	}
	if err != nil && err != io.EOF {
		err = d.format.damaged(err)
	}
	return n, err
}

// sniff looks at the first bytes. It looks at no more than can tell: a line of one byte from
// a pipe is plain without waiting for more.
func (d *decompressor) sniff() error {
	// The size is below the reads of callers, so that plain bytes are not copied twice.
	in := bufio.NewReaderSize(&d.in, 32<<10)
	var head []byte
	for candidates := formats; ; {
		var err error
		if head, err = in.Peek(len(head) + 1); err != nil && err != io.EOF {
			return err
		}
		if candidates = slices.DeleteFunc(slices.Clone(candidates), func(f *format) bool { return !f.mayBegin(head) }); len(candidates) == 0 || err != nil {
			break
		}
		if f := candidates[0]; slices.Contains(f.magic, string(head)) {
			d.format = f
			break
		}
	}
	if d.format == nil {
		if f := d.promised; f != nil && len(head) > 0 {
			return fmt.Errorf("named %s, but the content is not %s: rename it if it is plain text", f.suffix[0], f.name)
		}
		d.out = in
		return nil
	}
	out, err := d.format.open(in)
	if err != nil {
		return d.format.damaged(err)
	}
	d.out = out
	return nil
}

// mayBegin says whether data of the format can begin so.
func (f *format) mayBegin(head []byte) bool {
	return slices.ContainsFunc(f.magic, func(m string) bool { return bytes.HasPrefix([]byte(m), head) })
}

func (f *format) damaged(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("the %s data is cut off: %w", f.name, io.ErrUnexpectedEOF)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("the zstd data reaches back further than %d MiB: compress it without --long or --ultra: %w", maxWindow>>20, ErrExpands)
	}
	return fmt.Errorf("the %s data is damaged: %w", f.name, err)
}

// counter counts the bytes read.
type counter struct {
	in  io.Reader
	n   int64
	all *atomic.Int64 // if not nil, of all inputs
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	if c.all != nil {
		c.all.Add(int64(n))
	}
	return n, err
}
