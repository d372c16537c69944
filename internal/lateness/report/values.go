package report

import (
	"encoding/json/jsontext"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/prose"
)

// field is one value of a row, as text. Other says that it is not what it should be.
type field struct {
	Name  string
	Other bool
	full  string
}

// Text is the value, shortened.
func (f field) Text() string { return cut(f.full, maxValue) }

// fields are those of a JSON object, in its order; false if the text is none.
func fields(text string) ([]field, bool) {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	all := []field{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		f := field{Name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		if f.full = string(value); value.Kind() == '"' {
			if plain, err := jsontext.AppendUnquote(nil, value); err == nil && string(plain) != "" {
				f.full = string(plain)
			}
		}
		all = append(all, f)
	}
	if _, err := d.ReadToken(); err != nil || strings.TrimSpace(text[d.InputOffset():]) != "" {
		return nil, false
	}
	return all, true
}

// row is a JSON object as fields, or another text as one field without a name.
func row(text string) []field {
	if all, is := fields(text); is && len(all) > 0 {
		return all
	}
	if text == "" {
		return nil
	}
	return []field{{full: text}}
}

// differ marks the fields of got that are not the same in want.
func differ(want, got []field) {
	had := map[string]string{}
	for _, f := range want {
		had[f.Name] = f.full
	}
	for i := range got {
		text, there := had[got[i].Name]
		if i < len(want) && want[i].Name == got[i].Name { // as it is but for names that occur twice
			text, there = want[i].full, true
		}
		got[i].Other = !there || text != got[i].full
	}
}

// How much is shown of text that comes from data.
const (
	maxName  = 80
	maxValue = 120
	maxText  = 400
)

// cut shortens a text to about so many bytes and says by how much.
func cut(text string, most int) string {
	if len(text) <= most+20 {
		return text
	}
	at := most
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return fmt.Sprintf("%s… (%s more bytes)", text[:at], prose.Grouped(len(text)-at))
}
