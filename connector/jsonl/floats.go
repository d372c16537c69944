package jsonl

import "reflect"

// floats says from which whole number on the floats of a type may round: the least number
// of digits, and the greatest number of so many digits up to which all are exact. Without
// floats there are no digits.
type floats struct {
	digits int
	exact  string
}

var (
	floats64 = floats{16, "9007199254740992"} // 2^53
	floats32 = floats{8, "16777216"}          // 2^24
)

// floatsIn finds the smallest floats that decoding into a type can fill. An interface can
// get a float64.
func floatsIn(t reflect.Type) floats {
	found := floats{}
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Float32:
			found = floats32
		case reflect.Float64, reflect.Interface:
			if found.digits == 0 {
				found = floats64
			}
		case reflect.Array, reflect.Slice, reflect.Pointer:
			visit(t.Elem())
		case reflect.Map:
			visit(t.Key())
			visit(t.Elem())
		case reflect.Struct:
			for f := range t.Fields() {
				visit(f.Type)
			}
		}
	}
	visit(t)
	return found
}

// mayRound says whether a line has a whole number, written out, that a float might round. It
// looks at every so many bytes only, unless it finds a digit there.
func (f floats) mayRound(line []byte) bool {
	if f.digits == 0 {
		return false
	}
	for i := f.digits - 1; i < len(line); {
		from := i
		for from > i-f.digits && isDigit(line[from]) {
			from--
		}
		if from > i-f.digits {
			i = from + f.digits // no run of digits reaches across from
			continue
		}
		to := i + 1
		for to < len(line) && isDigit(line[to]) {
			to++
		}
		for from >= 0 && isDigit(line[from]) {
			from--
		}
		if f.isRounded(line, from+1, to) {
			return true
		}
		i = to + f.digits
	}
	return false
}

// isRounded says whether the digits line[from:to] are a whole JSON number too great to be
// exact for sure.
func (f floats) isRounded(line []byte, from, to int) bool {
	if from > 0 {
		switch line[from-1] {
		case ':', ',', '[', '-', ' ', '\t':
		default:
			return false // the end of a fraction, or within text
		}
	}
	if to < len(line) && (line[to] == '.' || line[to] == 'e' || line[to] == 'E') {
		return false
	}
	return to-from > f.digits || string(line[from:to]) > f.exact
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
