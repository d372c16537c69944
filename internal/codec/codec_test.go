package codec

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

type (
	sensorID string
	level    int8
	position struct{ Lat, Lon float64 }
	labels   map[string]int64
	base     struct{ Site string }
	reading  struct {
		base
		Sensor sensorID
		At     time.Time
		Level  level
		Pos    position
		Next   *reading
		Tags   []string
		Raw    []byte
		Labels labels
		Grid   [2][3]uint16
		Took   time.Duration
		_      [3]byte
	}
	tree struct {
		Value int
		Kids  []tree
		Named map[string]*tree
	}
	nested []nested
	set    map[int32]struct{}
	empty  struct{}
)

func must[T any](t testing.TB) *Codec[T] {
	t.Helper()
	c, err := For[T]()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustKey[T comparable](t testing.TB) *Codec[T] {
	t.Helper()
	c, err := ForKey[T]()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// writes checks the bytes of values, in hexadecimal, and that they read back.
func writes[T any](t *testing.T, c *Codec[T], want string, v T) {
	t.Helper()
	got := c.Append([]byte("head"), &v)
	if !bytes.HasPrefix(got, []byte("head")) {
		t.Fatalf("%#v overwrote what stood before it", v)
	}
	if got = got[4:]; hex.EncodeToString(got) != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%#v is written %x, want %s", v, got, want)
	}
	var back T
	rest, err := c.Decode(append(bytes.Clone(got), "tail"...), &back)
	if err != nil || string(rest) != "tail" {
		t.Fatalf("%#v: rest %q, error %v", v, rest, err)
	}
	if again := c.Append(nil, &back); !bytes.Equal(again, got) {
		t.Errorf("%#v came back as %#v", v, back)
	}
	if f := reflect.ValueOf(&v).Elem(); !f.CanFloat() && !reflect.DeepEqual(back, v) {
		t.Errorf("%#v came back as %#v", v, back)
	}
}

func TestValuesAreWrittenAsTheFormatSays(t *testing.T) {
	// By hand, from the table in the package comment.
	writes(t, must[bool](t), "01", true)
	writes(t, must[bool](t), "00", false)
	writes(t, must[int8](t), "80", -128)
	writes(t, must[uint8](t), "ff", 255)
	writes(t, must[int16](t), "01", -1)
	writes(t, must[int32](t), "ffffffff0f", math.MinInt32)
	writes(t, must[int64](t), "ffffffffffffffffff01", math.MinInt64)
	writes(t, must[int64](t), "feffffffffffffffff01", math.MaxInt64)
	writes(t, must[int](t), "8002", 128)
	writes(t, must[uint16](t), "ac02", 300)
	writes(t, must[uint32](t), "7f", 127)
	writes(t, must[uint64](t), "ffffffffffffffffff01", math.MaxUint64)
	writes(t, must[uint](t), "00", 0)
	writes(t, must[float32](t), "0000803f", 1)
	writes(t, must[float64](t), "000000000000f03f", 1)
	writes(t, must[complex64](t), "0000803f 000000c0", complex(1, -2))
	writes(t, must[complex128](t), "000000000000f03f 00000000000000c0", complex(1, -2))
	writes(t, must[string](t), "00", "")
	writes(t, must[string](t), "03 61ff00", "a\xff\x00")
	writes(t, must[sensorID](t), "04 73656e73", "sens")
	writes(t, must[level](t), "fe", -2)
	writes(t, must[time.Duration](t), "01", -1)
	writes(t, must[[]byte](t), "00", nil)
	writes(t, must[[]byte](t), "01", []byte{})
	writes(t, must[[]byte](t), "03 0102", []byte{1, 2})
	writes(t, must[[]int64](t), "00", nil)
	writes(t, must[[]int64](t), "01", []int64{})
	writes(t, must[[]int64](t), "04 00 02 01", []int64{0, 1, -1})
	writes(t, must[[3]byte](t), "010203", [3]byte{1, 2, 3})
	writes(t, must[[2]level](t), "01ff", [2]level{1, -1})
	writes(t, must[[0]int](t), "", [0]int{})
	writes(t, must[[]empty](t), "03 00 00", make([]empty, 2))
	writes(t, must[map[empty]empty](t), "02 00", map[empty]empty{{}: {}})
	writes(t, must[labels](t), "00", nil)
	writes(t, must[labels](t), "01", labels{})
	writes(t, must[labels](t), "03 00 02 0161 04", labels{"a": 2, "": 1})
	writes(t, must[set](t), "03 01 02", set{1: {}, -1: {}})
	writes(t, must[position](t), "000000000000f03f 000000000000f0bf", position{1, -1})
	writes(t, must[empty](t), "", empty{})
	writes(t, must[*string](t), "00", nil)
	writes(t, must[*string](t), "01 0161", new("a"))
	writes(t, must[nested](t), "03 01 00", nested{{}, nil})
}

func TestAnInstantIsWrittenInSecondsAndNanosecondsOfUTC(t *testing.T) {
	c := must[time.Time](t)
	writes(t, c, "00 00", time.Unix(0, 0).UTC())
	writes(t, c, "01 ff93ebdc03", time.Unix(-1, 999_999_999).UTC()) // zigzag -1; 999,999,999 in base 128
	for _, s := range []string{"1600-02-29T23:59:59.999999999Z", "9999-12-31T23:59:59.5Z", "0001-01-01T00:00:00Z"} {
		want, _ := time.Parse(time.RFC3339Nano, s)
		var got time.Time
		if _, err := c.Decode(c.Append(nil, &want), &got); err != nil || got != want {
			t.Errorf("%s came back as %s, error %v", s, got, err)
		}
	}
	utc := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)
	elsewhere := utc.In(time.FixedZone("", 3600))
	if a, b := c.Append(nil, &utc), c.Append(nil, &elsewhere); !bytes.Equal(a, b) {
		t.Errorf("one instant is written %x in UTC and %x elsewhere", a, b)
	}
	now := time.Now() // carries a monotonic reading, which must not show
	stripped := now.Round(0)
	if a, b := c.Append(nil, &now), c.Append(nil, &stripped); !bytes.Equal(a, b) {
		t.Errorf("a monotonic reading shows: %x, %x", a, b)
	}
	type local time.Time
	l := local(utc)
	if a, b := must[local](t).Append(nil, &l), c.Append(nil, &utc); !bytes.Equal(a, b) {
		t.Errorf("a type made from time.Time is written %x, want %x", a, b)
	}
}

