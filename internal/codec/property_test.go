package codec

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

type everything struct {
	B    bool
	I    int
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	F32  float32
	F64  float64
	C64  complex64
	C128 complex128
	S    string
	Bs   []byte
	A    [3]int16
	L    []string
	LL   [][]uint32
	P    *int32
	PP   **string
	M    map[string]int
	MM   map[[2]int8]map[bool][]float32
	E    struct{ X, Y int64 }
	LE   []struct {
		K string
		V *float64
	}
	D time.Duration
}

func TestRandomValuesComeBackAsTheyWere(t *testing.T) {
	c := must[everything](t)
	type keyed struct {
		S string
		I int16
		F float64
		A [2]uint8
	}
	ck := mustKey[keyed](t)
	if err := quick.Check(func(v everything, k keyed) bool {
		var back everything
		b := c.Append(nil, &v)
		rest, err := c.Decode(b, &back)
		var kb keyed
		_, kerr := ck.Decode(ck.Append(nil, &k), &kb)
		return err == nil && len(rest) == 0 && reflect.DeepEqual(back, v) && kerr == nil && kb == k
	}, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
}

func TestEveryCutOfAnEncodingIsRefused(t *testing.T) {
	c := must[tree](t)
	v := tree{-300, []tree{{1, nil, nil}, {}}, map[string]*tree{"a": {Value: 7}, "bc": nil}}
	b := c.Append(nil, &v)
	for n := range b {
		if _, err := c.Decode(b[:n], new(tree)); err == nil {
			t.Errorf("%d bytes of %d are taken for a whole value", n, len(b))
		}
	}
}

func TestKeysAreEqualIfAndOnlyIfTheirEncodingsAre(t *testing.T) {
	type key struct {
		S string
		I int8
		F float32
		B bool
	}
	c := mustKey[key](t)
	r := rand.New(rand.NewPCG(7, 7))
	floats := []float32{0, float32(negativeZero), 1, -1}
	draw := func() key {
		return key{[]string{"", "a", "ab", "b"}[r.IntN(4)], int8(r.IntN(3) - 1), floats[r.IntN(4)], r.IntN(2) == 0}
	}
	for range 20_000 {
		a, b := draw(), draw()
		if same := bytes.Equal(c.Append(nil, &a), c.Append(nil, &b)); same != (a == b) {
			t.Fatalf("%+v == %+v is %v, equal bytes %v", a, b, a == b, same)
		}
	}
}

var negativeZero = func() float64 { z := 0.0; return -z * 1 }()

// printed is what every process must print for the same values: maps of many keys, and key groups.
func printed(t *testing.T) string {
	m := map[string]map[int32]string{}
	for i := range int32(50) {
		s := strings.Repeat("k", int(i%7)) + string(rune('a'+i%26))
		if m[s] == nil {
			m[s] = map[int32]string{}
		}
		m[s][i*7919%101-50] = s
	}
	out := hex.EncodeToString(must[map[string]map[int32]string](t).Append(nil, &m))
	group, err := KeyGrouper[struct {
		A string
		F float64
	}]()
	if err != nil {
		t.Fatal(err)
	}
	groups := []byte{}
	for _, k := range slices.Sorted(func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}) {
		g := group(&struct {
			A string
			F float64
		}{k, 0.25})
		groups = append(groups, byte(g>>8), byte(g))
	}
	return out + " " + hex.EncodeToString(groups) + " " + must[tree](t).ID()
}

func TestAnotherProcessWritesTheSameBytesGroupsAndIDs(t *testing.T) {
	const mark = "CODEC_TEST_PRINT"
	if os.Getenv(mark) != "" {
		os.Stdout.WriteString("<" + printed(t) + ">")
		return
	}
	want := "<" + printed(t) + ">"
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), mark+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("another process prints\n%s\nwant\n%s", out, want)
		}
	}
}
