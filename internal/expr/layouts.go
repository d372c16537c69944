package expr

import (
	"fmt"
	"strings"
	"time"
)

// percents are the directives of layouts as Python writes them, as package time does.
var percents = map[byte]string{
	'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'j': "002",
	'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'I': "03", 'p': "PM", 'z': "-0700", 'Z': "MST",
	'f': "000000", '%': "%",
}

// references are two times that differ in all that a layout can write.
var references = [2]time.Time{
	time.Date(2001, 2, 3, 4, 5, 6, 123_456_000, time.FixedZone("AAA", 3600)),
	time.Date(1999, 11, 28, 17, 38, 49, 987_654_000, time.FixedZone("BBB", -7200)),
}

// fromPercent gives a layout of Python as one of package time. What stands between the
// directives must be nothing that package time takes for one.
func fromPercent(text string) (layout, wrong, hint string) {
	var b strings.Builder
	var want [2]strings.Builder // what the layout must write for the references
	literal := func(s string) {
		b.WriteString(s)
		want[0].WriteString(s)
		want[1].WriteString(s)
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			literal(text[i : i+1])
			continue
		}
		if i++; i == len(text) {
			return "", "the layout ends with %", "write %% for a %"
		}
		to, ok := percents[text[i]]
		switch {
		case !ok:
			return "", fmt.Sprintf("the layout has %%%c, which is not supported", text[i]), "there are %Y %m %d %H %M %S %f %y %j %b %B %a %A %I %p %z %Z %%"
		case text[i] == '%':
			literal("%")
			continue
		case text[i] == 'f':
			if !strings.HasSuffix(b.String(), ".") {
				return "", "the layout has %f without a point before it", "write %S.%f"
			}
			for j := range want {
				want[j].WriteString(references[j].Format(".000000")[1:])
			}
		default:
			for j := range want {
				want[j].WriteString(references[j].Format(to))
			}
		}
		b.WriteString(to)
	}
	for j, t := range references {
		if t.Format(b.String()) != want[j].String() {
			return "", "the layout has a text between its parts that looks like a part", "leave out digits and names of days and months"
		}
	}
	if references[0].Format(b.String()) == references[1].Format(b.String()) {
		return "", "the layout has nothing of a time", "write it as in Python, '%d.%m.%Y %H:%M'"
	}
	return b.String(), "", ""
}
