package run

// flatten takes several collections together, of plain or keyed values alike.
type flatten[B any] struct {
	op
	paths *paths
	cols  func(*B) *Cols
	out   Out[B]
}

type flattenInput[B any] struct {
	f    *flatten[B]
	edge int
}

// FlattenOp makes operators that take collections together.
func FlattenOp[T any]() Maker {
	return flattenOp(func(b *Batch[T]) *Cols { return &b.Cols })
}

// FlattenKeyedOp is [FlattenOp] for keyed collections.
func FlattenKeyedOp[K comparable, V any]() Maker {
	return flattenOp(func(b *KBatch[K, V]) *Cols { return &b.Cols })
}

func flattenOp[B any](cols func(*B) *Cols) Maker {
	return MakerFunc(func(p *Place) Ports {
		f := &flatten[B]{op: newOp(p), paths: newPaths(p.Origins, p.build.opts.CarryAll), cols: cols}
		ports := Ports{Out: []any{&f.out}, Origins: [][]int{f.paths.origins()}}
		for i := range p.Origins {
			ports.In = append(ports.In, Input[B](&flattenInput[B]{f, i}))
		}
		return ports
	})
}

func (in *flattenInput[B]) Take(b *B) {
	f := in.f
	c := f.cols(b)
	f.n.In += int64(c.len())
	f.n.Kept += int64(c.len())
	merged := *b
	*f.cols(&merged) = f.paths.merge(in.edge, c)
	f.out.Give(&merged)
}
