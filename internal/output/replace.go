package output

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Replace writes a hidden file beside path, which takes its place when [Output.Finish] is
// called, and is removed if [Output.Close] is called without it: then what was at path before
// is still there. Readers of path never see a part. What is no regular file (a pipe, a device)
// is written as it is. Compression is as in [File].
func Replace(path string) Opener {
	return func() (*Output, error) {
		mode, exists := os.FileMode(0), false
		switch info, err := os.Stat(path); {
		case err == nil && !info.Mode().IsRegular():
			return File(path)()
		case err == nil:
			mode, exists = info.Mode().Perm(), true
		}
		to := path
		if exists {
			var err error
			if to, err = filepath.EvalSymlinks(path); err != nil {
				return nil, fmt.Errorf("cannot replace %s: %w", path, err)
			}
		}
		f, err := hidden(to)
		if err != nil {
			return nil, uncreatable(path, err)
		}
		o := &Output{name: path, out: f}
		remove := func() error { return os.Remove(f.Name()) }
		o.closer = func() error { return errors.Join(f.Close(), remove()) }
		if o.zip, err = compress(path, f); err != nil {
			return nil, errors.Join(fmt.Errorf("cannot compress %s: %w", path, err), o.closer())
		}
		if o.zip != nil {
			o.out = o.zip
		}
		o.finish = func() (err error) {
			if o.zip != nil {
				err = o.zip.Close()
			}
			if exists {
				err = errors.Join(err, f.Chmod(mode))
			}
			if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
				err = os.Rename(f.Name(), to)
			}
			if err != nil {
				err = errors.Join(err, remove())
			}
			return err
		}
		return o, nil
	}
}

// hidden creates a new file beside path, whose name begins with a point.
func hidden(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for {
		name := fmt.Sprintf("%s.%s.%08x.part", dir, base[:min(len(base), 200)], rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// Finish writes everything, and ends the output: what [Replace] wrote takes its place. It is
// called instead of Close.
func (o *Output) Finish() error {
	if o.finish == nil || o.closer == nil {
		return errors.Join(o.Flush(), o.Close())
	}
	if err := o.write(); err != nil {
		return errors.Join(err, o.Close())
	}
	o.closer = nil
	return o.explain(o.finish())
}
