package lines

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/strandline-stream/strandline/connector/internal/files"
)

// Origin says where lines come from. It is an inert value.
type Origin struct {
	name  string
	path  string // of files
	each  bool   // each file is a split
	ends  bool
	input *Input // of everything else
}

// Files is the files that a path or glob names.
func Files(path string) Origin { return Origin{name: filepath.Base(path), path: path, ends: true} }

// Reader is whatever r gives, once. If r is an [io.Closer] it is closed with the input, which
// must end a Read that waits.
func Reader(name string, r io.Reader) Origin {
	var taken atomic.Bool
	return Origin{name: name, input: &Input{Name: name, open: func() (feed, error) {
		if taken.Swap(true) {
			return nil, errors.New(name + ": was read before, and cannot be read a second time")
		}
		return newPump(readCloser(files.Decompress(r, false), r)), nil
	}}}
}

// Stdin is the standard input of the process.
func Stdin() Origin { return Origin{name: "stdin", input: &Input{Name: "stdin", open: openStdin}} }

// Name is the short name.
func (o Origin) Name() string { return o.name }

// Bounded says whether the lines end by themselves.
func (o Origin) Bounded() bool { return o.ends }

// Ending says that the lines end by themselves.
func (o Origin) Ending() Origin {
	o.ends = true
	return o
}

// Each makes every file a split of its own (S3.2).
func (o Origin) Each() Origin {
	o.each = true
	return o
}

// Group is one split: inputs that are read one after another.
type Group struct {
	Name   string
	inputs []Input
}

// Input is one sequence of lines with its own line numbers.
type Input struct {
	Name string
	open func() (feed, error)
}

// Groups gives the splits.
func (o Origin) Groups() ([]Group, error) {
	if o.input != nil {
		if o.each {
			return nil, errors.New(o.name + ": is no set of files, and cannot be split by file")
		}
		return []Group{{Name: o.name, inputs: []Input{*o.input}}}, nil
	}
	paths, err := files.Find(o.path)
	if err != nil {
		return nil, err
	}
	all := Group{Name: o.path}
	var each []Group
	for _, path := range paths {
		input := Input{Name: path, open: func() (feed, error) {
			f, err := files.Open(path)
			if err != nil {
				return nil, err
			}
			if f.Live {
				return newPump(f), nil
			}
			return direct{f}, nil
		}}
		all.inputs = append(all.inputs, input)
		each = append(each, Group{Name: path, inputs: []Input{input}})
	}
	if o.each {
		return each, nil
	}
	return []Group{all}, nil
}

// readCloser reads from one and closes the other, if that can be closed.
func readCloser(r io.Reader, in io.Reader) io.ReadCloser {
	c, ok := in.(io.Closer)
	if !ok {
		return io.NopCloser(r)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, c}
}

// openStdin opens the standard input so that, where the system allows it, a Read that waits
// can be interrupted.
func openStdin() (feed, error) {
	in := os.Stdin
	plain := files.Decompress(in, false)
	info, err := in.Stat()
	if err == nil && info.Mode().IsRegular() {
		return direct{io.NopCloser(plain)}, nil
	}
	if in.SetReadDeadline(time.Time{}) == nil {
		return newPump(struct {
			io.Reader
			io.Closer
		}{plain, interrupter{in}}), nil
	}
	// The runtime leaves the descriptor 0 that it inherits blocking, since others share it.
	// Opened anew a pipe or terminal is this process's own.
	if err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeCharDevice) != 0 && in.Name() == "/dev/stdin" {
		if own, err := os.OpenFile(in.Name(), os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			if own.SetReadDeadline(time.Time{}) == nil {
				return newPump(readCloser(files.Decompress(own, false), own)), nil
			}
			own.Close()
		}
	}
	return newPump(io.NopCloser(plain)), nil
}

// interrupter ends a Read that waits, and leaves the file open for the process.
type interrupter struct{ file *os.File }

func (i interrupter) Close() error { return i.file.SetReadDeadline(time.Unix(1, 0)) }
