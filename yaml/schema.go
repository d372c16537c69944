package yaml

import (
	"regexp"
	"slices"
)

// object is a part of a JSON Schema.
type object = map[string]any

// JSONSchema gives a JSON Schema (draft 7) of pipelines, for editors that complete and check
// YAML by one. It is made of the tables that [Parse] checks by, and is a little more lenient.
func JSONSchema() map[string]any {
	var kinds []any
	var byType []any
	for _, e := range Transforms() {
		kinds = append(kinds, object{"const": e.Name, "description": e.Doc})
		byType = append(byType, object{
			"if":   object{"properties": object{"type": object{"const": e.Name}}},
			"then": object{"properties": object{"config": schemaOf(e.Settings)}},
		})
	}
	for _, kind := range []string{"chain", "composite"} {
		kinds = append(kinds, object{"const": kind, "description": "transforms within a transform"})
	}
	kinds = append(kinds, object{"type": "string"})
	steps := object{"type": "array", "items": object{"$ref": "#/definitions/transform"}}
	var windowings []any
	for _, w := range Windowings() {
		of := schemaOf(w.Settings)
		properties := of["properties"].(object)
		properties["type"] = object{"const": w.Name, "description": w.Doc}
		properties["trigger"].(object)["allOf"] = []any{triggerRef}
		windowings = append(windowings, of)
	}
	return object{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "Strandline pipeline", "type": "object",
		"required": []string{"pipeline"}, "additionalProperties": false,
		"properties": object{
			"pipeline": object{"$ref": "#/definitions/pipeline"}, "options": schemaOf(PipelineOptions()),
			"providers": object{"type": "array"}, "tests": object{"type": "array", "items": schemaOf(settingsFor(forTests))},
		},
		"definitions": object{
			"pipeline": object{"type": "object", "properties": object{
				"type": object{"enum": []string{"chain", "composite"}}, "transforms": steps, "extra_transforms": steps,
				"source": object{"$ref": "#/definitions/transform"}, "sink": object{"$ref": "#/definitions/transform"},
				"windowing": object{"$ref": "#/definitions/windowing"},
			}},
			"transform": object{
				"type": "object", "required": []string{"type"},
				"properties": object{
					"type": object{"anyOf": kinds}, "name": object{"type": "string"}, "input": object{"type": []string{"string", "array", "object"}},
					"config": object{"type": "object"}, "windowing": object{"$ref": "#/definitions/windowing"},
					"watermark": schemaOf(Watermarks()), "transforms": steps, "extra_transforms": steps,
				},
				"allOf": byType,
			},
			"windowing": object{"oneOf": windowings},
			"trigger":   schemaOfTriggers(),
		},
	}
}

var triggerRef = object{"$ref": "#/definitions/trigger"}

// schemaOfTriggers is made of the table of triggers, and of how it says what each takes.
func schemaOfTriggers() object {
	var alone []any
	with := object{}
	for _, t := range triggerTypes() {
		of := object{}
		parts := triggerPart.FindAllStringSubmatch(t.takes, -1)
		switch {
		case t.takes == "N":
			of["type"], of["minimum"] = "integer", 1
		case t.takes == "DURATION":
			of["type"] = []string{"string", "number"}
		case t.takes == "TRIGGER":
			of["allOf"] = []any{triggerRef}
		case t.takes == "[TRIGGER, ...]":
			of["type"], of["items"], of["minItems"] = "array", triggerRef, 1
		case parts != nil:
			named := object{}
			for _, p := range parts {
				named[p[1]] = triggerRef
			}
			of["type"], of["properties"], of["additionalProperties"] = "object", named, false
		}
		if t.alone() {
			alone = append(alone, object{"const": t.name, "description": t.doc})
		}
		of["description"] = t.doc
		with[t.name] = of
	}
	one := object{"type": "object", "properties": with, "additionalProperties": false, "minProperties": 1, "maxProperties": 1}
	return object{"anyOf": append(alone, one)}
}

// triggerPart is a part of what a trigger takes.
var triggerPart = regexp.MustCompile(`(\w+): TRIGGER`)

// schemaOf gives the schema of a mapping with settings.
func schemaOf(table []Setting) object {
	properties := object{}
	var required []string
	for _, s := range table {
		of := object{}
		if s.Doc != "" {
			of["description"] = s.Doc
		}
		switch s.Form {
		case formNames[boolForm]:
			of["type"] = "boolean"
		case formNames[intForm]:
			of["type"], of["minimum"] = "integer", 0
		case formNames[numberForm]:
			of["type"] = "number"
		case formNames[durationForm]:
			of["type"] = []string{"string", "number"}
		case formNames[textsForm]:
			of["type"] = []string{"string", "array"}
		case formNames[listForm]:
			of["type"] = "array"
		case formNames[fieldsForm], formNames[mapForm], formNames[settingsForm]:
			of["type"] = "object"
			if len(s.Settings) > 0 {
				for k, v := range schemaOf(s.Settings) {
					of[k] = v
				}
			}
		case formNames[textForm]:
			of["type"] = []string{"string", "number", "boolean"}
		}
		if s.Choices != nil {
			of["enum"] = s.Choices
		}
		properties[s.Name] = of
		if s.Required {
			required = append(required, s.Name)
		}
	}
	o := object{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		slices.Sort(required)
		o["required"] = required
	}
	return o
}
