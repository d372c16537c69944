package prose

import "testing"

func TestDigitsStandInThrees(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 123456: "123,456", 1234567: "1,234,567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestAWordFollowsItsNumber(t *testing.T) {
	for _, c := range []struct {
		n    int
		of   string
		want string
	}{{0, "split", "0 splits"}, {1, "split", "1 split"}, {3, "split", "3 splits"}, {1, "pass", "1 pass"}, {2, "pass", "2 passes"}, {1000, "record", "1000 records"}} {
		if got := Several(c.n, c.of); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
