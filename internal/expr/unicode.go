package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lower and upper are the full mappings of Unicode, as Python has them: a character may become
// several, and a capital sigma at the end of a word the final one. Those of package strings map
// each character to one.

func lower(s string) string {
	if !strings.ContainsAny(s, "Σİ") {
		return strings.ToLower(s)
	}
	return capitals(s, func(bool, int) bool { return false })
}

// endsWord says whether the sigma at i has a letter with a case before it and none behind it,
// but for marks and signs within words (Unicode, 3.13, Final_Sigma).
func endsWord(s string, i int) bool {
	before := strings.TrimRightFunc(s[:i], ignorable)
	last, _ := utf8.DecodeLastRuneInString(before)
	behind := strings.TrimLeftFunc(s[i+len("Σ"):], ignorable)
	next, _ := utf8.DecodeRuneInString(behind)
	return before != "" && cased(last) && (behind == "" || !cased(next))
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func ignorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·\u0387\u055F\u05F4‘’․‧︓﹒﹕＇．：", r)
}

// title makes the first letter of each word a capital and the others small. A word is of letters
// that have a case, as in Python: they're is two.
func title(s string) string { return capitals(s, func(inWord bool, _ int) bool { return !inWord }) }

// capitalize makes the first character a capital and all others small.
func capitalize(s string) string { return capitals(s, func(_ bool, at int) bool { return at == 0 }) }

// capitals makes a letter the title case where big says so, and small elsewhere.
func capitals(s string, big func(inWord bool, at int) bool) string {
	var b strings.Builder
	inWord := false
	for i, r := range s {
		switch {
		case !big(inWord, i):
			switch {
			case r == 'İ':
				b.WriteString("i\u0307")
			case r == 'Σ' && endsWord(s, i):
				b.WriteRune('ς')
			default:
				b.WriteRune(unicode.ToLower(r))
			}
		case manyTitles[r] != "":
			b.WriteString(manyTitles[r])
		default:
			b.WriteRune(unicode.ToTitle(r))
		}
		inWord = cased(r)
	}
	return b.String()
}

