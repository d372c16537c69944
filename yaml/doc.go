// Package yaml is the declarative front end: pipelines written in the language of Beam YAML,
// and built through the public API of package strandline.
//
// A file is worked on in four steps, each of which reports all that it finds:
//
//   - [Parse] reads text, fills in parameters, and checks the form: keys, types of settings,
//     names, inputs (text.go, settings.go, spec.go, scope.go);
//   - [Pipeline.Check] learns the schemas of sources and types every step and expression
//     (check.go, and one file for each family of transforms);
//   - [Pipeline.Build] makes the calls of the API;
//   - [Run] runs what was built, and [Test] the tests of a file.
//
// The tables of transforms, windows and settings (catalog.go and the files that it names)
// are what validates, and what the reference and the JSON Schema are made from.
//
// Layer: a front end, on the public API and internal/record, internal/expr, internal/rowio.
package yaml
