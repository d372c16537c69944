package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/control"
	"github.com/strandline-stream/strandline/yaml"
)

// listen lets a run be asked: where --control says or, if a source does not end, where strandline
// why looks by itself. There it is no failure if it cannot.
func (r *running) listen(ctx context.Context, s *streams, p *yaml.Pipeline, run control.Run) (stop func(), err error) {
	path := r.control
	if path == "" {
		if !p.Live() {
			return func() {}, nil
		}
		if path, err = control.ForProcess(os.Getpid()); err != nil {
			fmt.Fprintln(s.err, "strandline: no control socket, so strandline why cannot ask this run:", err)
			return func() {}, nil
		}
	}
	server, err := control.Serve(ctx, run, path)
	switch {
	case err == nil:
		return func() { _ = server.Close() }, nil
	case r.control == "":
		fmt.Fprintln(s.err, "strandline: no control socket, so strandline why cannot ask this run:", err)
		return func() {}, nil
	}
	return nil, err
}

// concealed is a run whose answers have the secrets of its pipeline taken out.
type concealed struct {
	*strandline.Running
	built *yaml.Built
}

// Why is that of the run.
func (c concealed) Why(ctx context.Context, q strandline.Question) (strandline.Answer, error) {
	a, err := c.Running.Why(ctx, q)
	a.Key = c.built.Conceal(a.Key)
	for i := range a.Windows {
		a.Windows[i].Text, a.Windows[i].HeldBy = c.built.Conceal(a.Windows[i].Text), c.built.Conceal(a.Windows[i].HeldBy)
	}
	for i := range a.Notes {
		a.Notes[i] = c.built.Conceal(a.Notes[i])
	}
	return a, c.built.Hide(err)
}

// Inspect is that of the run.
func (c concealed) Inspect(ctx context.Context) strandline.Inspection {
	in := c.Running.Inspect(ctx)
	for i := range in.Splits {
		s := &in.Splits[i]
		s.Source, s.Split = c.built.Conceal(s.Source), c.built.Conceal(s.Split)
	}
	return in
}

// live asks a run that goes on.
func (a *asking) live(ctx context.Context, s *streams) error {
	if a.at != "" || a.atRecord > 0 || a.record > 0 || a.batch || len(a.set) > 0 {
		return errors.New("--at, --at-record, --record, --batch and --set are for a FILE, which is run over its recorded input: a run that goes on is asked as it stands")
	}
	path := a.control
	if path == "" {
		var err error
		if path, err = a.found(); err != nil {
			return &coded{exitError, err}
		}
	}
	client := control.At(path)
	in, err := client.Inspect(ctx)
	if err != nil {
		if errors.Is(err, control.ErrNotRunning) {
			err = fmt.Errorf("%s: nothing is running there; %s", path, howToStart)
		}
		return &coded{exitError, err}
	}
	return a.answer(ctx, s, client, in, "")
}

const howToStart = "a pipeline whose sources do not end, or that is started by strandline run --control PATH, can be asked; for recorded input, name the FILE"

// found finds the socket of a process.
func (a *asking) found() (string, error) {
	pids := control.Processes()
	switch {
	case a.pid != 0 && !slices.Contains(pids, a.pid):
		return "", fmt.Errorf("--pid %d: no such process can be asked; %s", a.pid, howToStart)
	case a.pid != 0:
		return control.ForProcess(a.pid)
	case len(pids) == 0:
		return "", errors.New("nothing is running that can be asked; " + howToStart)
	case len(pids) > 1:
		var list []string
		for _, pid := range pids {
			list = append(list, fmt.Sprintf("--pid %d", pid))
		}
		return "", fmt.Errorf("%d pipelines run: which one? %s", len(pids), strings.Join(list, ", "))
	}
	return control.ForProcess(pids[0])
}
