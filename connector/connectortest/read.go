package connectortest

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"reflect"

	"github.com/strandline-stream/strandline/connector"
)

func readAll[T any](s connector.Source[T], limit int, report report, after func(r connector.Reader[T], bounded bool)) (got []T) {
	eachBatch(s, limit, report, func(b *connector.Batch[T]) { got = append(got, b.Values...) }, after)
	return got
}

// eachBatch reads all splits one after another, checks each batch, and passes it on. An
// unbounded source is read until it gave limit records.
func eachBatch[T any](s connector.Source[T], limit int, report report, take func(*connector.Batch[T]), after func(r connector.Reader[T], bounded bool)) {
	splits, err := s.Splits(context.Background())
	if err != nil {
		report("Splits: %v", err)
		return
	}
	n := 0
	for _, split := range splits {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		r, err := split.Open(ctx)
		if err != nil {
			report("Open %s: %v", split.Name(), err)
			cancel()
			return
		}
		caughtUp := false
		for s.Bounded() || n < limit {
			var b connector.Batch[T]
			err := r.Read(ctx, &b)
			if err != nil {
				if err != io.EOF || len(b.Values)+len(b.Malformed) > 0 {
					report("%s: Read = %v with %d values after %d records", split.Name(), err, len(b.Values), n)
				}
				break
			}
			if !batchIsSound(&b, caughtUp, report) {
				break
			}
			caughtUp = b.CaughtUp
			n += len(b.Values)
			if p, says := r.(connector.Positioner); says && p.Position() == "" {
				report("%s: after %d records it has no position", split.Name(), n)
			}
			take(&b)
			if n > limit {
				report("%s: there are more than the %d records expected", split.Name(), limit)
				break
			}
		}
		if after != nil {
			after(r, s.Bounded())
		}
		if err := r.Close(); err != nil {
			report("Close %s: %v", split.Name(), err)
		}
		cancel()
	}
}

func batchIsSound[T any](b *connector.Batch[T], caughtUp bool, report report) bool {
	switch {
	case len(b.Values)+len(b.Malformed) == 0 && (!b.CaughtUp || caughtUp):
		report("Read gave an empty batch that is no news (CaughtUp is %v, and was %v): it must wait for a record", b.CaughtUp, caughtUp)
		return false
	case b.Places != nil && (len(b.Places) != len(b.Values) || b.Place == ""):
		report("a batch has %d values and %d places behind %q", len(b.Values), len(b.Places), b.Place)
	case b.Times != nil && len(b.Times) != len(b.Values):
		report("a batch has %d values and %d times", len(b.Values), len(b.Times))
		return false
	}
	for _, m := range b.Malformed {
		if m.Position == "" || m.Reason == nil {
			report("a malformed record has position %q and reason %v: both are needed", m.Position, m.Reason)
			return false
		}
	}
	return true
}

func same[T any](got, want []T, report report) {
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			report("record %d is %s, want %s", i, text(got[i]), text(want[i]))
			return
		}
	}
	if len(got) != len(want) {
		report("got %d records, want %d", len(got), len(want))
	}
}

// text shows a value with what it points to.
func text(v any) string {
	if b, err := json.Marshal(v, json.Deterministic(true)); err == nil {
		return string(b)
	}
	return fmt.Sprintf("%+v", v)
}
