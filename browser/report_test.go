package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/lateness/report"
)

var sites = []string{"Harbour", "North gate", "Station", "Museum"}

// grid is a report of fifteen settings.
func grid() *lateness.Result {
	return result("doors.yaml", sites, []int64{0, second, 10 * second, 60 * second, 600 * second}, []lateness.Span{0, 60 * second, 600 * second})
}

// page writes a report to a file and gives its address.
func page(t *testing.T, r *lateness.Result) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := report.Write(f, r); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// see sets the width and the theme, and opens a page.
func see(ctx context.Context, t *testing.T, url string, width int64, theme string) {
	t.Helper()
	err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900))
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	}
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(url), chromedp.WaitVisible(chromedp.CSS("main")))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// eval gives the value of an expression on the page that is open.
func eval[T any](ctx context.Context, t *testing.T, expression string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// press presses a key.
func press(ctx context.Context, t *testing.T, key string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
		t.Fatal(err)
	}
}

// picture keeps a picture of the page in the directory of STRANDLINE_PICTURES, if that is set.
func picture(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("STRANDLINE_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}

// named are the reports that are looked at.
func named() map[string]*lateness.Result {
	empty := &lateness.Result{Pipeline: "empty.yaml", Kind: lateness.Bound, Strategy: "bounded(1s)"}
	empty.Advice = lateness.Advise(empty, lateness.DefaultObjective(), nil, nil)
	hostile := []string{"</script><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", strings.Repeat("long", 60)}
	return map[string]*lateness.Result{
		"grid":    grid(),
		"one":     result("one.yaml", sites, []int64{second}, nil),
		"months":  months(),
		"hostile": result(hostile[0], hostile, []int64{0, 60 * second}, nil),
		"empty":   empty,
	}
}

func TestNothingIsInTheWayOfAReaderOfTheReport(t *testing.T) {
	ctx := open(t)
	for name, r := range named() {
		url := page(t, r)
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 400} {
				if name != "grid" && (theme == "dark") == (width == 400) {
					continue // two of the four are enough for the others
				}
				t.Run(fmt.Sprintf("%s/%s/%d", name, theme, width), func(t *testing.T) {
					see(ctx, t, url, width, theme)
					picture(ctx, t, fmt.Sprintf("%s-%s-%d", name, theme, width))
					if w := eval[int64](ctx, t, "document.documentElement.scrollWidth"); w > width {
						t.Errorf("the page is %d wide, which is more than %d", w, width)
					}
					axe(ctx, t)
				})
			}
		}
	}
}

func TestNothingIsSaidOnTheConsoleAndNoRequestLeavesThePage(t *testing.T) {
	ctx := open(t)
	said := chromedp.Console(ctx)
	asked := chromedp.Events(ctx, network.RequestWillBeSent)
	own := map[string]bool{"data:,": true}
	for _, r := range named() {
		url := page(t, r)
		own[url] = true
		see(ctx, t, url, 1280, "light")
	}
	// Both are read up to something that the test itself adds.
	const end = "that was all"
	last := page(t, grid())
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](`console.log("`+end+`")`), chromedp.Navigate(last)); err != nil {
		t.Fatal(err)
	}
	for m, err := range said {
		if err != nil {
			t.Fatal(err)
		}
		if m.Text == end {
			break
		}
		t.Errorf("the console says: %v", m)
	}
	n := 0
	for e, err := range asked {
		if err != nil {
			t.Fatal(err)
		}
		if e.Request.URL == last {
			break
		}
		if n++; !own[e.Request.URL] {
			t.Errorf("the page asks for %s", e.Request.URL)
		}
	}
	if n < 5 {
		t.Errorf("%d requests seen, and each page is one", n)
	}
}

func TestThePolicyOfTheReportLetsNothingOut(t *testing.T) {
	ctx := open(t)
	asked := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer server.Close()
	see(ctx, t, page(t, grid()), 1280, "light")
	// Whatever got into the page, it could not call home.
	try := `new Promise(done => {
		const stopped = [];
		document.addEventListener("securitypolicyviolation", e => { stopped.push(e.effectiveDirective); if (stopped.length == 4) done(stopped.sort()) });
		const add = (name, to) => { const e = document.createElement(name); Object.assign(e, to); document.body.append(e) };
		add("img", {src: "` + server.URL + `/img"});
		add("script", {src: "` + server.URL + `/script"});
		add("style", {textContent: "body{background:url(` + server.URL + `/style)}"});
		fetch("` + server.URL + `/fetch").catch(() => {});
	})`
	stopped, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](try, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"connect-src", "img-src", "script-src-elem", "style-src-elem"}; !slices.Equal(stopped, want) {
		t.Errorf("stopped %v, want %v", stopped, want)
	}
	select {
	case path := <-asked:
		t.Errorf("%s was asked for", path)
	default:
	}
}