func TestNestedNamedAndEmbeddedTypesComeBackAsTheyWere(t *testing.T) {
	v := reading{
		base: base{"north"}, Sensor: "s1", At: time.Date(1600, 1, 2, 3, 4, 5, 6, time.UTC), Level: -3, Pos: position{52.5, 13.4},
		Next: &reading{Tags: []string{}, Labels: labels{}}, Tags: []string{"", "x"}, Raw: []byte{0}, Labels: labels{"a": 1, "b": -1},
		Grid: [2][3]uint16{{1, 2, 3}, {4, 5, 65535}}, Took: time.Hour,
	}
	c := must[reading](t)
	var got reading
	got.Labels, got.Next = labels{"stale": 1}, &reading{}
	if rest, err := c.Decode(c.Append(nil, &v), &got); err != nil || len(rest) != 0 || !reflect.DeepEqual(got, v) {
		t.Errorf("came back as %+v, rest %x, error %v", got, rest, err)
	}
	tr := tree{1, []tree{{2, nil, nil}, {3, []tree{{4, nil, map[string]*tree{"none": nil, "five": {Value: 5}}}}, nil}}, nil}
	ct := must[tree](t)
	var back tree
	if _, err := ct.Decode(ct.Append(nil, &tr), &back); err != nil || !reflect.DeepEqual(back, tr) {
		t.Errorf("tree came back as %+v, error %v", back, err)
	}
}

func TestKeysNormaliseFloatsAndValuesKeepTheirBits(t *testing.T) { // S7.4
	negative0, oddNaN := math.Copysign(0, -1), math.Float64frombits(0xfff8000000000123)
	k := mustKey[float64](t)
	for v, want := range map[*float64]string{
		new(0.0): "0000000000000000", &negative0: "0000000000000000", new(math.NaN()): "000000000000f87f", &oddNaN: "000000000000f87f",
	} {
		if got := hex.EncodeToString(k.Append(nil, v)); got != want {
			t.Errorf("key %v is written %s, want %s", *v, got, want)
		}
	}
	writes(t, must[float64](t), "0000000000000080", negative0)
	writes(t, must[float64](t), "230100000000f8ff", oddNaN)
	k32 := mustKey[struct{ A [2]float32 }](t)
	if got := hex.EncodeToString(k32.Append(nil, &struct{ A [2]float32 }{[2]float32{float32(negative0), math.Float32frombits(0xffc00001)}})); got != "000000000000c07f" {
		t.Errorf("floats within a key are written %s", got)
	}
	if got := hex.EncodeToString(mustKey[complex128](t).Append(nil, new(complex(negative0, oddNaN)))); got != "0000000000000000000000000000f87f" {
		t.Errorf("a complex key is written %s", got)
	}
	for _, in := range []string{"0000000000000080", "230100000000f8ff"} {
		b, _ := hex.DecodeString(in)
		if _, err := k.Decode(b, new(float64)); err == nil {
			t.Errorf("a key codec takes the float %s", in)
		}
	}
}

