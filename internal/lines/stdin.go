package lines

import (
	"io"
	"os"
	"syscall"
	"time"
)

// openStdin opens the standard input so that, where the system allows it, a Read that waits
// can be interrupted.
func openStdin(t text) (feed, error) {
	in := os.Stdin
	plain := t.of(in)
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
				return newPump(readCloser(t.of(own), own)), nil
			}
			own.Close()
		}
	}
	return newPump(io.NopCloser(plain)), nil
}

// interrupter ends a Read that waits, and leaves the file open for the process.
type interrupter struct{ file *os.File }

func (i interrupter) Close() error { return i.file.SetReadDeadline(time.Unix(1, 0)) }
