package codec

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// mapScratch is what writing one map needs: its entries encoded in the order of the walk, and where
// each lies.
type mapScratch struct {
	buf      []byte
	spans    []span
	key, val reflect.Value // addressable copies of the entry at hand
}

// span is one entry in mapScratch.buf: the key from start to mid, the value from mid to end.
type span struct{ start, mid, end int }

// mapNode serves maps, through package reflect. Entries are in the order of their encoded keys;
// equal ones (several NaNs may be keys of one Go map) in that of the values.
func mapNode(n *node, key, val *node, t reflect.Type) {
	n.open = "map["
	n.parts = []part{{"", key}, {"]", val}}
	key = filled(key)
	name := t.String()
	pool := sync.Pool{New: func() any {
		return &mapScratch{key: reflect.New(t.Key()).Elem(), val: reflect.New(t.Elem()).Elem()}
	}}
	n.append = func(dst []byte, p unsafe.Pointer, depth int) []byte {
		m := reflect.NewAt(t, p).Elem()
		if m.IsNil() {
			return append(dst, 0)
		}
		depth = deeper(depth, name)
		dst = binary.AppendUvarint(dst, uint64(m.Len())+1)
		s := pool.Get().(*mapScratch)
		s.buf, s.spans = s.buf[:0], s.spans[:0]
		for it := m.MapRange(); it.Next(); {
			s.key.SetIterKey(it)
			s.val.SetIterValue(it)
			at := span{start: len(s.buf)}
			s.buf = key.append(s.buf, s.key.Addr().UnsafePointer(), depth)
			at.mid = len(s.buf)
			s.buf = val.append(s.buf, s.val.Addr().UnsafePointer(), depth)
			at.end = len(s.buf)
			s.spans = append(s.spans, at)
		}
		// No encoding begins another one, so that this orders by key, then by value.
		slices.SortFunc(s.spans, func(a, b span) int { return bytes.Compare(s.buf[a.start:a.end], s.buf[b.start:b.end]) })
		for _, at := range s.spans {
			dst = append(dst, s.buf[at.start:at.end]...)
		}
		s.key.SetZero()
		s.val.SetZero()
		pool.Put(s)
		return dst
	}
	n.decode = func(src []byte, p unsafe.Pointer, depth int) ([]byte, error) {
		l, src, err := lengthOrNil(src, key.min+val.min)
		if err != nil {
			return nil, err
		}
		if depth++; depth > maxDepth {
			return nil, corrupt(tooDeep)
		}
		m := reflect.NewAt(t, p).Elem()
		m.SetZero()
		if l < 0 {
			return src, nil
		}
		const atOnce = 1024 // a map is costlier than its bytes: it grows as entries prove right
		m.Set(reflect.MakeMapWithSize(t, min(l, atOnce)))
		k, v := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		var last []byte
		for i := range l {
			back := (l-1-i)*(key.min+val.min) + val.min
			k.SetZero()
			v.SetZero()
			entry := src
			if src, err = key.decodeBefore(back, src, k.Addr().UnsafePointer(), depth); err != nil {
				return nil, within("[key]", err)
			}
			if src, err = val.decodeBefore(back-val.min, src, v.Addr().UnsafePointer(), depth); err != nil {
				return nil, within("[value]", err)
			}
			entry = entry[:len(entry)-len(src)]
			if bytes.Compare(last, entry) > 0 {
				return nil, corrupt("the keys of a map are out of order")
			}
			last = entry
			m.SetMapIndex(k, v)
		}
		if m.Len() != l {
			return nil, corrupt("a key stands in a map twice")
		}
		return src, nil
	}
}
