package lines

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline/connector"
)

// log is a file that a test writes to, and what follows it.
type log struct {
	t    *testing.T
	path string
	r    connector.Reader[string]

	malformed []string // in the directory of the file
}

// follow runs a test on a virtual clock with a file of the text.
func follow(t *testing.T, text string, parallel int, test func(l *log)) {
	path := filepath.Join(t.TempDir(), "app.log")
	synctest.Test(t, func(t *testing.T) {
		l := &log{t: t, path: path}
		l.write(text)
		groups, err := Tail(path).Groups()
		if err != nil {
			t.Fatal(err)
		}
		s := &Split[string]{Group: groups[0], Max: 100, Parallel: parallel, Decoder: func() Decoder[string] { return &settled{} }}
		if l.r, err = s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		test(l)
		if err := l.r.Close(); err != nil {
			t.Error(err)
		}
	})
}

func (l *log) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// write appends text, and makes the file if there is none.
func (l *log) write(text string) {
	l.t.Helper()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	l.must(err)
	_, err = f.WriteString(text)
	l.must(err)
	l.must(f.Close())
}

// rename moves the file away, and gives what still writes to it.
func (l *log) rename() *os.File {
	l.t.Helper()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	l.must(err)
	l.must(os.Rename(l.path, l.path+".1"))
	return f
}

// expect reads so many values as are wanted, and says how long that must take.
func (l *log) expect(took time.Duration, want ...string) {
	l.t.Helper()
	began := time.Now()
	var got []string
	for len(got) < len(want) {
		var b connector.Batch[string]
		l.must(l.r.Read(l.t.Context(), &b))
		got = append(got, b.Values...)
		for _, m := range b.Malformed {
			l.malformed = append(l.malformed, strings.TrimPrefix(m.String(), filepath.Dir(l.path)))
		}
	}
	if !slices.Equal(got, want) || time.Since(began) != took {
		l.t.Errorf("got %q after %v; want %q after %v", got, time.Since(began), want, took)
	}
}

// dry expects news that there is nothing more, without waiting: the file is looked at.
func (l *log) dry() {
	l.t.Helper()
	began := time.Now()
	var b connector.Batch[string]
	if err := l.r.Read(l.t.Context(), &b); err != nil || !b.CaughtUp || len(b.Values)+len(b.Malformed) > 0 || time.Since(began) != 0 {
		l.t.Errorf("got %+v, %v after %v; want to be caught up at once", b, err, time.Since(began))
	}
}

// after does something when so much time has passed; the test goes on reading.
func after(d time.Duration, do func()) {
	go func() {
		<-time.After(d)
		do()
	}()
}

func TestATailGivesWhatIsThereAndThenWhatComes(t *testing.T) {
	follow(t, "one\ntwo\n", 0, func(l *log) {
		l.expect(0, "one", "two")
		l.dry()
		after(250*time.Millisecond, func() { l.write("three\nfo") })
		l.expect(300*time.Millisecond, "three") // at the third look
		l.dry()
		after(150*time.Millisecond, func() { l.write("u") })
		after(350*time.Millisecond, func() { l.write("r\n") }) // the line has its end at last
		l.expect(400*time.Millisecond, "four")
	})
}

func TestAnEmptyFileIsCaughtUpFromTheStart(t *testing.T) {
	follow(t, "", 0, func(l *log) {
		l.dry()
		after(time.Hour+time.Millisecond, func() { l.write("one\n") })
		l.expect(time.Hour+100*time.Millisecond, "one")
	})
}

func TestARotatedFileIsReadToItsEndBeforeTheNewOne(t *testing.T) {
	for _, parallel := range []int{0, 3} {
		follow(t, "one\n", parallel, func(l *log) {
			l.expect(0, "one")
			l.dry()
			after(50*time.Millisecond, func() {
				old := l.rename()
				after(200*time.Millisecond, func() { // at 250 ms: nobody has created the new file yet
					old.WriteString("two\n")
				})
				after(300*time.Millisecond, func() { // at 350 ms
					l.write("bad\nfive\n")
				})
				after(400*time.Millisecond, func() { // at 450 ms, between the looks at 400 and 500
					old.WriteString("three\nfour without an end")
					old.Close()
				})
			})
			l.expect(300*time.Millisecond, "two")
			// The look at 500 ms finds more in the old file, and that at 600 ms nothing.
			l.expect(200*time.Millisecond, "three")
			l.expect(100*time.Millisecond, "four without an end", "five")
			if want := []string{"/app.log:1: it is bad"}; !slices.Equal(l.malformed, want) {
				l.t.Errorf("malformed: %q, want %q: lines are counted anew", l.malformed, want)
			}
		})
	}
}

