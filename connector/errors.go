package connector

import "errors"

// ErrReaderGone says that whoever read the output has gone away, as `head` does when it has
// seen enough: a pipe or socket closed at its other end. Sinks wrap it, so that a run can
// say that instead of "broken pipe". The result is then not complete.
var ErrReaderGone = errors.New("the reader of the output has gone away")
