package expr

import (
	"regexp"
	"testing"
)

// The examples of the documentation are what the functions give.
func TestEachFunctionGivesWhatItsExampleSays(t *testing.T) {
	for _, f := range Functions() {
		p, errs := Compile(f.Example, nil)
		if errs != nil {
			t.Errorf("%s: %s: %v", f.Name, f.Example, errs)
			continue
		}
		v, err := p.Eval(nil)
		if err != nil || v.String() != f.Result {
			t.Errorf("%s: %s gives %v and %v, want %s", f.Name, f.Example, v, err, f.Result)
		}
		if !regexp.MustCompile(`\b` + f.Name + `\(|\.` + f.Name).MatchString(f.Example) {
			t.Errorf("the example of %s does not call it: %s", f.Name, f.Example)
		}
	}
}

func TestNamesOfFunctionsAreDistinctAndDescribed(t *testing.T) {
	seen := map[string]string{}
	for _, f := range Functions() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if seen[name] != "" {
				t.Errorf("%s is a name of %s and of %s", name, seen[name], f.Name)
			}
			seen[name] = f.Name
		}
		if f.Doc == "" || f.Group == "" || f.Signature == "" {
			t.Errorf("%s has no doc, group or signature: %+v", f.Name, f)
		}
	}
}
