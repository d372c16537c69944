package cli

import (
	"errors"
	"fmt"
	"io"
)

// command is one word that strandline understands.
type command struct {
	name, summary string
	help          string
	run           func(out io.Writer, args []string) error
}

// commands lists them in the order in which the help shows them. It is a function, since help
// itself is among them.
func commands() []command {
	return []command{versionCommand(), helpCommand()}
}

// usageError is a command line that was not understood.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

// Main runs the command that args name, args[0] being the first after the program's name, and
// returns the exit code of the process. Results go to out; what went wrong, and what to do
// about it, to errOut.
func Main(args []string, out, errOut io.Writer) int {
	err := dispatch(args, out)
	if err == nil {
		return ExitComplete
	}
	fmt.Fprintf(errOut, "strandline: %v\n", err)
	if usage, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintln(errOut, usage.hint)
		return ExitUsage
	}
	return ExitError
}

// dispatch finds the command and runs it. No arguments, and the usual flags for help and
// version, count as the commands of that name.
func dispatch(args []string, out io.Writer) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	c, err := find(name)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		switch rest[0] {
		case "-h", "-help", "--help":
			name, rest, c = "help", []string{name}, helpCommand()
		}
	}
	return c.run(out, rest)
}

// find finds the command of that name, or says which one was probably meant.
func find(name string) (command, error) {
	all := commands()
	names := make([]string, len(all))
	for i, c := range all {
		if c.name == name {
			return c, nil
		}
		names[i] = c.name
	}
	e := &usageError{
		message: fmt.Sprintf("unknown command %q", name),
		hint:    `Run "strandline help" for the commands.`,
	}
	if near, ok := nearest(name, names); ok {
		e.hint = fmt.Sprintf("Did you mean %q? %s", near, e.hint)
	}
	return command{}, e
}
