package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// command prepares a command in the directory of a module, with more environment. When the
// gate is interrupted, it is interrupted too and has some seconds to stop by itself.
func (g *gate) command(m tree.Module, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(g.ctx, name, args...)
	cmd.Dir = filepath.Join(g.root, m.Dir)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = g.out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// stream runs a command and hands its output to read while it comes.
func (g *gate) stream(cmd *exec.Cmd, read func(io.Reader)) error {
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	done := make(chan struct{})
	go func() {
		defer close(done)
		read(r)
		_, _ = io.Copy(io.Discard, r)
	}()
	err := cmd.Run()
	_ = w.Close()
	<-done
	return err
}

// withCode are the modules that have packages.
func (g *gate) withCode() []tree.Module {
	var modules []tree.Module
	for _, m := range g.modules {
		if m.HasCode {
			modules = append(modules, m)
		}
	}
	return modules
}
