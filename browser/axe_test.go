package browser

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The release of axe-core, and the hash of its axe.min.js.
const (
	axeRelease = "4.14.1"
	axeHash    = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
)

// axeScript is the text of axe.min.js: from the user's cache or, the first time, by npm.
var axeScript = sync.OnceValues(func() (string, error) {
	cached := ""
	if dir, err := os.UserCacheDir(); err == nil {
		cached = filepath.Join(dir, "strandline", "axe-core-"+axeRelease+".min.js")
		if text, err := os.ReadFile(cached); err == nil && axeIs(text) {
			return string(text), nil
		}
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errors.New("axe-core " + axeRelease + " is not there, and no npm to fetch it")
	}
	dir, err := os.MkdirTemp("", "axe")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if err := command(ctx, npm, "install", "--silent", "--no-save", "--ignore-scripts", "--prefix", dir, "axe-core@"+axeRelease); err != nil {
		return "", fmt.Errorf("axe-core could not be fetched: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return "", err
	}
	if !axeIs(text) {
		return "", errors.New("axe-core " + axeRelease + " is not the one that is known here")
	}
	if cached != "" && os.MkdirAll(filepath.Dir(cached), 0o755) == nil {
		_ = os.WriteFile(cached, text, 0o644) // without it, it is fetched again
	}
	return string(text), nil
})

func axeIs(text []byte) bool { return fmt.Sprintf("%x", sha256.Sum256(text)) == axeHash }

// violation is a finding of axe-core, and where.
type violation struct {
	ID    string   `json:"id"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

// violations are what axe-core finds on the page that is open, by all its rules.
func violations(ctx context.Context, script string) ([]violation, error) {
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](script)); err != nil {
		return nil, err
	}
	const look = `axe.run(document).then(r => r.violations.map(v => (
		{id: v.id, help: v.help, nodes: v.nodes.slice(0, 5).map(n => n.html.slice(0, 200) + " " + n.failureSummary)})))`
	return chromedp.Run(ctx, chromedp.Evaluate[[]violation](look, chromedp.EvalAwaitPromise))
}

// axe fails the test for what axe-core finds on the page that is open, or skips it.
func axe(ctx context.Context, t *testing.T) {
	t.Helper()
	script, err := axeScript()
	if err != nil {
		t.Skip(err)
	}
	found, err := violations(ctx, script)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Errorf("%s: %s", v.ID, v.Help)
		for _, n := range v.Nodes {
			t.Logf("  %s", n)
		}
	}
}

func TestAxeFindsWhatIsPlanted(t *testing.T) {
	ctx := open(t)
	script, err := axeScript()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "planted.html")
	if err := os.WriteFile(path, []byte(`<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><p style="color:#aaa;background:#fff">pale</p><svg role="img"></svg></main>`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	found, err := violations(ctx, script)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, v := range found {
		ids = append(ids, v.ID)
	}
	if want := []string{"color-contrast", "svg-img-alt"}; !slices.Equal(ids, want) {
		t.Errorf("axe finds %v, want %v", ids, want)
	}
}
