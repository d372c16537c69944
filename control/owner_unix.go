//go:build unix

package control

import (
	"io/fs"
	"os"
	"syscall"
)

// owned says whether a file is the user's own.
func owned(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}
