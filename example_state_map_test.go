package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// A map as state, for each user and day: a page is new to the user once a day. The state is
// forgotten when its window is.
func ExampleKeyed_Stateful_map() {
	type View struct {
		User, Page string
		Hour       int64
	}
	views := []View{{"ann", "/", 1}, {"ann", "/shop", 2}, {"ann", "/", 3}, {"bob", "/", 20}, {"ann", "/", 26}}

	p := strandline.New("new pages")
	strandline.Read(p, memory.Slice("views", views), watermark.Ascending(),
		func(v *View) time.Time { return time.Unix(3600*v.Hour, 0) }).
		KeyBy("user", func(v *View) string { return v.User }).
		WindowInto(window.Days()).
		Stateful("new", strandline.PerWindow, func(x *strandline.Turn[string, string], seen *map[string]bool, v *View) {
			if (*seen)[v.Page] {
				return
			}
			if *seen == nil {
				*seen = map[string]bool{}
			}
			(*seen)[v.Page] = true
			x.Emit(fmt.Sprintf("%s saw %s in hour %d", x.Key, v.Page, v.Hour))
		}, nil).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ann saw / in hour 1
	// ann saw /shop in hour 2
	// bob saw / in hour 20
	// ann saw / in hour 26
}
