package yaml

import (
	"context"
	"errors"
	"slices"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
)

// once is what takes the place of a run's own source, or of its Combine.
type once struct {
	line    *line
	sweep   *sweep
	answers *answers // goes through the steps behind the Combine, if it is not nil
}

// skips says whether a step is no part of the run.
func (o *once) skips(s *step) bool {
	if o.answers != nil {
		return o.line.before[s] && s != o.line.combine
	}
	return !o.line.before[s]
}

// part runs a part of the pipeline; result is told what there is to be written or printed.
func (p *Pipeline) part(ctx context.Context, o *once, result func(called string, of ref, s *step, out rows)) error {
	some := *p
	some.steps = slices.DeleteFunc(slices.Clone(p.steps), o.skips)
	some.tried = &trying{once: o, result: result, source: func(*step) connector.Source[record.Row] { return numbering{o.sweep.source, o.sweep} }}
	built, err := some.Build()
	if err != nil {
		return err
	}
	report, err := built.Run(ctx, strandline.Workers(1), strandline.Batch())
	if report.Complete && !errors.Is(err, strandline.ErrUnbalanced) {
		err = nil
	}
	return built.Hide(err)
}
