package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/yaml"
)

// referenceHead is how the page begins.
const referenceHead = "" +
	"# Reference\n" +
	"\n" +
	"This page is made from the tables that validate pipelines. `strandline functions`,\n" +
	"`strandline connectors` and `strandline schema` print the same, also as JSON. What is marked\n" +
	"**extension** is not in Beam YAML; all of it is [listed below](#extensions). The\n" +
	"[tutorial](tutorial.md) and the [recipes](recipes.md) show the whole in use.\n" +
	"\n" +
	"Sections: [file](#the-file), [transforms](#transforms), [error handling](#error-handling),\n" +
	"[windows](#windows), [triggers](#triggers), [watermarks](#watermarks), [aggregates](#aggregates),\n" +
	"[functions](#functions), [tests](#tests), [commands](#commands), [exit codes](#exit-codes),\n" +
	"[editors](#editors), [extensions](#extensions), [what is refused](#what-is-refused).\n" +
	"\n" +
	"## The file\n" +
	"\n" +
	"A file is YAML with the section `pipeline`, and may have `options`, `providers` and `tests`.\n" +
	"`{{NAME}}` is a parameter, given with `--set NAME=VALUE`; `${env:NAME}` and `${file:PATH}` are secrets\n" +
	"from outside.\n" +
	"\n"

// Reference is docs/yaml/reference.md: what package yaml's tables, the exit codes and the
// commands say. "STRANDLINE_UPDATE=1 go test ./internal/cli" writes it.
func Reference() string {
	r := &reference{}
	r.WriteString(referenceHead)
	r.table("A transform has these keys.", "", yaml.TransformKeys())
	r.table("A chain, a composite and the section `pipeline` have these.", "", yaml.CompositeKeys())
	r.table("The section `options`.", "options", yaml.PipelineOptions())
	r.WriteString("A duration is a number and a unit, `100ms`, `10s`, `5m`, `1h`, `2d`, or several of them, `1h30m`; a\nnumber alone is seconds.\n\n")
	r.WriteString("## Transforms\n\n")
	for _, e := range yaml.Transforms() {
		r.entry("transform", e)
	}
	r.WriteString("## Error handling\n\nThe setting `error_handling` of transforms that compute or read. A source without it has the output\n`errors`; another transform without it ends the run at the first row that fails.\n\n")
	r.table("", "", yaml.ErrorHandling())
	r.WriteString("## Windows\n\nThe key `windowing` of a transform, of a chain or of the pipeline: `{type: fixed, size: 10s}`, say. Sources\nare in one window for all of time otherwise.\n\n")
	r.table("All types of windows have these settings beside their own.", "windowing", yaml.WindowSettings())
	for _, e := range yaml.Windowings() {
		e.Settings = e.Settings[:len(e.Settings)-len(yaml.WindowSettings())]
		r.entry("windows", e)
	}
	r.WriteString("## Triggers\n\nThe setting `trigger` of a windowing: `{after_watermark: {early: {after_count: 10}}}`, say.\n\n| trigger | takes | gives a pane |\n|---|---|---|\n")
	for _, e := range yaml.Triggers() {
		fmt.Fprintf(r, "| `%s` | %s | %s |\n", e.Name, code(e.Takes), bar(e.Doc))
		r.extend(e.Ours, "trigger "+code(e.Name))
	}
	r.WriteString("\n## Watermarks\n\nThe key `watermark` of a source, or of AssignTimestamps. The watermark says up to which event time\neverything is thought to have come.\n\n")
	r.table("", "watermark", yaml.Watermarks())
	r.WriteString("| strategy | the watermark |\n|---|---|\n")
	for _, e := range yaml.Strategies() {
		fmt.Fprintf(r, "| `%s` | %s |\n", e.Name, bar(e.Doc))
	}
	r.WriteString("\n## Aggregates\n\nThe functions of Combine.\n\n| function | gives | settings |\n|---|---|---|\n")
	for _, e := range yaml.Aggregates() {
		var more []string
		for _, s := range e.Settings {
			more = append(more, fmt.Sprintf("`%s`: %s", s.Name, bar(s.Doc)))
		}
		fmt.Fprintf(r, "| `%s`%s | %s | %s |\n", e.Name, mark(e.Ours), bar(e.Doc), strings.Join(more, "; "))
		r.extend(e.Ours, "aggregate "+code(e.Name))
	}
	r.WriteString("\n## Functions\n\nExpressions have Python's syntax. Beside the operators `+ - * / // % **`, comparisons, `and or not`, `in`,\n`a if c else b`, `a[i]` and `a.b` there are these functions.\n\n")
	r.functions()
	r.WriteString("## Tests\n\nEach item of the section `tests`.\n\n")
	r.table("", "tests", yaml.TestSettings())
	r.commands()
	r.WriteString("## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, c := range exitCodes {
		fmt.Fprintf(r, "| %d | %s |\n", c.code, c.meaning)
	}
	r.WriteString("\n## Editors\n\nEditors complete and check pipelines by their JSON Schema. Save it, and name it in the first line of a\npipeline; the YAML extension of VS Code and every other editor with yaml-language-server understand it.\n\n```sh\nstrandline schema > strandline.schema.json\n```\n\n```yaml\n# yaml-language-server: $schema=strandline.schema.json\npipeline:\n  type: chain\n```\n\nThe schema is a little more lenient than `strandline validate`, which also knows types and fields.\n\n")
	r.WriteString("## Extensions\n\nThese are not in Beam YAML. [Beam YAML](../beam-yaml.md) says which of its constructs run here, and what differs.\n\n")
	for _, x := range r.extensions {
		fmt.Fprintf(r, "- %s\n", x)
	}
	r.WriteString("- functions of expressions, but those that Python has, too: `len`, `str`, `round`, `text.lower()` and the like\n")
	r.WriteString("\n## What is refused\n\nThese transforms of Beam YAML do not run here. A pipeline with one is not started, and the message\nsays what to do instead.\n\n| transform | instead |\n|---|---|\n")
	refused := yaml.Refused()
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		fmt.Fprintf(r, "| `%s` | %s |\n", name, bar(refused[name]))
	}
	return r.String()
}