func TestAMapWithNaNKeysKeepsAllOfThem(t *testing.T) {
	c := must[map[float64]int](t)
	m := map[float64]int{math.NaN(): 3, 1: 1}
	m[math.NaN()] = 2
	b := c.Append(nil, &m)
	var back map[float64]int
	if _, err := c.Decode(b, &back); err != nil || len(back) != 3 {
		t.Fatalf("%d keys came back, error %v", len(back), err)
	}
	if again := c.Append(nil, &back); !bytes.Equal(again, b) {
		t.Errorf("%x came back as %x", b, again)
	}
}

func TestATypeThatMarshalsItselfIsWrittenByIt(t *testing.T) {
	a := netip.MustParseAddr("192.0.2.1")
	writes(t, must[netip.Addr](t), "04 c0000201", a)
	writes(t, mustKey[netip.Addr](t), "04 c0000201", a)
	writes(t, must[big.Int](t), "04 2d313233", *big.NewInt(-123)) // by its text
	u, _ := url.Parse("https://a.example/b")
	writes(t, must[*url.URL](t), "01 13 "+hex.EncodeToString([]byte(u.String())), u)
	long := *new(big.Int).Exp(big.NewInt(10), big.NewInt(200), nil) // 201 digits: a length of two bytes
	writes(t, must[big.Int](t), "c901"+hex.EncodeToString([]byte(long.String())), long)
}

func TestMethodsOfAnEmbeddedFieldDoNotWriteTheWholeStruct(t *testing.T) {
	type stamped struct {
		time.Time
		Name string
	}
	writes(t, must[stamped](t), "00 00 0161", stamped{time.Unix(0, 0).UTC(), "a"})
	type hidden struct {
		time.Time
		//lint:ignore U1000 an unexported field is the point
		name string
	}
	if _, err := For[hidden](); err == nil || !strings.Contains(err.Error(), `"name" is unexported`) {
		t.Errorf("error %v", err)
	}
}

