package delimited

import "bytes"

// Quotes says whether there are quotes in records. It is a [lines.Foreseeing], to be embedded in
// decoders: to look for quotes in the text of many records takes less than in each of them. An empty
// Quotes is ready for use.
type Quotes struct{ none bool } // in the text at hand

// Foresee looks at the text of the records to come.
func (q *Quotes) Foresee(text []byte) { q.none = bytes.IndexByte(text, '"') < 0 }

// In says whether a record has quotes.
func (q *Quotes) In(record []byte) bool { return !q.none && bytes.IndexByte(record, '"') >= 0 }
