// Command strandline is the command line of Strandline; "strandline help" lists what it does.
package main

import (
	"os"

	"github.com/strandline-stream/strandline/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
