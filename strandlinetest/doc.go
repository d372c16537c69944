// Package strandlinetest tests pipelines: a [Stream] plays a script of elements, watermarks and
// processing time into a pipeline and says after each step which panes must have come out, so
// that a test shows when a window fires and not only what it holds.
//
//	p := strandline.New("visits")
//	s := strandlinetest.NewStream[string]("visits")
//	counts := s.Read(p).KeyBy("page", page).WindowInto(window.Fixed(time.Minute)).
//		CombinePerKey("count", combine.Count[string]())
//	out := strandlinetest.Collect(counts.PCollection)
//
//	s.Add(at(7), "/home", "/home").
//		AdvanceWatermark(at(60)).
//		Expect(out, strandlinetest.Entry("/home", int64(2)).OnTime()).
//		Run(t, p)
//
// Nothing sleeps and no wall clock is read: the same script gives the same run each time. What
// came out is also there after any run of the pipeline, for [AssertPanes] and [AssertValues].
// [Verify] runs a pipeline in many ways and shows that the answer is the same. README.md
// specifies the script.
//
// Layer: the users' test kit, above the API. It decides nothing about windows or lateness: that
// is the engine's, and is what it watches.
package strandlinetest