// reachable names the elements that the keyboard should reach: of radio buttons the one that is on.
const reachable = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
	.filter(e => e.checkVisibility() && (e.type != "radio" || e.checked))`

func TestTheKeyboardReachesEverythingInTheReport(t *testing.T) {
	ctx := open(t)
	see(ctx, t, page(t, grid()), 400, "light")
	eval[bool](ctx, t, `window.want = `+reachable+`, true`)
	n := eval[int](ctx, t, `want.length`)
	if n < 15 {
		t.Errorf("only %d elements to reach", n)
	}
	for i := range n {
		press(ctx, t, kb.Tab)
		const state = `(() => { const e = document.activeElement, s = getComputedStyle(e);
			return [String(want.indexOf(e)), s.outlineStyle != "none" && s.outlineWidth != "0px" ? "seen" : "not seen", e.outerHTML.slice(0, 100)] })()`
		got := eval[[]string](ctx, t, state)
		if got[0] != fmt.Sprint(i) {
			t.Fatalf("the %d. press of the tabulator reaches number %s, %s", i+1, got[0], got[2])
		}
		if got[1] != "seen" {
			t.Errorf("one does not see that the keyboard is at %s", got[2])
		}
	}
}

func TestAnArrowKeyGoesToTheNextSettingAndShowsWhatItDoes(t *testing.T) {
	ctx := open(t)
	r := grid()
	see(ctx, t, page(t, r), 1280, "light")
	const shown = `(() => { const p = [...document.querySelectorAll(".panel")].filter(e => e.checkVisibility());
		return p.map(e => e.querySelector("h3").firstChild.textContent.trim()) })()`
	const marked = `[...new Set([...document.querySelectorAll(".dot")].filter(e => getComputedStyle(e).r == "4.5px").map(e => e.classList[1]))].join()`
	// The pipeline has the setting 3, under which something is polluted.
	if got := eval[[]string](ctx, t, shown); !slices.Equal(got, []string{r.Settings[3].Setting.String()}) || !r.Settings[3].Setting.AsWritten {
		t.Fatalf("at first %v is shown", got)
	}
	eval[bool](ctx, t, `document.querySelector("input:checked").focus(), true`)
	for i := range len(r.Settings) {
		press(ctx, t, kb.ArrowDown)
		at := (4 + i) % len(r.Settings)
		if got, want := eval[[]string](ctx, t, shown), r.Settings[at].Setting.String(); !slices.Equal(got, []string{want}) {
			t.Errorf("shown is %v, want %s", got, want)
		}
		if got, want := eval[string](ctx, t, marked), fmt.Sprintf("s%d", at); got != want {
			t.Errorf("the charts mark %s, want %s", got, want)
		}
	}
	eval[bool](ctx, t, `document.querySelector(".panel a[href]") && [...document.querySelectorAll(".panel a[href]")].find(e => e.checkVisibility()).focus(), true`)
	press(ctx, t, kb.Enter)
	if got := eval[string](ctx, t, `document.querySelector(":target").innerText.split("\t")[1]`); !strings.HasPrefix(got, `{"site":`) {
		t.Errorf("the number of a dropped record leads to %q", got)
	}
}

func TestThePrintedReportIsLightAndWhole(t *testing.T) {
	ctx := open(t)
	see(ctx, t, page(t, grid()), 1000, "dark")
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
		t.Fatal(err)
	}
	picture(ctx, t, "print")
	if got := eval[string](ctx, t, `getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s", got)
	}
	cut := eval[[]string](ctx, t, `[...document.querySelectorAll(".scroll")].filter(e => e.checkVisibility() && (e.scrollWidth > document.body.clientWidth || e.clientHeight < e.scrollHeight)).map(e => e.innerText.slice(0, 60))`)
	if len(cut) > 0 {
		t.Errorf("not all is printed of %q", cut)
	}
}
