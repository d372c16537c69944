package yaml

import (
	"strings"

	"github.com/strandline-stream/strandline/internal/lateness"
)

// survey has the delays of records.
type survey struct {
	all   lateness.Tally
	trail lateness.Trail
	by    map[string]*lateness.Tally // by the value of the field asked for
}

func (l *latenessRun) newSurvey() *survey {
	s := &survey{}
	if l.o.By != "" {
		s.by = map[string]*lateness.Tally{}
	}
	return s
}

// add takes the delay of the next record; group is the value of the field, if one was asked for.
func (s *survey) add(lag int64, group string) {
	s.all.Add(lag)
	s.trail.Add(lag)
	if s.by == nil {
		return
	}
	t := s.by[group]
	if t == nil {
		t = &lateness.Tally{}
		s.by[strings.Clone(group)] = t
	}
	t.Add(lag)
}

// survey takes the delays of the batch at hand.
func (l *latenessRun) survey(p *passage) {
	for i := range p.rows {
		l.seen.add(p.lag(i), p.group(i))
	}
}
