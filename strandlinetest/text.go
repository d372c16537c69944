package strandlinetest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/run"
)

// paneText is a pane as messages say it, in the words and the order of a [Want].
func paneText[T any](p *strandline.Pane[T]) string {
	return fmt.Sprintf("%s, in %v, at %s, %v", valueText(p.Value), p.Window, etime.Format(etime.Micros(p.Time)), p.Pane)
}

// valueText is a value as messages say it: a key with its value as "key: value", text in
// quotes, structs with the names of their fields.
func valueText(v any) string {
	if key, value, ok := entry(v); ok {
		return entryText(key, value)
	}
	switch v := v.(type) {
	case string, []string:
		return fmt.Sprintf("%q", v)
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprintf("%+v", v)
}

func entryText(key, value any) string { return valueText(key) + ": " + valueText(value) }

// entry takes a [strandline.KV] of any types apart.
func entry(v any) (key, value any, ok bool) {
	if t := reflect.TypeOf(v); t == nil || !isEntry(t) {
		return nil, nil, false
	}
	r := reflect.ValueOf(v)
	return r.Field(0).Interface(), r.Field(1).Interface(), true
}

var entryPackage = reflect.TypeFor[run.KV[int, int]]().PkgPath()

// isEntry says whether t is strandline.KV[K, V] for any K and V.
func isEntry(t reflect.Type) bool {
	return t.PkgPath() == entryPackage && strings.HasPrefix(t.Name(), "KV[")
}
