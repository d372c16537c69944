package yaml

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// secrets are values from outside a pipeline's text, with the references by which the text
// names them: they are what is shown instead.
type secrets struct{ all [][2]string } // the longest first, since it may have others in it

// shortest is how long a value must be to be hidden: a shorter one is in too many words.
const shortest = 4

func (s *secrets) add(value, reference string) {
	if len(value) < shortest || slices.Contains(s.all, [2]string{value, reference}) {
		return
	}
	s.all = append(s.all, [2]string{value, reference})
	slices.SortStableFunc(s.all, func(a, b [2]string) int { return cmp.Compare(len(b[0]), len(a[0])) })
}

// hide puts references in the place of values.
func (s *secrets) hide(text string) string {
	if len(s.all) == 0 {
		return text
	}
	var replace []string
	for _, x := range s.all {
		replace = append(replace, x[0], x[1])
	}
	return strings.NewReplacer(replace...).Replace(text)
}

// hidden is an error whose text tells no secret.
type hidden struct {
	error
	secrets *secrets
}

func (h hidden) Error() string { return h.secrets.hide(h.error.Error()) }
func (h hidden) Unwrap() error { return h.error }

// Hide gives an error of a run with ${env:NAME} and ${file:PATH} where its text has what they
// stand for.
func (b *Built) Hide(err error) error { return b.secrets.within(err) }

// within is hide for an error.
func (s *secrets) within(err error) error {
	if err == nil || s.hide(err.Error()) == err.Error() {
		return err
	}
	return hidden{err, s}
}

// Conceal gives a text with ${env:NAME} and ${file:PATH} where it has what they stand for.
func (p *Pipeline) Conceal(text string) string { return p.secrets.hide(text) }

// Conceal is Hide for a text that is no error: a sample of records, say.
func (b *Built) Conceal(text string) string { return b.secrets.hide(text) }

const maxSecret = 64 << 10

// readSecret gives what a file holds, without the end of its last line. It may be a pipe.
func readSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err == nil && len(b) > maxSecret {
		err = fmt.Errorf("%s: larger than %d bytes", path, maxSecret)
	}
	return strings.TrimRight(string(b), "\r\n"), err
}

// secret gives a text with what its references stand for: ${env:NAME} and ${file:PATH}. What
// they stand for refers to nothing. It is empty if a problem was noted.
func (t *text) secret(n *yaml.Node, lookup func(string) (string, bool)) string {
	var b strings.Builder
	rest, at := n.Value, 0
	for {
		i := strings.Index(rest, "${")
		if i < 0 {
			return b.String() + rest
		}
		j := strings.IndexByte(rest[i:], '}')
		if j < 0 {
			return b.String() + rest
		}
		reference := rest[i : i+j+1]
		kind, name, ok := strings.Cut(reference[2:j], ":")
		var value string
		switch {
		case ok && kind == "env":
			var found bool
			if value, found = lookup(name); !found {
				t.at(n, at+i, j+1, "", "the environment has no variable %s", name)
				return ""
			}
		case ok && kind == "file":
			var err error
			if value, err = readSecret(name); err != nil {
				t.at(n, at+i, j+1, "", "the secret cannot be read: %v", err)
				return ""
			}
		default:
			t.at(n, at+i, j+1, "write ${env:NAME} or ${file:PATH}", "there is no reference %s", reference)
			return ""
		}
		t.secrets.add(value, reference)
		b.WriteString(rest[:i] + value)
		rest, at = rest[i+j+1:], at+i+j+1
	}
}
