package expr

import "strings"

func lower(s string) string { return strings.ToLower(s) }

func upper(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }
