// Package browser looks at the pages that Strandline writes in a real browser, as their readers do:
// that nothing is said on the console, that no request leaves the page, that axe-core finds nothing
// in its way, and that the keyboard reaches everything.
//
// It is a module of its own so that what drives the browser never reaches the library. Chromium and
// axe-core are fetched where they are not there and may be; else its tests say why they are skipped.
// With STRANDLINE_PICTURES=DIR they keep pictures of the pages there.
//
// Layer: on top of what writes pages. It knows nothing of the engine.
package browser
