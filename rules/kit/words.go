package kit

import "github.com/warledger/warledger/rules"

// Enumerate names things in a list; "-" for none.
func Enumerate[T any](things []T, name func(T) rules.Words) rules.Words {
	if len(things) == 0 {
		return rules.Words{En: "-"}
	}
	names := make([]rules.Words, len(things))
	for i, t := range things {
		names[i] = name(t)
	}
	return rules.Join(names, ", ", "、")
}

// Words are the words of a document as messages take them; a nil message has none.
func Words(w text) rules.Words { return rules.Words{En: w.GetEn(), Ja: w.GetJa()} }

// InLang picks the words of a language, English if none exist.
func InLang(w text, lang rules.Lang) string { return Words(w).In(lang) }
