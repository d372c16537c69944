package control

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline"
)

// fake is a run that answers as told.
type fake struct {
	answer strandline.Answer
	err    error
	gate   chan struct{} // nil, or what an answer waits for
}

func (f *fake) Why(ctx context.Context, q strandline.Question) (strandline.Answer, error) {
	if f.gate != nil {
		select {
		case <-f.gate:
		case <-ctx.Done():
			return strandline.Answer{}, ctx.Err()
		}
	}
	a := f.answer
	a.Step = q.Step
	return a, f.err
}

func (f *fake) Inspect(context.Context) strandline.Inspection {
	return strandline.Inspection{Splits: []strandline.SplitState{{Source: "orders", Read: 7}}, Complete: true}
}

// socket gives a path that is short enough wherever the tests run.
func socket(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

func serve(t *testing.T, r Run, path string) *Server {
	t.Helper()
	s, err := Serve(t.Context(), r, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestTheSocketIsTheUsersAloneAndGoesWithTheServer(t *testing.T) {
	path := socket(t)
	s := serve(t, &fake{}, path)
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Fatalf("%v, %v; want a socket of mode 0600", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%v are there, want the socket alone", left)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its end: %v", err)
	}
	if _, err := At(path).Inspect(t.Context()); !errors.Is(err, ErrNotRunning) {
		t.Errorf("asked after its end: %v", err)
	}
}

func TestTheContextEndsTheServer(t *testing.T) {
	path := socket(t)
	ctx, stop := context.WithCancel(t.Context())
	s, err := Serve(ctx, &fake{gate: make(chan struct{})}, path)
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := At(path).Why(t.Context(), strandline.Question{})
		failed <- err
	}()
	for len(s.open) == 0 {
		runtime.Gosched() // until it is asked
	}
	stop()
	if err := <-failed; err == nil {
		t.Error("an answer came from a run that was stopped while it was asked")
	}
	s.Close()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its end: %v", err)
	}
}

func TestQuestionsAndErrorsCrossTheSocket(t *testing.T) {
	path := socket(t)
	run := &fake{answer: strandline.Answer{Windows: []strandline.WindowAnswer{{State: "waiting", Text: "because", FiresIn: 25}}}}
	serve(t, run, path)
	a, err := At(path).Why(t.Context(), strandline.Question{Step: "count"})
	if err != nil || a.Step != "count" || a.String() != "because" || a.Windows[0].FiresIn != 25 {
		t.Errorf("%+v, %v", a, err)
	}
	run.err = errors.New("there is no step")
	if _, err := At(path).Why(t.Context(), strandline.Question{}); err == nil || err.Error() != "there is no step" {
		t.Error(err)
	}
	run.err = strandline.ErrNoAnswer
	if _, err := At(path).Why(t.Context(), strandline.Question{}); !errors.Is(err, strandline.ErrNoAnswer) {
		t.Error(err)
	}
	in, err := At(path).Inspect(t.Context())
	if err != nil || !in.Complete || in.Splits[0].Read != 7 {
		t.Errorf("%+v, %v", in, err)
	}
}

// TestASocketThatIsLeftOverIsReplaced makes one as a process leaves it that was killed.
func TestASocketThatIsLeftOverIsReplaced(t *testing.T) {
	path := socket(t)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	serve(t, &fake{}, path)
	if _, err := At(path).Inspect(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWhatIsInTheWayOfASocketIsSaid(t *testing.T) {
	path := socket(t)
	serve(t, &fake{}, path)
	if _, err := Serve(t.Context(), &fake{}, path); !errors.Is(err, ErrInUse) {
		t.Errorf("a second run: %v", err)
	}
	file := socket(t)
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Serve(t.Context(), &fake{}, file); err == nil || !strings.Contains(err.Error(), "is no socket") {
		t.Errorf("a file: %v", err)
	}
	if b, _ := os.ReadFile(file); string(b) != "precious" {
		t.Error("the file was harmed")
	}
	if _, err := Serve(t.Context(), &fake{}, file+strings.Repeat("x", 200)); err == nil || !strings.Contains(err.Error(), "too long for a socket") {
		t.Errorf("a long path: %v", err)
	}
	if _, err := Serve(t.Context(), &fake{}, "/nowhere/at/all"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
}

func TestTheDirectoryOfProcessesIsTheUsersAlone(t *testing.T) {
	root := filepath.Dir(socket(t))
	t.Setenv("XDG_RUNTIME_DIR", root)
	path, err := ForProcess(12)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, &fake{}, path)
	dead, _ := ForProcess(13)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if pids := Processes(); len(pids) != 1 || pids[0] != 12 {
		t.Errorf("%v, want 12 alone", pids)
	}
	if _, err := os.Lstat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was left over is there still: %v", err)
	}
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := ForProcess(14); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("open to others: %v", err)
	}
	if pids := Processes(); pids != nil {
		t.Errorf("%v of a directory that is open to others", pids)
	}
	os.Chmod(dir, 0o700)
	elsewhere := filepath.Dir(socket(t))
	t.Setenv("XDG_RUNTIME_DIR", elsewhere)
	if err := os.Symlink(dir, filepath.Join(elsewhere, "strandline")); err != nil {
		t.Fatal(err)
	}
	if _, err := ForProcess(15); err == nil || !strings.Contains(err.Error(), "is no directory") {
		t.Errorf("a link: %v", err)
	}
}

// TestALongOrEmptyQuestionIsRefused speaks to the socket by hand.
func TestALongOrEmptyQuestionIsRefused(t *testing.T) {
	path := socket(t)
	serve(t, &fake{}, path)
	for what, text := range map[string]string{
		"too long":  strings.Repeat(" ", mostAsked+1) + "\n",
		"no JSON":   "why\n",
		"no such":   `{"ask": "stop"}` + "\n",
		"no member": `[]` + "\n",
	} {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		c.Write([]byte(text))
		got := new(bytes.Buffer)
		got.ReadFrom(c)
		c.Close()
		if !strings.Contains(got.String(), `{"error":"`) && what != "too long" {
			t.Errorf("%s: %q", what, got)
		}
	}
	if _, err := At(path).Inspect(t.Context()); err != nil {
		t.Errorf("it does not answer any more: %v", err)
	}
}

func FuzzAnyQuestionHasAResponse(f *testing.F) {
	f.Add([]byte(`{"ask":"why","question":{"step":"count","key":["a"],"window":"2026-07-01T10:00:00Z"}}`))
	f.Add([]byte(`{"ask":"inspect"}`))
	f.Add([]byte(`{`))
	s := &Server{run: &fake{}, ctx: context.Background()}
	f.Fuzz(func(t *testing.T, line []byte) {
		r := s.respond(line)
		if (r.Error == "") == (r.Answer == nil && r.Inspection == nil) {
			t.Errorf("%q: %+v", line, r)
		}
	})
}
