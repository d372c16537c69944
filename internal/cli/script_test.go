package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/strandline-stream/strandline/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"strandline": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the commands as a user does, in processes of their own. Each script has a
// directory with the examples of the repository in it.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			return os.Symlink(filepath.Join(root, "examples"), filepath.Join(e.WorkDir, "examples"))
		},
		UpdateScripts: os.Getenv("STRANDLINE_UPDATE") != "",
	})
}
