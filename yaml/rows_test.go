package yaml_test

import "testing"

func TestWindowingOfACompositeIsThatOfItsInputs(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{x: 1, t: 1}, {x: 2, t: 100}]}, watermark: {timestamp: t, unit: s}}
  - type: chain
    name: C
    input: A
    windowing: {type: fixed, size: 10s}
    transforms:
    - {type: Combine, config: {combine: {n: {value: x, fn: count}}}}
`, nil, `{"window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:00:10Z","n":1,"pane":"on time"}`,
		`{"window_start":"1970-01-01T00:01:40Z","window_end":"1970-01-01T00:01:50Z","n":1,"pane":"on time"}`)
}

func TestValuesThatAreNotOfTheirDeclaredTypeAreErrorsOfTheRow(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{k: a, x: 1}, {k: b, x: hello}, {k: c, x: [1]}]}}
  - {type: MapToFields, name: M, input: A, config: {fields: {k: k, x: {expression: x, output_type: integer}}, error_handling: {output: bad}}}
  - {type: MapToFields, name: E, input: M.bad, config: {fields: {msg: msg}}}
`, nil, `{"step":"M","k":"a","x":1}`, `{"step":"E","msg":"x: \"hello\" is string, and must be integer?"}`, `{"step":"E","msg":"x: [1] is array, and must be integer?"}`)
}

func TestTextThatIsValidatedAsATimeIsATime(t *testing.T) {
	gives(t, `pipeline:
  type: chain
  transforms:
  - {type: Create, config: {elements: [{k: a, t: "2026-01-01T00:00:00Z"}, {k: b, t: "2026-02-02T00:00:00Z"}]}}
  - {type: ValidateWithSchema, config: {schema: {type: object, properties: {t: {type: string, format: date-time}}}}}
  - {type: Combine, config: {group_by: k, combine: {t: max}}}
`, nil, `{"k":"a","t":"2026-01-01T00:00:00Z"}`, `{"k":"b","t":"2026-02-02T00:00:00Z"}`)
}

// In one collection integers and numbers are numbers, and 1 is in one group with 1.0 (S7.4).
func TestIntegersAndNumbersOfSeveralInputsAreNumbersOfOneGroup(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{x: 1}, {x: 2}]}}
  - {type: Create, name: B, config: {elements: [{x: 1.0}, {x: 2.5}]}}
  - {type: Combine, input: [A, B], config: {group_by: x, combine: {n: count}}}
`, nil, `{"x":1,"n":2}`, `{"x":2,"n":1}`, `{"x":2.5,"n":1}`)
}

func TestErrorsOfStepsWithDifferentFieldsCanBeStrippedTogether(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{k: a, x: 0}]}}
  - {type: Create, name: B, config: {elements: [{y: 0, z: q}]}}
  - {type: MapToFields, name: MA, input: A, config: {fields: {q: 1/x}, error_handling: {output: e}}}
  - {type: MapToFields, name: MB, input: B, config: {fields: {q: 1/y}, error_handling: {output: e}}}
  - {type: StripErrorMetadata, name: S, input: [MA.e, MB.e]}
  - {type: LogForTesting, name: L1, input: MA}
  - {type: LogForTesting, name: L2, input: MB}
`, nil, `{"k":"a","x":0,"y":null,"z":null}`, `{"k":null,"x":null,"y":0,"z":"q"}`)
}

func TestALateRowOfAJoinHasItsFields(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{id: 1, a: 2, t: 100}, {id: 2, a: 2, t: 101}, {id: 2, a: 2, t: 102}]}, watermark: {timestamp: t, unit: s}}
  - {type: Create, name: B, config: {elements: [{id: 1, b: 2, t: 100}, {id: 7, b: 2, t: 101}, {id: 3, b: 9, t: 5}]}, watermark: {timestamp: t, unit: s}}
  - {type: Join, name: J, input: {A: A, B: B}, config: {equalities: id}, windowing: {type: fixed, size: 10s}}
  - {type: StripErrorMetadata, name: S, input: J.late}
  - {type: MapToFields, name: M, input: S, config: {fields: {id: id, a: a, b: b}}}
  - {type: LogForTesting, input: J}
options: {streaming: true}
`, nil, `{"id":3,"a":null,"b":9}`, `INFO {"id":1,"a":2,"t":100,"id0":1,"b":2,"t0":100}`)
}

func TestAnEventTimeMayBeWithinAnObject(t *testing.T) {
	gives(t, `pipeline:
  type: chain
  transforms:
  - {type: Create, config: {elements: [{o: {t: 5}, x: 1}]}, watermark: {timestamp: o.t, unit: s}}
  - {type: Combine, windowing: {type: fixed, size: 10s}, config: {combine: {n: {value: x, fn: count}}}}
`, nil, `{"window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:00:10Z","n":1,"pane":"on time"}`)
}

func TestTheOrderOfFieldsOfAnObjectDoesNotMatterToGroupsAndJoins(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: E, config: {elements: [{o: {a: 1, b: 2}, z: 1}]}}
  - {type: Create, name: F, config: {elements: [{o: {b: 2, a: 1}, y: 5}]}}
  - {type: Join, name: J, input: {E: E, F: F}, config: {equalities: o, fields: {E: [z], F: [y]}}}
`, nil, `{"z":1,"y":5}`)
}

func TestASumThatNoIntegerHoldsGoesToTheErrorOutput(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{k: a, x: 9223372036854775807}, {k: a, x: 5}, {k: b, x: 5}]}}
  - {type: Combine, name: C, input: A, config: {group_by: k, combine: {s: {value: x, fn: sum}}, error_handling: {output: e}}}
  - {type: StripErrorMetadata, name: S, input: C.e}
  - {type: MapToFields, name: M, input: S, config: {fields: {k: k}}}
`, nil, `{"step":"C","k":"b","s":5}`, `{"step":"M","k":"a"}`)
}

func TestJoinsOfIntegersWithNumbers(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{id: 1, a: 2}, {id: 3, a: 4}]}}
  - {type: Create, name: B, config: {elements: [{key: 1.0, b: 20}, {key: 3.5, b: 30}]}}
  - {type: Join, name: J, input: {A: A, B: B}, config: {equalities: [{A: id, B: key}], fields: {A: [a], B: [b]}}}
`, nil, `{"a":2,"b":20}`)
}

func TestAConditionOfAFieldOfSeveralTypesIsCheckedRowByRow(t *testing.T) {
	gives(t, `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{x: true, y: 1}, {x: 1, y: 2}, {x: false, y: 3}]}}
  - {type: Filter, name: F, input: A, config: {keep: x, error_handling: {output: bad}}}
  - {type: MapToFields, name: M, input: F.bad, config: {fields: {msg: msg}}}
`, nil, `{"step":"F","x":true,"y":1}`, `{"step":"M","msg":"the condition is integer, and must be true or false"}`)
}

func TestOutputsHaveDifferentNames(t *testing.T) {
	const text = `pipeline:
  transforms:
  - {type: Create, name: A, config: {elements: [{k: a, x: 1}]}}
  - {type: Combine, name: C, input: A, config: {group_by: k, combine: {s: {value: 1/x, fn: sum}}, error_handling: {output: late}}}
  - {type: LogForTesting, input: C.late}
`
	if ps := problemsOf(t, "p.yaml", text); len(ps) != 1 || ps[0].Message != `C has an output "late" already` {
		t.Errorf("%v", ps)
	}
}
