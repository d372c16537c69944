package near

import "testing"

func TestTheNearestWordIsWhatWasMeant(t *testing.T) {
	names := []string{"Filter", "Combine", "shop-7", "shop-70"}
	for word, want := range map[string]string{"Fliter": "Filter", "combine": "Combine", "shop-77": "shop-7", "nothing like it": "", "": ""} {
		if got := Of(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