func upper(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii || !strings.ContainsFunc(s, func(r rune) bool { return manyCapitals[r] != "" }) {
		return strings.ToUpper(s)
	}
	var b strings.Builder
	for _, r := range s {
		if many := manyCapitals[r]; many != "" {
			b.WriteString(many)
		} else {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

// manyCapitals are the characters whose capital is several characters (SpecialCasing.txt of
// Unicode, which calls these mappings unconditional).
var manyCapitals = map[rune]string{
	0x00DF: "\u0053\u0053", 0x0149: "\u02BC\u004E", 0x01F0: "\u004A\u030C", 0x0390: "\u0399\u0308\u0301",
	0x03B0: "\u03A5\u0308\u0301", 0x0587: "\u0535\u0552", 0x1E96: "\u0048\u0331", 0x1E97: "\u0054\u0308",
	0x1E98: "\u0057\u030A", 0x1E99: "\u0059\u030A", 0x1E9A: "\u0041\u02BE", 0x1F50: "\u03A5\u0313",
	0x1F52: "\u03A5\u0313\u0300", 0x1F54: "\u03A5\u0313\u0301", 0x1F56: "\u03A5\u0313\u0342", 0x1F80: "\u1F08\u0399",
	0x1F81: "\u1F09\u0399", 0x1F82: "\u1F0A\u0399", 0x1F83: "\u1F0B\u0399", 0x1F84: "\u1F0C\u0399",
	0x1F85: "\u1F0D\u0399", 0x1F86: "\u1F0E\u0399", 0x1F87: "\u1F0F\u0399", 0x1F88: "\u1F08\u0399",
	0x1F89: "\u1F09\u0399", 0x1F8A: "\u1F0A\u0399", 0x1F8B: "\u1F0B\u0399", 0x1F8C: "\u1F0C\u0399",
	0x1F8D: "\u1F0D\u0399", 0x1F8E: "\u1F0E\u0399", 0x1F8F: "\u1F0F\u0399", 0x1F90: "\u1F28\u0399",
	0x1F91: "\u1F29\u0399", 0x1F92: "\u1F2A\u0399", 0x1F93: "\u1F2B\u0399", 0x1F94: "\u1F2C\u0399",
	0x1F95: "\u1F2D\u0399", 0x1F96: "\u1F2E\u0399", 0x1F97: "\u1F2F\u0399", 0x1F98: "\u1F28\u0399",
	0x1F99: "\u1F29\u0399", 0x1F9A: "\u1F2A\u0399", 0x1F9B: "\u1F2B\u0399", 0x1F9C: "\u1F2C\u0399",
	0x1F9D: "\u1F2D\u0399", 0x1F9E: "\u1F2E\u0399", 0x1F9F: "\u1F2F\u0399", 0x1FA0: "\u1F68\u0399",
	0x1FA1: "\u1F69\u0399", 0x1FA2: "\u1F6A\u0399", 0x1FA3: "\u1F6B\u0399", 0x1FA4: "\u1F6C\u0399",
	0x1FA5: "\u1F6D\u0399", 0x1FA6: "\u1F6E\u0399", 0x1FA7: "\u1F6F\u0399", 0x1FA8: "\u1F68\u0399",
	0x1FA9: "\u1F69\u0399", 0x1FAA: "\u1F6A\u0399", 0x1FAB: "\u1F6B\u0399", 0x1FAC: "\u1F6C\u0399",
	0x1FAD: "\u1F6D\u0399", 0x1FAE: "\u1F6E\u0399", 0x1FAF: "\u1F6F\u0399", 0x1FB2: "\u1FBA\u0399",
	0x1FB3: "\u0391\u0399", 0x1FB4: "\u0386\u0399", 0x1FB6: "\u0391\u0342", 0x1FB7: "\u0391\u0342\u0399",
	0x1FBC: "\u0391\u0399", 0x1FC2: "\u1FCA\u0399", 0x1FC3: "\u0397\u0399", 0x1FC4: "\u0389\u0399",
	0x1FC6: "\u0397\u0342", 0x1FC7: "\u0397\u0342\u0399", 0x1FCC: "\u0397\u0399", 0x1FD2: "\u0399\u0308\u0300",
	0x1FD3: "\u0399\u0308\u0301", 0x1FD6: "\u0399\u0342", 0x1FD7: "\u0399\u0308\u0342", 0x1FE2: "\u03A5\u0308\u0300",
	0x1FE3: "\u03A5\u0308\u0301", 0x1FE4: "\u03A1\u0313", 0x1FE6: "\u03A5\u0342", 0x1FE7: "\u03A5\u0308\u0342",
	0x1FF2: "\u1FFA\u0399", 0x1FF3: "\u03A9\u0399", 0x1FF4: "\u038F\u0399", 0x1FF6: "\u03A9\u0342",
	0x1FF7: "\u03A9\u0342\u0399", 0x1FFC: "\u03A9\u0399", 0xFB00: "\u0046\u0046", 0xFB01: "\u0046\u0049",
	0xFB02: "\u0046\u004C", 0xFB03: "\u0046\u0046\u0049", 0xFB04: "\u0046\u0046\u004C", 0xFB05: "\u0053\u0054",
	0xFB06: "\u0053\u0054", 0xFB13: "\u0544\u0546", 0xFB14: "\u0544\u0535", 0xFB15: "\u0544\u053B",
	0xFB16: "\u054E\u0546", 0xFB17: "\u0544\u053D",
}

// manyTitles are those whose title case, the capital before small letters, is several characters.
var manyTitles = map[rune]string{
	0x00DF: "\u0053\u0073", 0x0149: "\u02BC\u004E", 0x01F0: "\u004A\u030C", 0x0390: "\u0399\u0308\u0301",
	0x03B0: "\u03A5\u0308\u0301", 0x0587: "\u0535\u0582", 0x1E96: "\u0048\u0331", 0x1E97: "\u0054\u0308",
	0x1E98: "\u0057\u030A", 0x1E99: "\u0059\u030A", 0x1E9A: "\u0041\u02BE", 0x1F50: "\u03A5\u0313",
	0x1F52: "\u03A5\u0313\u0300", 0x1F54: "\u03A5\u0313\u0301", 0x1F56: "\u03A5\u0313\u0342", 0x1FB2: "\u1FBA\u0345",
	0x1FB4: "\u0386\u0345", 0x1FB6: "\u0391\u0342", 0x1FB7: "\u0391\u0342\u0345", 0x1FC2: "\u1FCA\u0345",
	0x1FC4: "\u0389\u0345", 0x1FC6: "\u0397\u0342", 0x1FC7: "\u0397\u0342\u0345", 0x1FD2: "\u0399\u0308\u0300",
	0x1FD3: "\u0399\u0308\u0301", 0x1FD6: "\u0399\u0342", 0x1FD7: "\u0399\u0308\u0342", 0x1FE2: "\u03A5\u0308\u0300",
	0x1FE3: "\u03A5\u0308\u0301", 0x1FE4: "\u03A1\u0313", 0x1FE6: "\u03A5\u0342", 0x1FE7: "\u03A5\u0308\u0342",
	0x1FF2: "\u1FFA\u0345", 0x1FF4: "\u038F\u0345", 0x1FF6: "\u03A9\u0342", 0x1FF7: "\u03A9\u0342\u0345",
	0xFB00: "\u0046\u0066", 0xFB01: "\u0046\u0069", 0xFB02: "\u0046\u006C", 0xFB03: "\u0046\u0066\u0069",
	0xFB04: "\u0046\u0066\u006C", 0xFB05: "\u0053\u0074", 0xFB06: "\u0053\u0074", 0xFB13: "\u0544\u0576",
	0xFB14: "\u0544\u0565", 0xFB15: "\u0544\u056B", 0xFB16: "\u054E\u0576", 0xFB17: "\u0544\u056D",
}
