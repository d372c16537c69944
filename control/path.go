package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ForProcess gives the path where the command strandline puts the control socket of a process, by its
// id: in a directory of the user's own, below $XDG_RUNTIME_DIR, or else below the directory for
// temporary files. The directory is made, of mode 0700, if it is not there; one that is open to others,
// or is another user's, is an error.
func ForProcess(pid int) (string, error) {
	dir := directory()
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if err := own(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, strconv.Itoa(pid)+suffix), nil
}

const suffix = ".sock"

func directory() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "strandline")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("strandline-%d", os.Getuid()))
}

// own makes sure that a directory is one that only the user can enter.
func own(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	case info.Mode().Perm() != 0o700:
		return fmt.Errorf("%s has the mode %#o, and is to be the user's own: remove it, or chmod 700", dir, info.Mode().Perm())
	case !owned(info):
		return fmt.Errorf("%s belongs to another user", dir)
	}
	return nil
}

// Processes lists the processes that listen where [ForProcess] says. Sockets on which nobody listens
// any more are removed.
func Processes() (pids []int) {
	dir := directory()
	if own(dir) != nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		number, is := strings.CutSuffix(e.Name(), suffix)
		pid, err := strconv.Atoi(number)
		if !is || err != nil {
			continue
		}
		if errors.Is(vacate(filepath.Join(dir, e.Name())), ErrInUse) {
			pids = append(pids, pid)
		}
	}
	return pids
}
