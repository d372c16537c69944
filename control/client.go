package control

import (
	"bufio"
	"context"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/strandline-stream/strandline"
)

// Client asks the run that listens on a socket. It holds no connection.
type Client struct{ path string }

// At gives a client for the socket at path.
func At(path string) Client { return Client{path} }

// ErrNotRunning says that nobody listens on the path.
var ErrNotRunning = errors.New("nothing is running there")

// mostAnswered is how many bytes of an answer are read.
const mostAnswered = 64 << 20

// Why asks what [strandline.Running.Why] answers. Its error is [ErrNotRunning] if nobody listens,
// [strandline.ErrNoAnswer] if the worker was busy, and else what the run said.
func (c Client) Why(ctx context.Context, q strandline.Question) (strandline.Answer, error) {
	r, err := c.ask(ctx, request{Ask: askWhy, Question: q})
	if err != nil {
		return strandline.Answer{}, err
	}
	if r.Answer == nil {
		return strandline.Answer{}, errors.New("the answer is of another version of strandline")
	}
	return *r.Answer, nil
}

// Inspect asks what [strandline.Running.Inspect] answers.
func (c Client) Inspect(ctx context.Context) (strandline.Inspection, error) {
	r, err := c.ask(ctx, request{Ask: askInspect})
	if err != nil {
		return strandline.Inspection{}, err
	}
	if r.Inspection == nil {
		return strandline.Inspection{}, errors.New("the answer is of another version of strandline")
	}
	return *r.Inspection, nil
}

func (c Client) ask(ctx context.Context, q request) (r response, err error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", c.path)
	if err != nil {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		return r, fmt.Errorf("%s: %w: %w", c.path, ErrNotRunning, err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	b, err := json.Marshal(q)
	if err == nil {
		_, err = conn.Write(append(b, '\n'))
	}
	var line []byte
	if err == nil {
		line, err = bufio.NewReader(io.LimitReader(conn, mostAnswered)).ReadBytes('\n')
	}
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case errors.Is(err, io.EOF):
		return r, fmt.Errorf("%s: the run has ended, or is asked too much at a time", c.path)
	case err != nil:
		return r, fmt.Errorf("%s: %w", c.path, err)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("%s: the answer was not understood: %w", c.path, err)
	}
	switch {
	case r.Busy:
		return r, &said{r.Error, strandline.ErrNoAnswer}
	case r.Error != "":
		return r, errors.New(r.Error)
	}
	return r, nil
}

// said is an error that a run has said.
type said struct {
	text string
	is   error
}

func (e *said) Error() string { return e.text }
func (e *said) Unwrap() error { return e.is }
