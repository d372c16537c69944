// Package strandline processes streams of events by event time: counts, sums and any other
// aggregation per key and window, over data that comes late and out of order, with every
// record accounted for. The same pipeline runs over a file and over a live stream, and gives
// the same answer.
//
// A [Pipeline] is built from sources ([Read]) through steps on a [PCollection] and, once it
// has keys, a [Keyed] collection, to sinks, and then run:
//
//	p := strandline.New("sensors")
//	readings := strandline.Read(p, jsonl.File[Reading]("readings.jsonl"),
//		watermark.Bounded(5*time.Second), func(r *Reading) time.Time { return r.At })
//	counts := readings.
//		KeyBy("sensor", func(r *Reading) string { return r.Sensor }).
//		WindowInto(window.Fixed(10*time.Second)).
//		CombinePerKey("count", combine.Count[Reading]())
//	counts.WriteTo(stdio.Lines())
//	report, err := p.Run(ctx)
//
// Handles such as PCollection are small values that name a place in the graph; they hold no
// data. The rules that the engine keeps are numbered in docs/semantics.md, and cited as S4.2.
//
// Layer: the API, above the engine. It starts no goroutine of its own.
package strandline
