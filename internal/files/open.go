package files

import (
	"io"
	"os"
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

// Open opens a file for reading. It is decompressed, within limits, if it begins like
// compressed data or has a name such as .gz.
func Open(path string, limits Limits) (*File, error) {
	f, info, err := OpenPlain(path)
	if err != nil {
		return nil, err
	}
	return &File{
		Reader: decompress(f, named(path), limits),
		file:   f,
		Live:   !info.Mode().IsRegular(),
	}, nil
}

// OpenPlain opens a file for reading as it is.
func OpenPlain(path string) (*os.File, os.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, explain(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		f.Close()
		return nil, nil, explain(path, err)
	}
	return f, info, nil
}
