package size

import "testing"

// What a slice, a map or text holds is more than its header.
func TestTheSizeOfAValueIsThatOfWhatItPointsTo(t *testing.T) {
	type row struct {
		Name string
		List []int64
		At   *int64
	}
	seven := int64(7)
	v := row{"abc", make([]int64, 3, 4), &seven}
	if got, want := Of(&v), Flat[row]()+3+4*8+8; got != want {
		t.Errorf("%d bytes, not %d", got, want)
	}
	type loop struct{ Next *loop }
	l := &loop{}
	l.Next = l
	if got := Of(l); got > 8*(enough+1) {
		t.Errorf("%d bytes of a value that points to itself", got)
	}
	nested := any(0)
	for range 12 {
		list := make([]any, 100)
		for i := range list {
			list[i] = nested
		}
		nested = list
	}
	Of(&nested) // 100 to the 12th values, and it comes back
}
