package rowio

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
)

// probe stops a run whose first event times look like another unit (S1.5). Its zero value
// accepts all.
type probe struct {
	field string
	times *timestamp.Probe // nil once it has judged
}

func newProbe(t *TimeField) probe {
	if t == nil || t.AcceptUnlikely {
		return probe{}
	}
	return probe{field: t.Field, times: timestamp.NewProbe(t.Layout)}
}

// add looks at a time as it is written.
func (p *probe) add(text []byte) {
	if p.times != nil {
		p.times.Add(text)
	}
}

// Judge is that of [lines.Decoder].
func (p *probe) Judge(end bool) (settled bool, err error) {
	if p.times == nil || !end && !p.times.Full() {
		return p.times == nil, nil
	}
	err = p.times.Judge(time.Now())
	if p.times = nil; err != nil {
		return false, fmt.Errorf("event time %q: %w (declare that unit, or accept unlikely times)", p.field, err)
	}
	return true, nil
}
