package cli

import "github.com/spf13/cobra"

func validateCommand(s *streams) *cobra.Command   { return &cobra.Command{Use: "validate"} }
func explainCommand(s *streams) *cobra.Command    { return &cobra.Command{Use: "explain"} }
func testCommand(s *streams) *cobra.Command       { return &cobra.Command{Use: "test"} }
func tapCommand(s *streams) *cobra.Command        { return &cobra.Command{Use: "tap"} }
func initCommand(s *streams) *cobra.Command       { return &cobra.Command{Use: "init"} }
func functionsCommand(s *streams) *cobra.Command  { return &cobra.Command{Use: "functions"} }
func connectorsCommand(s *streams) *cobra.Command { return &cobra.Command{Use: "connectors"} }
func schemaCommand(s *streams) *cobra.Command     { return &cobra.Command{Use: "schema"} }
