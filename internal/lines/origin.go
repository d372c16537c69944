package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/strandline-stream/strandline/internal/files"
)

// Origin says where lines come from. It is an inert value.
type Origin struct {
	name  string
	paths []string // of files
	each  bool     // each file is a split
	ends  bool
	live  bool          // it cannot end: files that are followed
	poll  time.Duration // between two looks at them
	text  text
	open  func(text) (feed, error) // of what is no file
}

// text says how the text of an input is made of its bytes.
type text struct {
	limits  files.Limits
	before  []byte                    // bytes that were read of it already
	through func(io.Reader) io.Reader // nil if there is nothing to change
}

// of gives the text of what r gives.
func (t text) of(r io.Reader) io.Reader {
	if len(t.before) > 0 {
		r = io.MultiReader(bytes.NewReader(t.before), r)
	}
	return t.change(files.Decompress(r, t.limits))
}

func (t text) change(r io.Reader) io.Reader {
	if t.through == nil {
		return r
	}
	return t.through(r)
}

// Files is the files that paths or globs name, each once.
func Files(path string, more ...string) Origin {
	return Origin{name: called(path, more), paths: append([]string{path}, more...), ends: true, text: text{limits: files.Default}}
}

// Tail is a file that is followed as it grows, or several, each a split.
func Tail(path string, more ...string) Origin {
	return Origin{name: called(path, more), paths: append([]string{path}, more...), live: true, poll: DefaultPoll}
}

// called makes a short name of paths.
func called(path string, more []string) string {
	name := filepath.Base(path)
	if len(more) > 0 {
		name += fmt.Sprintf(" and %d more", len(more))
	}
	return name
}

// Reader is whatever r gives, once. If r is an [io.Closer] it is closed with the input, which
// must end a Read that waits.
func Reader(name string, r io.Reader) Origin {
	var taken atomic.Bool
	return Origin{name: name, text: text{limits: files.Default}, open: func(t text) (feed, error) {
		if taken.Swap(true) {
			return nil, errors.New(name + ": was read before, and cannot be read a second time")
		}
		return newPump(readCloser(t.of(r), r)), nil
	}}
}

// Stdin is the standard input of the process.
func Stdin() Origin { return Origin{name: "stdin", text: text{limits: files.Default}, open: openStdin} }

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
	change(&o.text.limits)
	return o
}

// After says that somebody has read so many bytes of a reader or the standard input already:
// they come first.
func (o Origin) After(read []byte) Origin {
	o.text.before = read
	return o
}

// Through changes the text of each input, once it is decompressed, before it is cut into
// lines.
func (o Origin) Through(change func(io.Reader) io.Reader) Origin {
	o.text.through = change
	return o
}

// Polling sets the time between two looks at a file that is followed.
func (o Origin) Polling(every time.Duration) Origin {
	o.poll = every
	return o
}

// Check gives all that is wrong with what was asked for, without looking at files.
func (o Origin) Check() error {
	problems := []error{o.text.limits.Check()}
	if o.each && (o.open != nil || o.live) {
		problems = append(problems, errors.New(o.name+": is no set of files, and cannot be split by file"))
	}
	if o.text.through != nil && o.live {
		problems = append(problems, errors.New(o.name+": a file of this format ends, and cannot be followed"))
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
	if o.open != nil {
		open := func() (feed, error) { return o.open(o.text) }
		return []Group{{Name: o.name, inputs: []Input{{Name: o.name, open: open}}}}, nil
	}
	var each []Group
	seen := map[string]bool{}
	for _, pattern := range o.paths {
		paths, again := []string{pattern}, false
		var err error
		if o.live {
			err, again = checkTail(pattern), true
		} else {
			paths, err = files.Find(pattern)
		}
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !seen[path] {
				seen[path] = true
				each = append(each, Group{Name: path, inputs: []Input{{Name: path, open: o.opener(path), again: again}}})
			}
		}
	}
	if o.each || o.live {
		return each, nil
	}
	all := Group{Name: strings.Join(o.paths, ", ")}
	for _, g := range each {
		all.inputs = append(all.inputs, g.inputs...)
	}
	return []Group{all}, nil
}

// opener gives what opens a file.
func (o Origin) opener(path string) func() (feed, error) {
	if o.live {
		return func() (feed, error) { return &tail{path: path, every: o.poll}, nil }
	}
	return func() (feed, error) {
		f, err := files.Open(path, o.text.limits)
		if err != nil {
			return nil, err
		}
		in := readCloser(o.text.change(f), f)
		if f.Live {
			return newPump(in), nil
		}
		return direct{in}, nil
	}
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