func TestIDSpellsOutTheShape(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{must[sensorID](t).ID(), "string"},
		{must[int](t).ID(), "int64"},
		{must[uint](t).ID(), "uint64"},
		{must[time.Duration](t).ID(), "int64"},
		{must[complex64](t).ID(), "complex64"},
		{must[float32](t).ID(), "float32"},
		{mustKey[float32](t).ID(), "keyfloat32"},
		{must[position](t).ID(), "struct{Lat:float64,Lon:float64}"},
		{must[[]byte](t).ID(), "[]uint8"},
		{must[[4]byte](t).ID(), "[4]uint8"},
		{must[set](t).ID(), "map[int32]struct{}"},
		{must[nested](t).ID(), "[]^1"},
		{must[tree](t).ID(), "struct{Value:int64,Kids:[]^2,Named:map[string]*^3}"},
		{must[netip.Addr](t).ID(), "binary:net/netip.Addr"},
		{must[big.Int](t).ID(), "text:math/big.Int"},
		{mustKey[struct {
			Sensor string
			At     time.Time
		}](t).ID(), "struct{Sensor:string,At:time}"},
		{must[reading](t).ID(), "struct{base:struct{Site:string},Sensor:string,At:time,Level:int8,Pos:struct{Lat:float64,Lon:float64}," +
			"Next:*^2,Tags:[]string,Raw:[]uint8,Labels:map[string]int64,Grid:[2][3]uint16,Took:int64}"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestSimilarTypesWithOtherEncodingsHaveOtherIDs(t *testing.T) {
	ids := []string{
		must[struct{ A, B int32 }](t).ID(), must[struct{ B, A int32 }](t).ID(), must[struct{ A, B int16 }](t).ID(),
		must[struct {
			A struct{ X int }
			B int
		}](t).ID(), must[struct{ A struct{ X, B int } }](t).ID(), must[[]int](t).ID(), must[[1]int](t).ID(), must[*int](t).ID(),
		must[map[int]string](t).ID(), must[map[string]int](t).ID(), must[uint](t).ID(), must[int](t).ID(), must[float64](t).ID(),
		mustKey[float64](t).ID(), must[time.Time](t).ID(), must[string](t).ID(), must[[]byte](t).ID(), must[bool](t).ID(), must[int8](t).ID(),
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			t.Errorf("two types have the ID %s", id)
		}
		seen[id] = true
	}
}

func TestWhatHasNoEncodingIsRefusedWithItsPlaceAndAWayOut(t *testing.T) {
	type bad struct {
		Name   string
		Source []struct{ Conn chan int }
		Any    map[string]any
		Do     func()
		Addr   uintptr
		Keys   map[*int]bool
		Times  map[time.Time]bool
	}
	_, err := For[bad]()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"codec.bad.Source[].Conn: chan int cannot be encoded: a chan lives in one process only; leave it out",
		"codec.bad.Any[value]: interface {} cannot be encoded: what an interface will hold is not known when the plan is built; name a concrete type",
		"codec.bad.Do: func() cannot be encoded", "codec.bad.Addr: uintptr cannot be encoded", "codec.bad.Keys[key]: *int cannot be encoded: == of pointers",
		"codec.bad.Times[key]: time.Time cannot be encoded: a map can hold one instant twice",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
	refused := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	_, err = ForKey[*int]()
	refused("use what it points to as the key", err)
	_, err = ForKey[any]()
	refused("use a concrete type as the key", err)
	_, err = ForKey[struct{ C chan int }]()
	refused("struct { C chan int }.C: chan int", err)
	_, err = ForKey[url.URL]()
	refused("compared by the addresses that it holds", err)
	_, err = For[struct{ a int }]()
	refused(`its field "a" is unexported; export its fields, or implement encoding.BinaryMarshaler`, err)
}

func TestAPointerCycleIsAnErrorNotAnEndlessLoop(t *testing.T) {
	type ring struct{ Next *ring }
	c := must[ring](t)
	r := &ring{}
	r.Next = r
	defer func() {
		e, ok := recover().(*EncodeError)
		if !ok || !strings.Contains(e.Error(), "nested deeper than 10,000 levels: a cycle of pointers") {
			t.Errorf("panicked with %v", e)
		}
	}()
	c.Append(nil, r)
	t.Error("a ring was written")
}

func TestTheFieldsOfAKeyThatEqualityIgnoresDoNotShow(t *testing.T) {
	type key struct {
		A byte
		_ int64
		B byte
	}
	writes(t, mustKey[key](t), "0102", key{A: 1, B: 2})
}

func TestWritingAllocatesNothingPerElement(t *testing.T) {
	v := reading{Sensor: "s", Tags: []string{"a", "b"}, Raw: []byte("xyz"), Next: &reading{}}
	c := must[reading](t)
	buf := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() { buf = c.Append(buf[:0], &v) }); n != 0 {
		t.Errorf("%v allocations to write a struct", n)
	}
	type key struct {
		Region string
		Month  int32
		At     time.Time
		Price  float64
	}
	k, ck := key{Region: "north", Month: 7}, mustKey[key](t)
	if n := testing.AllocsPerRun(100, func() { buf = ck.Append(buf[:0], &k) }); n != 0 {
		t.Errorf("%v allocations to write a key", n)
	}
	ci := must[struct{ A, B int64 }](t)
	in := ci.Append(nil, &struct{ A, B int64 }{1, -1})
	var out struct{ A, B int64 }
	if n := testing.AllocsPerRun(100, func() { _, _ = ci.Decode(in, &out) }); n != 0 {
		t.Errorf("%v allocations to read a struct of integers", n)
	}
}

func TestAnArrayOfEmptyElementsTakesNoTimeHoweverLong(t *testing.T) {
	c, v := must[[1 << 30]empty](t), new([1 << 30]empty)
	if b := c.Append(nil, v); len(b) != 0 {
		t.Errorf("%d bytes", len(b))
	}
	if _, err := c.Decode(nil, v); err != nil {
		t.Error(err)
	}
}
