package lines

// Shape says how the records of a format lie on lines, where each line is not simply one. It
// is used by one goroutine at a time, for one split.
type Shape interface {
	// Head is called with nil when an input begins, and then with its first records one after
	// another as long as it gives more: they are the input's head, and no records to decode.
	// What it gives last is handed to the decoders ([Headed]) with the records that follow. An
	// error ends the run; it names no position. After a call Find has seen nothing yet.
	Head(record []byte) (head any, more bool, err error)

	// Find looks in text, which begins where a record does, for the first record that is not
	// just one whole line. All of text that it passes over is: each line of it is a record. If
	// end is set nothing follows text in its input.
	//
	// A record that is Open needs more text: the next call's text begins where it does, with
	// the same bytes and more, and Find may remember what it has seen of them. How much it
	// looks at before it gives up must depend on the record alone, and not on how much text it
	// was shown.
	Find(text []byte, end bool) (Frame, Verdict)
}

// Frame is a record that is not just one line: text[From:To], with the end of its last line.
type Frame struct {
	From, To int
	// Err says why it is malformed, nil if it is to be decoded.
	Err error
}

// Verdict is what [Shape.Find] has found.
type Verdict uint8

const (
	// None: each whole line of the text is a record.
	None Verdict = iota
	// Whole: the frame is a record of its own.
	Whole
	// Open: what begins at the frame's From needs more text.
	Open
)

// Foreseeing is a [Decoder] that looks at the text of many records before they come one by one.
type Foreseeing interface {
	// Foresee is called with the text of all records that come until the next call, and no other
	// record comes.
	Foresee(text []byte)
}

// Headed is a [Decoder] that wants to know the head under which records stand.
type Headed interface {
	// Under is called before the records that stand under another head than those before.
	Under(head any)
}
