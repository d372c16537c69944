package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody lets the calling goroutine open files as a user without rights, also where the
// tests run as root, to whom nothing is forbidden: Linux has that per thread.
func asNobody(t *testing.T) {
	if os.Getuid() != 0 {
		return
	}
	const nobody = 65534
	runtime.LockOSThread()
	set := func(uid uintptr) { syscall.RawSyscall(syscall.SYS_SETFSUID, uid, 0, 0) }
	set(nobody)
	t.Cleanup(func() {
		set(0)
		runtime.UnlockOSThread()
	})
}

func TestAFileThatMayNotBeReadIsExplained(t *testing.T) {
	d := t.TempDir()
	for _, d := range []string{d, filepath.Dir(d)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(d)
	if err := os.WriteFile("secret.jsonl", []byte("{}"), 0o000); err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	const want = "secret.jsonl: permission denied (the user that runs this may not read it)"
	for _, path := range []string{"secret.jsonl", "*.jsonl"} {
		if _, err := Find(path); err == nil || err.Error() != want || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
	if _, err := Open("secret.jsonl", Default); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
