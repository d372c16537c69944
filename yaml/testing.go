package yaml

import (
	"github.com/strandline-stream/strandline/internal/record"
	"go.yaml.in/yaml/v4"
)

// mocked is what a test puts in the place of a step's outputs.
type mocked struct {
	outputs map[string]*yaml.Node // the elements, by output
}

// mock checks a step whose outputs a test gives.
func (c *checker) mock(s *step, m *mocked) {
	s.use = func(map[string]fields) []fields {
		f := make([]fields, len(s.in))
		for i := range f {
			f[i] = fields{}
		}
		return f
	}
	lists := map[string]*listSource{}
	for output, n := range m.outputs {
		list, schema, ok := c.elements(s, n)
		if !ok {
			return
		}
		s.outs[output] = collection{schema: schema}
		lists[output] = &listSource{name: s.id, rows: list}
	}
	_ = lists
}

var _ record.Value
