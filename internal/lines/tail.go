package lines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/files"
)

// DefaultPoll is how long a file that is followed is left alone after a look that found
// nothing new.
const DefaultPoll = 100 * time.Millisecond

// tail is the feed of a file that somebody else appends to. It looks at the file from time to
// time, which works on every file system.
//
// It ends when the path has come to name another file (rotation by renaming and creating) and
// the one that is open has given nothing more for a whole time between two looks, or when the
// file has become shorter than what was read of it (rotation by copying and truncating). It
// is then opened again, and read from its start. As long as the path names no file the one
// that is open is followed.
type tail struct {
	path  string
	every time.Duration

	file  *os.File // nil until there is one
	given int64    // bytes of it
	looks int64    // times waited
	left  int64    // looks when the path first named another file and this one gave nothing; 0 if it does not
}

// checkTail says why a path cannot be followed.
func checkTail(path string) error {
	if _, err := os.Lstat(path); err != nil && strings.ContainsAny(path, `*?[`) {
		return fmt.Errorf("%s: no such file (Tail follows one file, and takes no glob)", path)
	}
	if _, err := files.Find(path); err != nil {
		return err
	}
	info, err := os.Stat(path) // and not by opening: a pipe would wait
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is no regular file, which Tail could follow (File reads a pipe as its writer writes it)", path)
	case files.Compressed(path):
		return fmt.Errorf("%s: is compressed, and cannot be followed (File reads it)", path)
	}
	return nil
}

func (t *tail) read(ctx context.Context, p []byte, patience time.Duration) (int, error) {
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := t.look(p)
		switch {
		case n > 0 || err != nil:
			return n, err
		case patience >= 0:
			return 0, errDry // what is not in the file is not on its way
		}
		timer := time.NewTimer(t.every)
		select {
		case <-timer.C:
			t.looks++
		case <-ctx.Done():
			timer.Stop()
			return 0, ctx.Err()
		}
	}
}

// look gives what is new, [io.EOF] if the file is done with, or nothing.
func (t *tail) look(p []byte) (int, error) {
	if t.file == nil {
		f, _, err := files.OpenPlain(t.path)
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil // between renaming and creating
		}
		if err != nil {
			return 0, err
		}
		t.file = f
	}
	n, err := t.file.Read(p)
	if n > 0 {
		t.given += int64(n)
		t.left = 0
		return n, nil
	}
	if err != io.EOF {
		return 0, err
	}
	own, err := t.file.Stat()
	if err != nil {
		return 0, err
	}
	if own.Size() < t.given {
		return 0, io.EOF
	}
	named, err := os.Stat(t.path)
	switch {
	case err != nil || os.SameFile(own, named):
		t.left = 0
	case t.left == 0:
		t.left = t.looks + 1 // never 0
	case t.looks >= t.left:
		return 0, io.EOF
	}
	return 0, nil
}

func (t *tail) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
