package expr

import (
	"strings"
	"sync"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

// order is a row of the schema shop. count and bytes are null; at is 2026-03-29T00:30:00.25Z.
func order() record.Row {
	return record.Row{
		record.OfFloat(2.5), record.Value{}, record.OfString("Ann"), record.OfBool(true), record.OfTime(1_774_744_200_250_000),
		record.OfList([]record.Value{record.OfString("x"), record.OfString("y")}),
		record.OfStruct([]string{"id", "name"}, []record.Value{record.OfInt(7), {}}),
		record.OfStruct([]string{"a", "n"}, []record.Value{record.OfList([]record.Value{record.OfInt(5)}), record.OfString(" 12 ")}),
		record.OfInt(3), record.Value{},
	}
}

// eval gives the value as JSON and its type, or the error.
func eval(t *testing.T, text string) string {
	t.Helper()
	p, errs := Compile(text, shop)
	if errs != nil {
		t.Errorf("%s: %v", text, errs)
		return ""
	}
	v, err := p.Eval(order())
	if err != nil {
		return "error: " + err.Error()
	}
	return v.String() + " " + p.Type().String()
}

func check(t *testing.T, table string) {
	t.Helper()
	for line := range strings.Lines(table) {
		text, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		if got := eval(t, text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestNullFollowsTheRulesOfThePackage(t *testing.T) {
	check(t, `
		count + 1 => null integer?
		-count => null integer?
		count / 2 => null number?
		count > 1 => null boolean?
		count == count => null boolean?
		count != 1 => null boolean?
		abs(count) => null integer?
		round(amount, count) => null number?
		str(count) => null string?
		min(1, count) => null integer?
		'n=' + str(count) => null string?
		count > 1 and false => false boolean?
		false and count > 1 => false boolean?
		count > 1 and true => null boolean?
		true and count > 1 => null boolean?
		count > 1 and count > 2 => null boolean?
		count > 1 or true => true boolean?
		true or count > 1 => true boolean?
		count > 1 or false => null boolean?
		false or count > 1 => null boolean?
		not count > 1 => null boolean?
		false and true and count > 1 => false boolean?
		true and count > 1 and false => false boolean?
		true and count > 1 and true => null boolean?
		false or count > 1 or true => true boolean?
		count > 1 and 1 // 0 > 1 => error: 1 // 0: division by zero
		1 < count < 0 => null boolean?
		1 < 0 < count => false boolean?
		count < 1 < 0 => false boolean?
		1 if count > 1 else 2 => 2 integer
		if(count > 1, 'a', null) => null string?
		1 if true else null => 1 integer?
		count if true else 1.5 => null number?
		count in [1, 2] => null boolean?
		count not in [1, 2] => null boolean?
		count in [] => null boolean?
		5 in [1, null] => false boolean
		5 not in [1, null] => true boolean
		1 in [1, null] => true boolean
		5 in [1, count] => false boolean
		count is None => true boolean
		count is not None => false boolean
		count is null => true boolean
		isNull(count) => true boolean
		isNull(null) => true boolean
		count + 1 is None => true boolean
		who.name is None => true boolean
		who.name.upper() => null string?
		coalesce(count, 0) => 0 integer
		coalesce(count, 0.5) => 0.5 number
		coalesce(count, count) => null integer?
		coalesce(null, name) => "Ann" string
		coalesce(null) => null null
		[1, null][1] => null integer?
		[1, null][0] => 1 integer?
		tags[count] => null string?
		tags[:count] => null array[string]?
		name[count] => null string?
		len(who.name) => null integer?
		extract(name, 'x') => null string?
		extract(name, '(x)?A') => null string?
		raw.b => null any
		raw.b.c => null any
		raw.b[0] => null any
		int(raw.b) => null integer?
		null => null null
		join(['a', who.name], '') => error: join(['a', who.name], ''): there is a null in the list
	`)
}

func TestAFilterTakesNullAsFalse(t *testing.T) {
	for text, want := range map[string]bool{"count > 1": false, "not count > 1": false, "count is None": true, "amount > 1": true} {
		p, errs := Compile(text, shop)
		if errs != nil {
			t.Fatal(errs)
		}
		if got, err := p.Bool(order()); got != want || err != nil {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestTypesOfPartsAndCasts(t *testing.T) {
	check(t, "who.id => 7 integer\n who['id'] + 1 => 8 integer\n `odd name` * 2 => 6 integer\n"+`
		who => {"id":7,"name":null} {id: integer, name: string?}
		tags[0] + tags[-1] => "xy" string
		tags[5] => error: tags[5]: there is no element 5: the length is 2
		raw.a => [5] any
		raw['a'][0] => 5 any
		raw.a[1] => error: raw.a[1]: there is no element 1: the length is 1
		raw[0] => error: raw[0]: raw is an object, not an array
		raw.n.x => error: raw.n.x: raw.n is a string, not an object
		int(raw.a[0]) + 1 => 6 integer?
		int(raw.n) => 12 integer?
		float(raw.a[0]) => 5 number?
		str(raw.a[0]) => "5" string?
		str(raw) => error: str(raw): an object is not written as text: json writes it
		bool(raw.a[0]) => true boolean?
		bool(raw.n) => error: bool(raw.n): " 12 " is not a boolean
		int(raw) => error: int(raw): an object is not an integer of 64 bits
		timestamp(raw.n, 'seconds') => error: timestamp(raw.n, 'seconds'): " 12 " is not a number
		timestamp(raw.a[0], 'seconds') => "1970-01-01T00:00:05Z" timestamp?
		timestamp(raw.a[0]) => error: timestamp(raw.a[0]): a number needs a unit, as in timestamp(x, 'seconds')
		int(name) => error: int(name): "Ann" is not an integer of 64 bits
		float(name) => error: float(name): "Ann" is not a number
		json(who) => "{\"id\":7,\"name\":null}" string
		json(raw.a) => "[5]" string?
		str(at) => "2026-03-29T00:30:00.25Z" string
		[1, 2.5] => [1,2.5] array[number]
		[1 if flag else 2, 0.5] => [1,0.5] array[number]
		[[], [1]] => [[],[1]] array[array[integer]]
		[] => [] array[any]
		1 if flag else 2.5 => 1 number
		max(1, 2.5) => 2.5 number
		9007199254740993 if flag else 0.5 => error: 9007199254740993: the integer 9007199254740993 would be rounded as a number
		if(flag, who, null) => {"id":7,"name":null} {id: integer, name: string?}?
		bytes == bytes => null boolean?
		beam.Row(a=name, b=[amount]) => {"a":"Ann","b":[2.5]} {a: string, b: array[number]}
		beam.Row(a=1, b_c=count,).a => 1 integer
		beam.Row() => {} {}
		[beam.Row(a=1), beam.Row(b='x')] => [{"a":1,"b":null},{"a":null,"b":"x"}] array[{a: integer?, b: string?}]
		len(bytes) => null integer?
		name.contains('nn') => true boolean
		contains(tags, 'y') => true boolean
		concat(name, '-', tags[0]) => "Ann-x" string
		substr(name, 1) => "nn" string
		substr(name, -2, 1) => "n" string
		substr(name, 9) => "" string
		substr(name, 0, -1) => error: substr(name, 0, -1): the length is negative
		substr('äöü', 1, 1) => "ö" string
		matches(name, '^a') => false boolean
		matches(name, '(?i)^a') => true boolean
		extract('k=v', '(\\w)=(\\w)', 2) => "v" string?
		extract('k=v', r'(\w)=(\w)', 0) => "k=v" string?
		findAll('a1b22', '[0-9]+') => ["1","22"] array[string]
		findAll('a1b22', '([a-z])[0-9]') => ["a","b"] array[string]
		findAll('ab', '(x)?b') => [""] array[string]
		findAll(name, 'x') => [] array[string]
		-9223372036854775808 // -1 => error: -9223372036854775808 // -1: the result is too large for an integer of 64 bits
		-(-9223372036854775808) => error: -(-9223372036854775808): the result is too large for an integer of 64 bits
		abs(-9223372036854775808) => error: abs(-9223372036854775808): the result is too large for an integer of 64 bits
		9223372036854775807 * 2 => error: 9223372036854775807 * 2: the result is too large for an integer of 64 bits
		9223372036854775807 - -1 => error: 9223372036854775807 - -1: the result is too large for an integer of 64 bits
		-9223372036854775808 - 1 => error: -9223372036854775808 - 1: the result is too large for an integer of 64 bits
		10 ** 19 => error: 10 ** 19: the result is too large for an integer of 64 bits
		!flag => false boolean
		flag && amount > 1 || false => true boolean
		'a' if flag && !(amount > 5) else 'b' => "a" string
	`)
}

func TestARowThatIsNotOfItsSchemaIsAnErrorOfTheRecord(t *testing.T) {
	for text, want := range map[string]string{
		"name":             "name: the record has an integer here, its schema says a string",
		"name.lower()":     "name: the record has an integer here, its schema says a string",
		"tags[0]":          "tags[0]: the record has an integer here, its schema says a string",
		"who.id + 1":       "who.id: the record has a string here, its schema says an integer",
		"amount + 1":       "amount: the record has a boolean here, its schema says a number",
		"flag":             "", // null, whatever the schema says
		"`odd name` == 12": "",
	} {
		row := order()
		row[0], row[2], row[3] = record.OfBool(true), record.OfInt(1), record.Value{}
		row[5] = record.OfList([]record.Value{record.OfInt(1)})
		row[6] = record.OfStruct([]string{"id"}, []record.Value{record.OfString("7")})
		p, errs := Compile(text, shop)
		if errs != nil {
			t.Fatal(errs)
		}
		v, err := p.Eval(row[:8])
		if want == "" {
			if err != nil || !v.IsNull() {
				t.Errorf("%s is %v, %v; want null", text, v, err)
			}
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestAProgramKnowsTheFieldsThatItReads(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2": "", "amount": "amount", "name + str(amount)": "amount,name", "raw.a[`odd name`]": "raw,odd name", "name == name and flag": "name,flag",
		"if(flag, who.id, 0)": "flag,who", "not isNull(count)": "count",
	} {
		p, errs := Compile(text, shop)
		if errs != nil {
			t.Fatal(errs)
		}
		if got := strings.Join(p.Fields(), ","); got != want {
			t.Errorf("%s reads %s, want %s", text, got, want)
		}
		i, ok := p.Field()
		if ok != (text == "amount") || ok && i != 0 {
			t.Errorf("%s is field %d, %v", text, i, ok)
		}
	}
	for text, want := range map[string]int{"(name)": 2, "+amount": -1, "amount * 1": -1, "str(name)": -1, "coalesce(name)": -1, "`odd name`": 8} {
		p, errs := Compile(text, shop)
		if errs != nil {
			t.Fatal(errs)
		}
		if got, _ := p.Field(); got != want {
			t.Errorf("%s is field %d, want %d", text, got, want)
		}
	}
}

func TestTheTypedWaysGiveWhatEvalGives(t *testing.T) {
	p := func(text string) *Program {
		p, errs := Compile(text, shop)
		if errs != nil {
			t.Fatal(errs)
		}
		return p
	}
	row := order()
	if v, null, err := p("amount * 2").Float(row); v != 5 || null || err != nil {
		t.Error(v, null, err)
	}
	if v, null, err := p("who.id").Float(row); v != 7 || null || err != nil {
		t.Error("an integer is a float, too:", v, null, err)
	}
	if v, null, err := p("count").Int(row); v != 0 || !null || err != nil {
		t.Error(v, null, err)
	}
	if v, null, err := p("at").Int(row); v != 1_774_744_200_250_000 || null || err != nil {
		t.Error("a timestamp is in microseconds:", v, null, err)
	}
	if v, null, err := p("name").Str(row); v != "Ann" || null || err != nil {
		t.Error(v, null, err)
	}
	if _, _, err := p("name").Int(row); err == nil {
		t.Error("a string is no integer")
	}
	if _, _, err := p("1 // (who.id - 7)").Int(row); err == nil || err.Error() != "1 // (who.id - 7): division by zero" {
		t.Error(err)
	}
}

func TestAProgramServesSeveralGoroutines(t *testing.T) {
	p, errs := Compile("truncate(at, 'day', 'Europe/Berlin') < at and name.lower() in ['ann', 'bob'] and matches(name, 'A.n') and round(amount) == 2", shop)
	if errs != nil {
		t.Fatal(errs)
	}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			row := order()
			for j := range 500 {
				row[4] = record.OfTime(int64(i*500+j) * 3_600_000_000)
				if v, err := p.Bool(row); err != nil || v != ((i*500+j+1)%24 != 0) { // midnight is at 23:00 UTC, in 1970
					t.Errorf("hour %d: %v, %v", i*500+j, v, err)
					return
				}
			}
		})
	}
	all.Wait()
}
