package jsonl_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
)

// A projection decodes what the type has fields for. What else a line has must still be JSON.
func ExampleSource_Project() {
	type Leg struct {
		Vehicle string  `json:"vehicle"`
		Speed   float64 `json:"speed"`
	}
	const text = `{"id":1,"vehicle":"bus","stops":[{"at":3},{"at":9}],"speed":31.5}
{"id":2,"vehicle":"tram","stops":[{"at":3},{"at":9],"speed":12}
`
	ctx := context.Background()
	splits, err := jsonl.Reader[Leg]("legs.jsonl", strings.NewReader(text)).Ends().Project().Splits(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := splits[0].Open(ctx) // as a run does
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	var b connector.Batch[Leg]
	for r.Read(ctx, &b) == nil {
		fmt.Println(b.Values, b.Malformed)
	}
	// Output:
	// [{bus 31.5}] [legs.jsonl:2: not valid JSON: invalid character ']' after object value (expecting ',' or '}') after 50 bytes]
}