func TestATruncatedFileIsReadFromItsStart(t *testing.T) {
	follow(t, "one\ntwo\nhalf", 0, func(l *log) {
		l.expect(0, "one", "two")
		l.dry()
		after(50*time.Millisecond, func() {
			l.must(os.Truncate(l.path, 0))
			l.write("three\n")
		})
		// What was half a line will not be more: it is not lost.
		l.expect(100*time.Millisecond, "half", "three")
		l.dry()
		after(50*time.Millisecond, func() { l.must(os.Truncate(l.path, 0)) })
		after(250*time.Millisecond, func() { l.write("bad\nfour\n") })
		l.expect(300*time.Millisecond, "four")
		if want := []string{"/app.log:1: it is bad"}; !slices.Equal(l.malformed, want) {
			l.t.Errorf("malformed: %q, want %q: lines are counted anew", l.malformed, want)
		}
	})
}

func TestARemovedFileIsFollowedUntilThereIsANewOne(t *testing.T) {
	follow(t, "one\n", 0, func(l *log) {
		l.expect(0, "one")
		l.dry()
		after(50*time.Millisecond, func() { l.must(os.Remove(l.path)) })
		after(time.Minute+50*time.Millisecond, func() { l.write("two\n") })
		l.expect(time.Minute+200*time.Millisecond, "two") // one look finds it, the next that the old one is silent
	})
}

func TestATailObeysItsContextAtOnce(t *testing.T) {
	follow(t, "", 0, func(l *log) {
		l.dry()
		ctx, cancel := context.WithTimeout(l.t.Context(), 30*time.Millisecond)
		defer cancel()
		began := time.Now()
		var b connector.Batch[string]
		if err := l.r.Read(ctx, &b); err != context.DeadlineExceeded || time.Since(began) != 30*time.Millisecond {
			l.t.Errorf("got %v after %v", err, time.Since(began))
		}
	})
}

// The oracle is the text itself: whatever the pieces in which it is written, and however often
// the file is rotated, each line comes once and in order.
func TestRandomWritesAndRotationsLoseNothing(t *testing.T) {
	follow(t, "", 0, func(l *log) {
		const lines = 500
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range lines {
				text := fmt.Sprintf("%d\n", i)
				cut := i % len(text)
				l.write(text[:cut])
				if i%3 == 0 {
					<-time.After(time.Duration(i%7) * 50 * time.Millisecond)
				}
				l.write(text[cut:])
				if i%50 == 49 {
					l.must(os.Rename(l.path, fmt.Sprintf("%s.%d", l.path, i)))
					l.write("")
					<-time.After(time.Second) // faster rotations overtake the looks
				}
			}
		}()
		for i := 0; i < lines; {
			var b connector.Batch[string]
			if err := l.r.Read(l.t.Context(), &b); err != nil {
				l.t.Fatal(err)
			}
			for _, v := range b.Values {
				if v != fmt.Sprint(i) {
					l.t.Fatalf("line %d is %q", i, v)
				}
				i++
			}
		}
		<-done
	})
}

func TestWhatCannotBeFollowedIsRefusedAtTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("x.gz", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("x", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"gone":  "gone: no such file (relative paths start at ",
		"*.log": "*.log: no such file (Tail follows one file, and takes no glob)",
		"dir":   `dir: is a directory`,
		"x.gz":  "x.gz: is compressed, and cannot be followed (File reads it)",
	} {
		if _, err := Tail(path).Groups(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
	for want, o := range map[string]Origin{
		"x: is no set of files, and cannot be split by file": Tail("x").Each(),
		"x: a file that is followed does not end: use File":  Tail("x").Ending(),
		"Poll(0s): a time between two looks is above zero":   Tail("x").Polling(0),
		"Poll(1s): x is not followed: use Tail":              Files("x").Polling(time.Second),
		"Poll(-1s): stdin is not followed: use Tail":         Stdin().Polling(-time.Second),
	} {
		if err := o.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := Tail("x").Polling(time.Second).Check(); err != nil {
		t.Error(err)
	}
}

func TestAPipeCannotBeFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // so that nobody has to wait for the other end
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Tail(path).Groups(); err == nil || !strings.Contains(err.Error(), "is no regular file, which Tail could follow") {
		t.Errorf("got %v", err)
	}
}
