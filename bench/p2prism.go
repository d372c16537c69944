//go:build prism

package main

import (
	"context"

	"github.com/strandline-stream/strandline/bench/prism"
)

func init() { p2Prism = onPrism }

func onPrism(from numbered) (d digest) {
	err := prism.GroupByKey(context.Background(), from.n, p2Size, func(i int64) (at, key, value int64) {
		e := from.event(i)
		return e.At, e.Key, e.Value
	}, d.addList)
	if err != nil {
		panic(err)
	}
	return d
}
