package lines

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/strandline-stream/strandline/internal/files"
)

// Origin says where lines come from. It is an inert value.
type Origin struct {
	name   string
	path   string // of files
	each   bool   // each file is a split
	ends   bool
	live   bool          // it cannot end: a file that is followed
	poll   time.Duration // between two looks at it
	limits files.Limits
	open   func(files.Limits) (feed, error) // of what is no file
}

// Files is the files that a path or glob names.
func Files(path string) Origin {
	return Origin{name: filepath.Base(path), path: path, ends: true, limits: files.Default}
}

// Tail is a file that is followed as it grows.
func Tail(path string) Origin {
	return Origin{name: filepath.Base(path), path: path, live: true, poll: DefaultPoll}
}

// Reader is whatever r gives, once. If r is an [io.Closer] it is closed with the input, which
// must end a Read that waits.
func Reader(name string, r io.Reader) Origin {
	var taken atomic.Bool
	return Origin{name: name, limits: files.Default, open: func(limits files.Limits) (feed, error) {
		if taken.Swap(true) {
			return nil, errors.New(name + ": was read before, and cannot be read a second time")
		}
		return newPump(readCloser(files.Decompress(r, limits), r)), nil
	}}
}

// Stdin is the standard input of the process.
func Stdin() Origin { return Origin{name: "stdin", limits: files.Default, open: openStdin} }

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

// Limiting bounds what compressed input may become.
func (o Origin) Limiting(change func(*files.Limits)) Origin {
	change(&o.limits)
	return o
}

// Polling sets the time between two looks at a file that is followed.
func (o Origin) Polling(every time.Duration) Origin {
	o.poll = every
	return o
}

// Check gives all that is wrong with what was asked for, without looking at files.
func (o Origin) Check() error {
	problems := []error{o.limits.Check()}
	if o.each && (o.open != nil || o.live) {
		problems = append(problems, errors.New(o.name+": is no set of files, and cannot be split by file"))
	}
	switch {
	case o.live && o.ends:
		problems = append(problems, errors.New(o.name+": a file that is followed does not end: use File"))
	case o.live && o.poll <= 0:
		problems = append(problems, fmt.Errorf("Poll(%v): a time between two looks is above zero", o.poll))
	case !o.live && o.poll != 0:
		problems = append(problems, fmt.Errorf("Poll(%v): %s is not followed: use Tail", o.poll, o.name))
	}
	return errors.Join(problems...)
}

// Group is one split: inputs that are read one after another.
type Group struct {
	Name   string
	inputs []Input
}

// Input is one sequence of lines with its own line numbers.
type Input struct {
	Name  string
	open  func() (feed, error)
	again bool // when it ends it is opened again
}

// Groups gives the splits.
func (o Origin) Groups() ([]Group, error) {
	switch {
	case o.open != nil:
		open := func() (feed, error) { return o.open(o.limits) }
		return []Group{{Name: o.name, inputs: []Input{{Name: o.name, open: open}}}}, nil
	case o.live:
		if err := checkTail(o.path); err != nil {
			return nil, err
		}
		open := func() (feed, error) { return &tail{path: o.path, every: o.poll}, nil }
		return []Group{{Name: o.path, inputs: []Input{{Name: o.path, open: open, again: true}}}}, nil
	}
	paths, err := files.Find(o.path)
	if err != nil {
		return nil, err
	}
	all := Group{Name: o.path}
	var each []Group
	for _, path := range paths {
		input := Input{Name: path, open: func() (feed, error) {
			f, err := files.Open(path, o.limits)
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
