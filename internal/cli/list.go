package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/yaml"
)

func functionsCommand(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "functions [NAME]",
		Short: "list what expressions and Combine can compute",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON {
				return printIndented(s, map[string]any{"expressions": yaml.Functions(), "combine": yaml.Aggregates()})
			}
			var b strings.Builder
			group := ""
			found := false
			for _, f := range yaml.Functions() {
				if len(args) == 1 && f.Name != args[0] {
					continue
				}
				if found = true; f.Group != group && len(args) == 0 {
					group = f.Group
					fmt.Fprintf(&b, "%s\n", group)
				}
				fmt.Fprintf(&b, "  %s\n      %s\n", f.Signature, f.Doc)
				if len(args) == 1 && f.Example != "" {
					fmt.Fprintf(&b, "      %s  gives  %s\n", f.Example, f.Result)
				}
			}
			if len(args) == 0 {
				fmt.Fprintf(&b, "for Combine\n")
			}
			for _, f := range yaml.Aggregates() {
				if len(args) == 0 || f.Name == args[0] {
					found = true
					fmt.Fprintf(&b, "  %s\n      %s\n", f.Name, f.Doc)
					settings(&b, "      ", f.Settings)
				}
			}
			if !found {
				return &coded{exitError, fmt.Errorf("there is no function %q: strandline functions lists them", args[0])}
			}
			_, err := fmt.Fprint(s.out, b.String())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func settings(b *strings.Builder, indent string, table []yaml.Setting) {
	for _, p := range table {
		about := p.Form
		if p.Choices != nil {
			about = strings.Join(p.Choices, ", ")
		}
		if p.Required {
			about += ", needed"
		}
		fmt.Fprintf(b, "%s%s: %s (%s)\n", indent, p.Name, p.Doc, about)
		settings(b, indent+"  ", p.Settings)
	}
}

func connectorsCommand(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "connectors",
		Short: "list what pipelines can read and write",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printIndented(s, yaml.Connectors())
			}
			var b strings.Builder
			for _, e := range yaml.Connectors() {
				fmt.Fprintf(&b, "%s\n    %s\n", e.Name, e.Doc)
				settings(&b, "    ", e.Settings)
			}
			_, err := fmt.Fprint(s.out, b.String())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func schemaCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print the JSON Schema of pipelines, for editors",
		Long: `Prints the JSON Schema of pipelines. Editors complete and check by it: with the
YAML extension of VS Code, save it as strandline.schema.json and put this line
at the top of a pipeline:

  # yaml-language-server: $schema=strandline.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return printIndented(s, yaml.JSONSchema()) },
	}
}
