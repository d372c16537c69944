package cli

import "github.com/spf13/cobra"

func initCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init FILE",
		Short: "write a pipeline for a file, to begin with",
		Long: `Looks at the beginning of a file of JSON lines, CSV or Parquet and writes a
commented pipeline for it to standard output: with the fields that it found, the
one that looks like the event time and its unit, and a count per key and window.
It asks nothing; what it guessed is said in the comments.`,
		Example: `  strandline init events.jsonl > pipeline.yaml
  strandline run pipeline.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := draft(c.Context(), args[0])
			if err != nil {
				return &coded{exitError, err}
			}
			_, err = s.out.Write([]byte(text))
			return err
		},
	}
}
