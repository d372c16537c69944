package yaml

import (
	"maps"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/expr"
)

// Entry is a row of the tables that a reference is made of.
type Entry struct {
	Name     string    `json:"name"`
	Doc      string    `json:"doc"`
	Ours     bool      `json:"extension,omitzero"` // not in Beam YAML
	Settings []Setting `json:"settings,omitempty"`
	Takes    string    `json:"takes,omitzero"`    // of a trigger: what is written behind its name
	Outputs  []string  `json:"outputs,omitempty"` // of a transform: outputs with a name of their own
}

// Setting is a setting of an [Entry].
type Setting struct {
	Name     string    `json:"name"`
	Form     string    `json:"form"`
	Required bool      `json:"required,omitzero"`
	Ours     bool      `json:"extension,omitzero"`
	Choices  []string  `json:"choices,omitempty"`
	Settings []Setting `json:"settings,omitempty"`
	Doc      string    `json:"doc,omitzero"`
}

func settingsFor(table []setting) []Setting {
	var list []Setting
	for _, s := range table {
		list = append(list, Setting{s.name, formNames[s.form], s.required, s.ours, s.choices, settingsFor(s.of), s.doc})
	}
	return list
}

// Transforms lists the transforms: sources first, then what is between, then sinks.
func Transforms() []Entry {
	var list []Entry
	for _, group := range [][]*transform{reading(), mapping(), grouping(), writing()} {
		for _, d := range group {
			list = append(list, Entry{Name: d.name, Doc: d.doc, Ours: d.ours, Settings: settingsFor(d.settings), Outputs: d.ownOutputs()})
		}
	}
	return list
}

// ownOutputs are the outputs that a transform has whatever its settings are.
func (d *transform) ownOutputs() []string {
	switch {
	case d.reads:
		return []string{"errors"}
	case d.windowed:
		return []string{"late"}
	}
	return nil
}

// Connectors lists the transforms that read and write.
func Connectors() []Entry {
	return slices.DeleteFunc(Transforms(), func(e Entry) bool {
		return !strings.HasPrefix(e.Name, "ReadFrom") && !strings.HasPrefix(e.Name, "WriteTo") && e.Name != "Create" && e.Name != "Generate"
	})
}

// Windowings lists the types of windows, each with the settings that all of them have.
func Windowings() []Entry {
	var list []Entry
	for _, w := range windowTypes {
		list = append(list, Entry{Name: w.name, Doc: w.doc, Ours: w.ours, Settings: settingsFor(slices.Concat(w.settings, forWindows))})
	}
	return list
}

// WindowSettings lists the settings that all types of windows have.
func WindowSettings() []Setting { return settingsFor(forWindows) }

// ErrorHandling lists the settings of error_handling.
func ErrorHandling() []Setting { return settingsFor(errorHandling.of) }

// Triggers lists the triggers.
func Triggers() []Entry {
	var list []Entry
	for _, t := range triggerTypes() {
		list = append(list, Entry{Name: t.name, Doc: t.doc, Takes: t.takes, Ours: true})
	}
	return list
}

// Aggregates lists the functions of Combine.
func Aggregates() []Entry {
	var list []Entry
	for _, f := range aggregateFunctions {
		doc := f.doc
		if f.takes != "" {
			doc += "; of " + f.takes
		}
		list = append(list, Entry{Name: f.name, Doc: doc, Ours: f.ours, Settings: settingsFor(f.settings)})
	}
	return list
}

// Watermarks lists the settings of the section watermark.
func Watermarks() []Setting { return settingsFor(forWatermarks) }

// Strategies lists the strategies of watermarks.
func Strategies() []Entry { return slices.Clone(strategies) }

// TransformKeys lists the keys of a transform.
func TransformKeys() []Setting { return settingsFor(forTransforms) }

// CompositeKeys lists the keys of a chain and of a composite.
func CompositeKeys() []Setting { return settingsFor(forComposites) }

// TestSettings lists the settings of a test in the section tests.
func TestSettings() []Setting {
	list := settingsFor(forTests)
	for i := range list {
		switch {
		case strings.HasPrefix(list[i].Name, "mock_"):
			list[i].Settings = settingsFor(forMocks)
		case strings.HasPrefix(list[i].Name, "expected_"):
			list[i].Settings = settingsFor(forExpectations)
		}
	}
	return list
}

// PipelineOptions lists the settings of the section options.
func PipelineOptions() []Setting { return settingsFor(forPipelines) }

// Functions lists the functions of expressions.
func Functions() []expr.Function { return expr.Functions() }

// Refused lists the transforms of Beam YAML that cannot run here, with what to do instead.
func Refused() map[string]string { return maps.Clone(refused) }
