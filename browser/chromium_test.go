package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium finds a browser, and installs Debian's where there is none and it may.
var chromium = sync.OnceValues(func() (string, error) {
	if path, err := lookChromium(); err == nil {
		return path, nil
	}
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		return "", errors.New("there is no Chromium, and only root on Debian may install it: apt-get install chromium")
	}
	apt, err := exec.LookPath("apt-get")
	if err != nil {
		return "", errors.New("there is no Chromium, and no apt-get to install it")
	}
	// Only what comes over the network may take too long; an installation is not broken off.
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	get := []string{"install", "-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=60", "chromium"}
	if err := command(ctx, apt, append([]string{"--download-only"}, get...)...); err != nil {
		if err := errors.Join(command(ctx, apt, "update", "-q"), command(ctx, apt, append([]string{"--download-only"}, get...)...)); err != nil {
			return "", fmt.Errorf("there is no Chromium, and it could not be fetched: %w", err)
		}
	}
	if err := command(context.Background(), apt, get...); err != nil {
		return "", fmt.Errorf("Chromium could not be installed: %w", err)
	}
	return lookChromium()
})

func lookChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// command runs a command, and its error has the last line of what it said.
func command(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, lines[len(lines)-1])
	}
	return nil
}

// open starts a browser, which ends with the test, or skips the test.
func open(t *testing.T) context.Context {
	t.Helper()
	path, err := chromium()
	if err != nil {
		t.Skip(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		// The sandbox needs what root and containers do not have, and the pages are our own.
		chromedp.NoSandbox, chromedp.WindowSize(1280, 900),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	return ctx
}
