//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// processorTime is what the process has used so far, on all processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// maxRSS is the most memory, in MB, that a process that has ended had.
func maxRSS(p *os.ProcessState) float64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	kilobytes := float64(u.Maxrss)
	if runtime.GOOS == "darwin" {
		kilobytes /= 1024
	}
	return kilobytes * 1024 / 1e6
}
