package control_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/control"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// counting starts a run that counts seconds in windows of ten, and has read what is given.
func counting(ctx context.Context, seconds ...int64) *strandline.Running {
	p := strandline.New("seconds")
	strandline.Read(p, memory.Slice("seconds", seconds), watermark.Ascending(), func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())
	running := p.Start(ctx, strandline.PauseWhen(func(read int64, _ time.Time) bool { return read == int64(len(seconds)) }))
	<-running.Paused()
	return running
}

// A program lets its run be asked; another one, or the command strandline why --control PATH, asks.
func ExampleServe() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	running := counting(ctx, 2, 5, 7)

	dir, _ := os.MkdirTemp("", "ctl")
	defer os.RemoveAll(dir)
	var run control.Run = running
	var server *control.Server
	server, err := control.Serve(ctx, run, filepath.Join(dir, "socket"))
	if errors.Is(err, control.ErrInUse) {
		fmt.Println("give another path")
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	var client control.Client = control.At(server.Path())
	answer, err := client.Why(ctx, strandline.Question{Step: "count", Window: time.Unix(0, 0)})
	if errors.Is(err, control.ErrNotRunning) {
		fmt.Println("start it first")
	}
	fmt.Println(answer)
	in, _ := client.Inspect(ctx)
	fmt.Println(in.Splits[0].Read, "read")
	// Output:
	// [1970-01-01 00:00:00, 00:00:10) has not fired because the watermark stands at 00:00:07; it is held by `seconds`, last record 00:00:07, the 3rd record
	// 3 read
}

// Where the command strandline puts the sockets of live pipelines.
func ExampleForProcess() {
	dir, _ := os.MkdirTemp("", "run")
	defer os.RemoveAll(dir)
	os.Setenv("XDG_RUNTIME_DIR", dir)
	path, err := control.ForProcess(4711)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(filepath.Rel(dir, path))
	fmt.Println(control.Processes(), "are running")
	// Output:
	// strandline/4711.sock <nil>
	// [] are running
}
