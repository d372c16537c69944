package cli

// Exit codes, the same for every command.
const (
	// ExitComplete: the job is done and the result is complete.
	ExitComplete = 0
	// ExitError: the pipeline failed, or its result is not complete.
	ExitError = 1
	// ExitUsage: the command line was not understood; nothing was run.
	ExitUsage = 2
	// ExitInterrupted: a signal stopped the command before it was done.
	ExitInterrupted = 130
)
