// Package cli is the command strandline as a library: arguments and streams in, an exit code
// out. It owns no process: it neither exits nor reads the environment, so that tests and other
// programs can run a command like any function.
//
// It uses the standard library only: two commands without flags need no framework.
//
// Layer: a front end, on the public API only. It knows nothing of how the engine works.
package cli
