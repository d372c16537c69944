package record

import (
	"math"
	"testing"
	"unsafe"
)

func TestAValueIsThreeWords(t *testing.T) {
	if got := unsafe.Sizeof(Value{}); got != 24 {
		t.Errorf("%d bytes", got)
	}
	if got := testing.AllocsPerRun(100, func() {
		for _, v := range []Value{OfInt(1 << 60), OfFloat(0.1), OfBool(true), OfTime(-1), OfString("abc"), {}} {
			if v.Kind() > String+2 {
				t.Fail()
			}
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

var values = []Value{
	{}, OfBool(false), OfBool(true), OfInt(math.MinInt64), OfInt(-1), OfInt(0), OfInt(1<<53 + 1), OfInt(math.MaxInt64),
	OfFloat(math.Inf(-1)), OfFloat(-0.5), OfFloat(1e300), OfFloat(math.NaN()), OfString(""), OfString("a\"é"), OfBytes(nil), OfBytes([]byte{0xff}),
	OfTime(0), OfTime(-11_676_096_000_000_000), OfList(nil), OfList([]Value{OfInt(1), {}, OfString("x")}),
	OfStruct([]string{"a", "b"}, []Value{OfInt(1), OfList([]Value{OfBool(true)})}),
}

func TestRowsSurviveTheirEncoding(t *testing.T) {
	b := AppendBinary(nil, values...)
	back, err := ParseBinary(b)
	if err != nil || len(back) != len(values) {
		t.Fatalf("%d values, %v", len(back), err)
	}
	for i, v := range back {
		if v.Kind() != values[i].Kind() || !Equal(v, values[i]) {
			t.Errorf("%#v came back as %#v", values[i], v)
		}
	}
	for cut := range b {
		_, _ = ParseBinary(b[:cut]) // must not panic
	}
}

func TestAValueIsEncodedAlone(t *testing.T) {
	for _, v := range values {
		b, err := v.MarshalBinary()
		var back Value
		if err != nil || back.UnmarshalBinary(b) != nil || !Equal(back, v) {
			t.Errorf("%#v came back as %#v, %v", v, back, err)
		}
	}
	if err := new(Value).UnmarshalBinary(nil); err == nil {
		t.Error("nothing is no value")
	}
}

func TestKeysOfEqualValuesAreEqual(t *testing.T) {
	for _, p := range [][2]Value{{OfFloat(0), OfFloat(math.Copysign(0, -1))}, {OfFloat(math.NaN()), OfFloat(math.Float64frombits(0x7ff8000000000002))}} {
		if a, b := AppendBinary(nil, p[0]), AppendBinary(nil, p[1]); string(a) != string(b) {
			t.Errorf("%x and %x", a, b)
		}
	}
}

func TestOrderAndEquality(t *testing.T) {
	ascending := []Value{{}, OfBool(false), OfBool(true), OfFloat(math.NaN()), OfFloat(math.Inf(-1)), OfInt(math.MinInt64), OfFloat(-0.5), OfInt(0),
		OfFloat(0.5), OfFloat(1 << 53), OfInt(1<<53 + 1), OfInt(math.MaxInt64), OfFloat(1 << 63), OfString("a"), OfString("b")}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := Compare(a, b); got != want {
				t.Errorf("%#v and %#v: %d", a, b, got)
			}
			if got := Equal(a, b); got != (i == j) {
				t.Errorf("%#v = %#v: %v", a, b, got)
			}
		}
	}
	if !Equal(OfInt(3), OfFloat(3)) || Equal(OfInt(3), OfString("3")) {
		t.Error("3 is 3.0, and not a string")
	}
	a := OfStruct([]string{"x", "y"}, []Value{OfInt(1), {}})
	if b := OfStruct([]string{"y", "x"}, []Value{{}, OfInt(1)}); !Equal(a, b) {
		t.Error("the order of fields matters")
	}
}

func TestJSON(t *testing.T) {
	v := OfStruct([]string{"n", "i", "f", "s", "t", "b", "l", "nan", "small", "big"}, []Value{
		{}, OfInt(9007199254740993), OfFloat(1.5), OfString("a\"\x01é\xff"), OfTime(1_790_000_000_500_000), OfBytes([]byte("hi")),
		OfList([]Value{OfBool(true), OfFloat(3)}), OfFloat(math.NaN()), OfFloat(1e-9), OfFloat(1e21),
	})
	const want = `{"n":null,"i":9007199254740993,"f":1.5,"s":"a\"\u0001é` + "\ufffd" + `","t":"2026-09-21T14:13:20.5Z","b":"aGk=","l":[true,3],"nan":"NaN","small":1e-9,"big":1e+21}`
	if got := v.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUnionOfTypes(t *testing.T) {
	object := func(fields ...Field) Type { return Type{Kind: Struct, Fields: fields} }
	for _, c := range []struct{ a, b, want string }{
		{"integer", "integer", "integer"}, {"integer", "number", "number"}, {"null", "string", "string?"}, {"string", "integer", "any"},
	} {
		of := map[string]Type{"integer": {Kind: Int}, "number": {Kind: Float}, "null": {Kind: Null}, "string": {Kind: String}}
		if got := Union(of[c.a], of[c.b]).String(); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
	a := object(Field{"x", Type{Kind: Int}}, Field{"y", Type{Kind: List, Elem: &Type{Kind: Int}}})
	b := object(Field{"x", Type{Kind: Float}}, Field{"z", Type{Kind: String}})
	if got, want := Union(a, b).String(), "{x: number, y: array[integer]?, z: string?}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := TypeOf(OfList([]Value{OfInt(1), {}})).String(), "array[integer?]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestConformBringsValuesIntoTheFormOfAType(t *testing.T) {
	of := Type{Kind: Struct, Fields: []Field{{"n", Type{Kind: Float}}, {"t", Type{Kind: Time}}, {"l", Type{Kind: List, Elem: &Type{Kind: Float}}}}}
	v, err := Conform(OfStruct([]string{"l", "n", "t", "x"}, []Value{OfList([]Value{OfInt(1), OfFloat(0.5)}), OfInt(3), OfString("2026-07-01T00:00:00Z"), OfBool(true)}), of)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := v.String(), `{"n":3,"t":"2026-07-01T00:00:00Z","l":[1,0.5]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	n := v.Struct()
	if n.Values[0].Kind() != Float || n.Values[1].Kind() != Time || n.Values[2].List()[0].Kind() != Float {
		t.Errorf("%#v", n.Values)
	}
	for _, bad := range []struct {
		v Value
		t Type
	}{{OfString("x"), Type{Kind: Int}}, {OfFloat(1.5), Type{Kind: Int}}, {OfString("x"), Type{Kind: Time}}, {OfList([]Value{OfString("x")}), Type{Kind: List, Elem: &Type{Kind: Int}}}} {
		if got, err := Conform(bad.v, bad.t); err == nil {
			t.Errorf("%#v as %s: %#v", bad.v, bad.t, got)
		}
	}
	if v, err := Conform(Value{}, Type{Kind: Int}); err != nil || !v.IsNull() {
		t.Errorf("null: %v, %v", v, err)
	}
}

func TestEqualValuesHaveOneCanonicalForm(t *testing.T) {
	a := OfStruct([]string{"x", "y"}, []Value{OfInt(1), OfList([]Value{OfFloat(2)})})
	b := OfStruct([]string{"y", "x"}, []Value{OfList([]Value{OfInt(2)}), OfFloat(1)})
	if string(AppendBinary(nil, Canonical(a))) != string(AppendBinary(nil, Canonical(b))) {
		t.Error("they differ")
	}
}
