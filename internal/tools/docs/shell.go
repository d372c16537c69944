package docs

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// Command is a kind of command that pages may show.
type Command struct {
	// Like is what the whole line must match.
	Like *regexp.Regexp
	// Run says that it is run and that its output is compared. The others are not: they take
	// long, need the network, or are what runs this check.
	Run bool
	// Session says that it is run with the page's files, behind the commands that stand before
	// it on the page.
	Session bool
}

// Commands is the table.
var Commands = []Command{
	{Like: exactly(`make( [a-z]+)*( [A-Z]+=[\w.]+)?`)}, // the targets are looked up
	{Like: exactly(`git clone https://github\.com/strandline-stream/strandline`)},
	{Like: exactly(`cd (strandline|beam|bench)`)},
	{Like: exactly(`export GOTOOLCHAIN=auto`)},
	{Like: exactly(`go get github\.com/strandline-stream/strandline`)},
	{Like: exactly(`(STRANDLINE_[A-Z]+=\d+ )?go test( -[\w.=]+)* \./[\w./]+`)},
	{Like: exactly(`go run \./examples/sensors`), Run: true},
	{Like: exactly(`go build -o bin/strandline \./cmd/strandline`)},
	{Like: exactly(`export PATH=\$PWD/bin:\$PATH`)},
	{Like: exactly(`(cat [\w./-]+ \| )?strandline( .*)?`), Session: true},
	{Like: exactly(`(cat|cp|tail -n \d+|sort)( [\w./-]+)+`), Session: true},
}

func exactly(like string) *regexp.Regexp { return regexp.MustCompile("^" + like + "$") }

var (
	target  = regexp.MustCompile(`(?m)^([a-z]+):`)
	makes   = regexp.MustCompile("`make( [a-z]+)?[^`]*`")
	making  = regexp.MustCompile(`^make( [a-z]+)?`)
	comment = regexp.MustCompile(`\s+#.*$`)
)

// Shell finds commands that are not in the table, and targets that the Makefile does not have.
func Shell(root fs.FS, pages []Page) ([]Finding, error) {
	makefile, err := fs.ReadFile(root, "Makefile")
	if err != nil {
		return nil, err
	}
	targets := map[string]bool{"": true}
	for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	var found []Finding
	for _, p := range pages {
		missing := func(line int, word string) {
			if word = strings.TrimSpace(word); !targets[word] {
				found = append(found, Finding{p.Name, line, fmt.Sprintf("the Makefile has no target %q", word)})
			}
		}
		for _, l := range p.Prose {
			for _, m := range makes.FindAllStringSubmatch(l.Text, -1) {
				missing(l.N, m[1])
			}
		}
		for _, b := range p.Blocks {
			if b.Lang != "sh" {
				continue
			}
			for i, line := range lines(b) {
				if _, ok := known(line); !ok {
					found = append(found, Finding{p.Name, b.Line + i, fmt.Sprintf("the command %q is not in the table of internal/tools/docs", line)})
				}
				if m := making.FindStringSubmatch(line); m != nil {
					missing(b.Line+i, m[1])
				}
			}
		}
	}
	return found, nil
}

// lines are the commands of a block, without comments.
func lines(b Block) []string {
	all := strings.Split(strings.TrimSuffix(b.Text, "\n"), "\n")
	for i, line := range all {
		all[i] = comment.ReplaceAllString(line, "")
	}
	return all
}

// known gives the row of a command.
func known(line string) (Command, bool) {
	for _, c := range Commands {
		if c.Like.MatchString(line) {
			return c, true
		}
	}
	return Command{}, false
}

// ShownCommand is a command that is run, with what it prints according to the page.
type ShownCommand struct {
	Page   string
	N      int // its line
	Line   string
	Prints Output
}

// Shown lists the commands that are run: those that the table lets run, and behind whose block
// the page shows what they print.
func Shown(pages []Page) []ShownCommand {
	var shown []ShownCommand
	for _, p := range pages {
		for i, b := range p.Blocks {
			all := lines(b)
			if b.Lang != "sh" || len(all) != 1 || p.prints(i).Text == "" {
				continue
			}
			if c, _ := known(all[0]); c.Run {
				shown = append(shown, ShownCommand{p.Name, b.Line, all[0], p.prints(i)})
			}
		}
	}
	return shown
}
