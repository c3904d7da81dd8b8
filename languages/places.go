package languages

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// misfit says why a translation does not fit its English: different placeholders, or too few or too many forms.
func (l *Language) misfit(english, text string) string {
	want, counted, usual := places(english)
	got, forms, odd := places(text)
	switch {
	case odd != "" && usual == "":
		return fmt.Sprintf("a brace without its other at %.20q", odd)
	case strings.Join(got, " ") != strings.Join(want, " "):
		return fmt.Sprintf("the places are %v, and %v in English", got, want)
	}
	for _, f := range forms {
		name, list, _ := strings.Cut(f, "|")
		if n := strings.Count(list, "|") + 1; n != l.plural.forms {
			return fmt.Sprintf("{%s} has %d forms, and the language has %d", f, n, l.plural.forms)
		}
		if !has(want, name) && !hasCount(counted, name) {
			return fmt.Sprintf("{%s} counts what English has not", f)
		}
	}
	if got, want := verbs(text), verbs(english); got != want {
		return fmt.Sprintf("what is filled in is %s, and %s in English", got, want)
	}
	return ""
}

func has(list []string, name string) bool {
	for _, x := range list {
		if x == name {
			return true
		}
	}
	return false
}

func hasCount(list []string, name string) bool {
	for _, x := range list {
		if strings.HasPrefix(x, name+"|") {
			return true
		}
	}
	return false
}

// places returns the names of a text's placeholders in order, each once, and those with forms. odd is where a brace has
// no partner.
func places(text string) (names, forms []string, odd string) {
	for rest := text; ; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			break
		}
		end := strings.IndexAny(rest[open+1:], "{}") + open + 1
		if rest[open] != '{' || end == open || rest[end] != '}' {
			odd = rest[open:]
			break
		}
		if place := rest[open+1 : end]; strings.Contains(place, "|") {
			forms = append(forms, place)
		} else if !has(names, place) {
			names = append(names, place)
		}
		rest = rest[end+1:]
	}
	sort.Strings(names)
	return names, forms, odd
}

// verb is what printf fills in: "%s", or "%[2]d", which says where it comes from.
var verb = regexp.MustCompile(`%(\[\d+\])?([-+#0]*\d*(?:\.\d+)?)(\[\d+\])?([dsqvxXfgtTw%])`)

// verbs lists what a text has filled in, by the place of what fills it, for comparison.
func verbs(text string) string {
	var list []string
	at := 0
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		if m[4] == "%" {
			continue
		}
		if at++; m[1]+m[3] != "" {
			at, _ = strconv.Atoi(strings.Trim(m[1]+m[3], "[]"))
		}
		list = append(list, fmt.Sprintf("%d%s", at, m[4]))
	}
	sort.Strings(list)
	return fmt.Sprint(list)
}
