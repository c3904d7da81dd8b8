package phrases

import (
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/warledger/warledger/languages"
)

// countings are the usual ways to count, as gettext writes them.
var countings = []string{
	"1 0",
	"2 n != 1",
	"2 n > 1",
	"2 n % 10 != 1 || n % 100 == 11",
	"3 n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2",
	"3 n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2",
	"3 n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2",
	"3 n == 1 ? 0 : n == 0 || n % 100 > 0 && n % 100 < 20 ? 1 : 2",
	"3 n % 10 == 1 && (n % 100 < 11 || n % 100 > 19) ? 0 : n % 10 >= 2 && (n % 100 < 11 || n % 100 > 19) ? 1 : 2",
	"4 n % 100 == 1 ? 0 : n % 100 == 2 ? 1 : n % 100 == 3 || n % 100 == 4 ? 2 : 3",
	"6 n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5",
}

// counting is the way of a language, by the CLDR; that of English where none of the usual ones is.
func counting(tag language.Tag) string {
	for _, way := range countings {
		if Counts(tag, way) {
			return way
		}
	}
	return "2 n != 1"
}

// Counts reports whether a way to count tells the same numbers apart as the CLDR does for a language.
func Counts(tag language.Tag, way string) bool {
	l, faults := languages.Parse("x", "@name\tX\n@plural\t"+way+"\n")
	if len(faults) > 0 {
		return false
	}
	forms, ways := map[plural.Form]int{}, map[int]bool{}
	for n := range 1001 {
		want, got := plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0), l.FormOf(n)
		if before, ok := forms[want]; ok && before != got {
			return false
		}
		forms[want], ways[got] = got, true
	}
	return len(forms) == len(ways)
}
