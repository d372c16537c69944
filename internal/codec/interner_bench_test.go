package codec

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchKeys draws events' keys at random from n distinct strings of about ten bytes, each event
// with its own copy, as a parser gives them.
func benchKeys(n, events int) (distinct, drawn []string) {
	r := rand.New(rand.NewPCG(1, 2))
	distinct = make([]string, n)
	for i := range distinct {
		distinct[i] = fmt.Sprintf("sensor-%05d", i)[:12]
	}
	drawn = make([]string, events)
	for i := range drawn {
		drawn[i] = string([]byte(distinct[r.IntN(n)]))
	}
	return distinct, drawn
}

func BenchmarkIntern(b *testing.B) {
	const batch = 1024
	for _, n := range []int{1000, 100_000} {
		distinct, drawn := benchKeys(n, 1<<20)
		ids := make([]uint32, batch)
		b.Run(fmt.Sprintf("strings/%d", n), func(b *testing.B) {
			in := NewInterner(0)
			for _, k := range distinct {
				in.Intern([]byte(k))
			}
			for i := 0; i < b.N; i += batch {
				at := i % len(drawn)
				in.InternStrings(drawn[at:at+batch], ids)
			}
		})
		b.Run(fmt.Sprintf("map/%d", n), func(b *testing.B) {
			m := map[string]uint32{}
			for i, k := range distinct {
				m[k] = uint32(i)
			}
			for i := 0; i < b.N; i += batch {
				at := i % len(drawn)
				for j, k := range drawn[at : at+batch] {
					ids[j] = m[k]
				}
			}
		})
		b.Run(fmt.Sprintf("single/%d", n), func(b *testing.B) {
			in := NewInterner(0)
			for _, k := range distinct {
				in.Intern([]byte(k))
			}
			for i := 0; i < b.N; i += batch {
				at := i % len(drawn)
				for j, k := range drawn[at : at+batch] {
					ids[j] = in.Intern([]byte(k))
				}
			}
		})
	}
}
