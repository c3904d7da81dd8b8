// Package languages holds the texts of further languages. English and Japanese are in the source code, side by side.
// The Japanese of the command line is a file in its folder. Every other language is one file in this folder, named by
// its tag, that translates English texts. A text without a translation stays English. docs/howto/languages.md says how
// to add a language.
//
// A file has a line for each word or sentence: the English, a tab, and the translation. A third column may hold the key
// of a message; then the line is for that message alone. Line breaks, tabs and backslashes are written \n, \t and \\.
// Lines that begin with # are ignored. Two lines are not texts: "@name" gives the language's own name, and "@plural"
// its plural rule, as in gettext. The package is as pure as package rules.
package languages

import (
	"embed"
	"sort"
	"strings"
)

// Language is a language that has a file.
type Language struct {
	// Tag names it as BCP 47 does: "de".
	Tag string
	// Name is the language's own name: "Deutsch".
	Name string
	// Digest identifies the file: its SHA-256 in hexadecimal.
	Digest string
	// Words is the number of texts that it translates.
	Words  int
	plural plural
	words  map[string]string
}

//go:embed *.tsv
var files embed.FS

var all = load()

// load reads the files. It ignores faulty lines: a test and the check of the sources report them.
func load() []*Language {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var list []*Language
	for _, entry := range entries {
		data, err := files.ReadFile(entry.Name())
		if err != nil {
			continue
		}
		l, _ := Parse(strings.TrimSuffix(entry.Name(), ".tsv"), string(data))
		list = append(list, l)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Tag < list[j].Tag })
	return list
}

// All lists the languages that have a file, by tag. English and Japanese are not among them.
func All() []*Language { return append([]*Language(nil), all...) }

// Find returns a language by its tag; nil if it has no file, as for English and Japanese.
func Find(tag string) *Language {
	for _, l := range all {
		if l.Tag == tag {
			return l
		}
	}
	return nil
}

// Tags returns the tags of all languages: English, Japanese, and those of the files in order.
func Tags() []string {
	tags := []string{"en", "ja"}
	for _, l := range all {
		tags = append(tags, l.Tag)
	}
	return tags
}

// Name returns a language's own name; for an unknown language it returns the tag.
func Name(tag string) string {
	switch tag {
	case "en":
		return "English"
	case "ja":
		return "日本語"
	}
	if l := Find(tag); l != nil {
		return l.Name
	}
	return tag
}

// Match finds the language for a BCP 47 tag: that language, or a more general one, such as "de" for "de-AT". ok is
// false if none exists.
func Match(tag string) (found string, ok bool) {
	for wanted := strings.ReplaceAll(tag, "_", "-"); wanted != ""; {
		for _, t := range Tags() {
			if strings.EqualFold(t, wanted) {
				return t, true
			}
		}
		wanted = wanted[:max(0, strings.LastIndexByte(wanted, '-'))]
	}
	return "", false
}

// Text is the translation of an English text; key is that of its message, if it has one. ok is false if none exists.
func (l *Language) Text(english, key string) (text string, ok bool) {
	if key != "" {
		if text, ok = l.words[english+"\t"+key]; ok {
			return text, true
		}
	}
	text, ok = l.words[english]
	return text, ok
}

// Called returns the translation of a name. Numbers at its ends, such as those of hexes and pieces, stay in place. A
// name without a translation is returned unchanged.
func (l *Language) Called(name string) string {
	if text, ok := l.words[name]; ok {
		return text
	}
	bare := name
	for {
		cut := strings.LastIndexByte(bare, ' ')
		if cut < 0 || !numbered(bare[cut+1:]) {
			break
		}
		bare = bare[:cut]
		if text, ok := l.words[bare]; ok {
			return text + name[len(bare):]
		}
	}
	number, rest, ok := strings.Cut(name, " ")
	if !ok || !numbered(number) {
		return name
	}
	return number + " " + l.Called(rest)
}

// numbered reports whether a word has a digit.
func numbered(word string) bool { return strings.ContainsAny(word, "0123456789") }

// FormOf is the place of the form that a word takes for a number, from 0.
func (l *Language) FormOf(n int) int { return l.plural.form(n) }

// Form picks among the forms of a word for a number, such as "one|many" in English. A number that is not whole takes
// the last form.
func (l *Language) Form(number, forms string) string {
	list := strings.Split(forms, "|")
	at := len(list) - 1
	if n, ok := whole(number); ok {
		at = min(l.plural.form(n), at)
	}
	return list[at]
}

// Say returns the English or the Japanese text, or the translation of the English one. Without a translation it returns
// the English text.
func Say(tag, english, japanese string) string {
	switch tag {
	case "en":
		return english
	case "ja":
		return japanese
	}
	if l := Find(tag); l != nil {
		if text, ok := l.words[english]; ok {
			return text
		}
	}
	return english
}