// reference is the page so far.
type reference struct {
	strings.Builder
	extensions []string
}

// extend notes what Beam YAML does not have.
func (r *reference) extend(ours bool, what string) {
	if ours && !slices.Contains(r.extensions, what) {
		r.extensions = append(r.extensions, what)
	}
}

// entry writes a section for one transform or type of windows.
func (r *reference) entry(what string, e yaml.Entry) {
	fmt.Fprintf(r, "### %s\n\n", e.Name)
	if e.Ours {
		r.WriteString("**Extension.** ")
	}
	fmt.Fprintf(r, "%s.\n\n", capital(e.Doc))
	if len(e.Outputs) > 0 {
		fmt.Fprintf(r, "It has the output `%s.%s`: %s.\n\n", e.Name, e.Outputs[0], outputs[e.Outputs[0]])
	}
	r.extend(e.Ours, what+" "+code(e.Name))
	where := e.Name
	if e.Ours {
		where = "" // all of it is an extension
	}
	r.table("", where, e.Settings)
}

// outputs says what the outputs hold that transforms have by themselves.
var outputs = map[string]string{
	"errors": "what could not be read as a row, with the reason and the place. If no step takes it, records that cannot be read make the exit code 3",
	"late":   "rows that came too late for their window, with their event time, the watermark and the reason",
}

// table writes settings; where is the mapping that they belong to, for the list of extensions.
func (r *reference) table(title, where string, list []yaml.Setting) {
	if len(list) == 0 {
		return
	}
	if title != "" {
		r.WriteString(title + "\n\n")
	}
	r.WriteString("| setting | is | meaning |\n|---|---|---|\n")
	r.rows("", where, list)
	r.WriteString("\n")
}

func (r *reference) rows(prefix, where string, list []yaml.Setting) {
	for _, s := range list {
		form := s.Form
		if s.Name == "error_handling" && s.Settings != nil {
			form, s.Settings = "[a mapping](#error-handling)", nil
		}
		if s.Choices != nil {
			form = code(strings.Join(s.Choices, "`, `"))
		}
		if s.Required {
			form += ", **needed**"
		}
		fmt.Fprintf(r, "| `%s%s`%s | %s | %s |\n", prefix, s.Name, mark(s.Ours), form, bar(s.Doc))
		if where != "" {
			r.extend(s.Ours, fmt.Sprintf("`%s` of `%s`", prefix+s.Name, where))
		} else if prefix == "" {
			r.extend(s.Ours && s.Name == "watermark", "`watermark` of a transform")
		}
		r.rows(prefix+s.Name+".", where, s.Settings)
	}
}

func (r *reference) functions() {
	group := ""
	for _, f := range yaml.Functions() {
		if f.Group != group {
			if group != "" {
				r.WriteString("\n")
			}
			group = f.Group
			fmt.Fprintf(r, "### Functions: %s\n\n| function | gives | example |\n|---|---|---|\n", group)
		}
		doc, example := bar(f.Doc), ""
		if len(f.Aliases) > 0 {
			doc += " Also " + code(strings.Join(f.Aliases, "`, `")) + "."
		}
		if f.Example != "" {
			example = fmt.Sprintf("%s gives %s", code(f.Example), code(f.Result))
		}
		fmt.Fprintf(r, "| %s | %s | %s |\n", code(f.Signature), doc, example)
	}
	r.WriteString("\n")
}

func (r *reference) commands() {
	r.WriteString("## Commands\n\nEvery command explains itself with `--help`.\n\n| command | does |\n|---|---|\n")
	root := rootCommand(&streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(r, "| %s | %s |\n", code("strandline "+c.Use), flagsOf(c))
		}
	}
	r.WriteString("\n")
}

// flagsOf is what a command does, and its flags.
func flagsOf(c *cobra.Command) string {
	text := c.Short
	var flags []string
	for l := range strings.Lines(c.LocalFlags().FlagUsages()) {
		if name, usage, ok := strings.Cut(strings.TrimSpace(l), "   "); ok && !strings.Contains(name, "--help") {
			flags = append(flags, fmt.Sprintf("%s: %s", code(name), strings.TrimSpace(usage)))
		}
	}
	if len(flags) > 0 {
		text += "<br>" + strings.Join(flags, "<br>")
	}
	return bar(text)
}

func mark(ours bool) string {
	if ours {
		return " **extension**"
	}
	return ""
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + bar(s) + "`"
}

// bar writes text so that it can stand in a table.
func bar(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
