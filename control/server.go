package control

import (
	"bufio"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/strandline-stream/strandline"
)

// Run is what can be asked: a [strandline.Running].
type Run interface {
	Why(ctx context.Context, q strandline.Question) (strandline.Answer, error)
	Inspect(ctx context.Context) strandline.Inspection
}

var _ Run = (*strandline.Running)(nil)

// Server answers questions on a socket.
type Server struct {
	path   string
	run    Run
	listen *net.UnixListener
	ctx    context.Context
	stop   context.CancelFunc
	open   chan struct{} // a place for each question at hand
	group  sync.WaitGroup
	once   sync.Once
}

const (
	atOnce     = 8                // questions
	mostAsked  = 64 << 10         // bytes of one
	answerTime = 10 * time.Second // in which a worker must have come to the end of its batch
	talkTime   = 15 * time.Second // in which a question is read, answered and written
	mostPath   = 104              // bytes of a socket's path, on every system
)

// ErrInUse says that another run listens on the path.
var ErrInUse = errors.New("another run listens there")

// Serve answers questions about a run on a socket of mode 0600 at path, until the context is done or
// the server is closed, which removes the socket. It returns as soon as it listens. A socket that
// nobody listens on, as a run that was killed leaves it, is replaced; any other file at path is an
// error, and a run that listens there is [ErrInUse].
func Serve(ctx context.Context, r Run, path string) (*Server, error) {
	if err := vacate(path); err != nil {
		return nil, fmt.Errorf("the control socket %s: %w", path, err)
	}
	l, err := private(path)
	if err != nil {
		return nil, fmt.Errorf("the control socket %s: %w", path, err)
	}
	s := &Server{path: path, run: r, listen: l, open: make(chan struct{}, atOnce)}
	s.ctx, s.stop = context.WithCancel(ctx)
	context.AfterFunc(s.ctx, func() { s.close() })
	s.group.Go(s.serve)
	return s, nil
}

// Path is where the socket is.
func (s *Server) Path() string { return s.path }

// Close ends the server, and removes the socket. It returns when the last question has been
// answered or given up.
func (s *Server) Close() error {
	s.stop()
	err := s.close()
	s.group.Wait()
	return err
}

func (s *Server) close() (err error) {
	s.once.Do(func() {
		err = s.listen.Close()
		if rerr := os.Remove(s.path); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	})
	return err
}

// vacate removes a socket on which nobody listens.
func vacate(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("it is there, and is no socket: give another path")
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	switch {
	case err == nil:
		c.Close()
		return ErrInUse
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	case errors.Is(err, fs.ErrNotExist): // it has gone meanwhile
		return nil
	}
	return fmt.Errorf("%w, perhaps: %w", ErrInUse, err)
}

// private listens on a socket that was at no time open to others: it is made in a directory of mode
// 0700 and moved to its place.
func private(path string) (*net.UnixListener, error) {
	dir := filepath.Join(filepath.Dir(path), fmt.Sprintf(".s%06x", rand.IntN(1<<24)))
	made := filepath.Join(dir, "s")
	if n := max(len(path), len(made)); n > mostPath {
		return nil, fmt.Errorf("the path is too long for a socket, by %d bytes: give a shorter one", n-mostPath)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	defer os.Remove(dir)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: made, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // it will not be there
	err = os.Chmod(made, 0o600)
	if err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(made))
	}
	return l, nil
}

func (s *Server) serve() {
	for {
		c, err := s.listen.AcceptUnix()
		if err != nil {
			if s.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			select { // too many open files, say
			case <-time.After(100 * time.Millisecond):
			case <-s.ctx.Done():
			}
			continue
		}
		select {
		case s.open <- struct{}{}:
			s.group.Go(func() {
				defer func() { <-s.open }()
				s.talk(c)
			})
		default:
			c.Close()
		}
	}
}

// request is a line that is asked, response the line that answers it.
type request struct {
	Ask      string              `json:"ask"`
	Question strandline.Question `json:"question,omitzero"`
}

type response struct {
	Error      string                 `json:"error,omitzero"`
	Busy       bool                   `json:"busy,omitzero"` // it is strandline.ErrNoAnswer
	Answer     *strandline.Answer     `json:"answer,omitzero"`
	Inspection *strandline.Inspection `json:"inspection,omitzero"`
}

const (
	askWhy     = "why"
	askInspect = "inspect"
)

// talk answers the one question of a connection.
func (s *Server) talk(c *net.UnixConn) {
	defer c.Close()
	stop := context.AfterFunc(s.ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if c.SetDeadline(time.Now().Add(talkTime)) != nil {
		return
	}
	var r response
	line, err := bufio.NewReaderSize(c, mostAsked).ReadSlice('\n')
	if err == nil {
		r = s.respond(line)
	} else {
		r.Error = "the question is too long, or ended too soon"
	}
	if b, err := json.Marshal(r); err == nil {
		c.Write(append(b, '\n'))
	}
}

func (s *Server) respond(line []byte) (r response) {
	var q request
	if err := json.Unmarshal(line, &q); err != nil {
		r.Error = "the question was not understood: " + err.Error()
		return r
	}
	ctx, stop := context.WithTimeout(s.ctx, answerTime)
	defer stop()
	switch q.Ask {
	case askWhy:
		a, err := s.run.Why(ctx, q.Question)
		if err != nil {
			r.Error, r.Busy = err.Error(), errors.Is(err, strandline.ErrNoAnswer)
			return r
		}
		r.Answer = &a
	case askInspect:
		in := s.run.Inspect(ctx)
		r.Inspection = &in
	default:
		r.Error = fmt.Sprintf("there is no question %q", q.Ask)
	}
	return r
}
