package rules

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/warledger/warledger/languages"
)

// Lang is a language that messages come in: one of the catalogues, or one that a file of package languages gives.
type Lang string

// The languages of the catalogues.
const (
	English  Lang = "en"
	Japanese Lang = "ja"
)

// Wordless stands for no language: every text is empty, which saves most of the work of drawing a board. Bots that look
// ahead use it.
const Wordless Lang = "-"

// langs lists the languages that every catalogue must have.
var langs = [...]Lang{English, Japanese}

// Text is a message before it is put into words: the key of a catalogue and what fills its places.
type Text struct {
	// Key of the message.
	Key string
	// Args fill the places of the message by name.
	Args []Arg
}

// Arg fills one place of a message.
type Arg struct {
	// Name of the place.
	Name string
	// Value is put in as it is, unless it begins with "@": then the rest is the key of another message.
	Value string
	// Words are put in instead of Value if they are given: a name that comes from data and never is a key.
	Words Words
}

// Words are a name or sentence of a scenario, in each language. A language that is missing is English.
type Words struct {
	En, Ja string
	// Parts say what the words are made of, for the other languages; nil for a single name.
	Parts *Parts
}

// Parts are what words are made of: a list with what stands between, or a message.
type Parts struct {
	list    []Words
	between string
	message *message
}

// message is a text of a catalogue.
type message struct {
	catalogue *Catalogue
	text      Text
}

// In returns the words in a language.
func (w Words) In(lang Lang) string {
	switch lang {
	case English:
		return w.En
	case Japanese:
		if w.Ja != "" {
			return w.Ja
		}
		return w.En
	}
	return w.further(lang)
}

// String shows the words for debugging, without the parts, whose addresses say nothing.
func (w Words) String() string { return "{" + w.En + " " + w.Ja + "}" }

// further puts words into a language of package languages.
func (w Words) further(lang Lang) string {
	l := languages.Find(string(lang))
	switch {
	case l == nil:
		return w.En
	case w.Parts == nil:
		return l.Called(w.En)
	case w.Parts.message != nil:
		return w.Parts.message.catalogue.Format(lang, w.Parts.message.text)
	}
	return joined(w.Parts.list, w.Parts.between, lang)
}

// Join joins words in each language with its own separator; languages other than Japanese use the English one. It keeps
// the list, so callers must not change it afterwards.
func Join(list []Words, en, ja string) Words {
	switch len(list) {
	case 0:
		return Words{}
	case 1:
		return list[0]
	}
	return Words{En: joined(list, en, English), Ja: joined(list, ja, Japanese), Parts: &Parts{list: list, between: en}}
}

// joined puts a list together in one language.
func joined(list []Words, between string, lang Lang) string {
	if len(list) == 2 {
		return list[0].In(lang) + between + list[1].In(lang)
	}
	var out strings.Builder
	for i, w := range list {
		if i > 0 {
			out.WriteString(between)
		}
		out.WriteString(w.In(lang))
	}
	return out.String()
}

// Say makes a text of a key and pairs of name and value. Values may be strings, references to other messages ("@key"),
// integers, or [Words]. What comes from outside the program must come as Words, so that it cannot pass for a reference.
func Say(key string, pairs ...any) Text {
	t := Text{Key: key}
	for i := 0; i+1 < len(pairs); i += 2 {
		a := Arg{Name: pairs[i].(string)}
		if w, ok := pairs[i+1].(Words); ok {
			a.Words = w
		} else {
			a.Value = plain(pairs[i+1])
		}
		t.Args = append(t.Args, a)
	}
	return t
}

func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	default:
		return fmt.Sprint(v)
	}
}

// Catalogue holds the messages of a ruleset in every language.
//
// Its source is tab-separated: key, English, Japanese. Places are written {name}; {name|one|many} picks by whether the
// number is 1. Lines that are empty or begin with # are passed over.
//
// The other languages come from package languages, by the English of a message. A message that one of them does not
// have stays English there.
type Catalogue struct {
	messages map[string][len(langs)]string
	further  map[Lang]*further
}

// further are the messages in a language of package languages.
type further struct {
	language *languages.Language
	messages map[string]string
}

// ParseCatalogue reads a catalogue. It reports a line with another number of columns, a key given twice, an
// empty message, a place that is not closed or has another number of forms than two, and places that differ
// between the languages.
func ParseCatalogue(tsv string) (*Catalogue, error) {
	c := &Catalogue{messages: make(map[string][len(langs)]string)}
	for n, line := range strings.Split(tsv, "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != 1+len(langs) {
			return nil, fmt.Errorf("catalogue line %d: %d columns, expected %d", n+1, len(cols), 1+len(langs))
		}
		if _, twice := c.messages[cols[0]]; twice {
			return nil, fmt.Errorf("catalogue line %d: key %q is given twice", n+1, cols[0])
		}
		var m [len(langs)]string
		for i := range langs {
			m[i] = cols[1+i]
			if m[i] == "" {
				return nil, fmt.Errorf("catalogue line %d: key %q has no %s message", n+1, cols[0], langs[i])
			}
			if what := misplaced(m[i]); what != "" {
				return nil, fmt.Errorf("catalogue line %d: key %q: %s", n+1, cols[0], what)
			}
			if got, want := places(m[i]), places(m[0]); got != want {
				return nil,
					fmt.Errorf("catalogue line %d: key %q has places %s in %s and %s in %s",
						n+1, cols[0], got, langs[i], want, langs[0])
			}
		}
		c.messages[cols[0]] = m
	}
	c.further = make(map[Lang]*further)
	for _, l := range languages.All() {
		c.speak(l)
	}
	return c, nil
}

// speak takes from a language what it has of the messages.
func (c *Catalogue) speak(l *languages.Language) {
	f := &further{language: l, messages: make(map[string]string)}
	for key, m := range c.messages { // order-free: each message by itself
		if text, ok := l.Text(m[0], key); ok {
			f.messages[key] = text
		}
	}
	c.further[Lang(l.Tag)] = f
}

// MustCatalogue is ParseCatalogue for an embedded catalogue; it panics on an error.
func MustCatalogue(tsv string) *Catalogue {
	c, err := ParseCatalogue(tsv)
	if err != nil {
		panic(err)
	}
	return c
}

// Words are a message as a part of others: in every language.
func (c *Catalogue) Words(t Text) Words {
	return Words{En: c.Format(English, t), Ja: c.Format(Japanese, t), Parts: &Parts{message: &message{c, t}}}
}

// Has reports whether the catalogue knows the key.
func (c *Catalogue) Has(key string) bool { _, ok := c.messages[key]; return ok }

// Keys lists all keys in order.
func (c *Catalogue) Keys() []string {
	keys := make([]string, 0, len(c.messages))
	for k := range c.messages { // order-free: sorted below
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// Format puts a text into words. An unknown language is English; an unknown key comes out in brackets with its
// arguments, so that nothing is lost, and a place without an argument stays as it is written.
func (c *Catalogue) Format(lang Lang, t Text) string {
	if lang == Wordless {
		return ""
	}
	return c.format(lang, t, 0)
}

func (c *Catalogue) format(lang Lang, t Text, depth int) string {
	m, ok := c.messages[t.Key]
	if !ok || depth > 4 {
		return fmt.Sprintf("[%s%s]", t.Key, argList(t.Args))
	}
	pattern, other := m[0], (*languages.Language)(nil)
	switch lang {
	case English:
	case Japanese:
		pattern = m[1]
	default:
		if f := c.further[lang]; f != nil {
			if text, ok := f.messages[t.Key]; ok {
				pattern, other = text, f.language
			}
		}
	}
	var out strings.Builder
	for {
		open := strings.IndexByte(pattern, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(pattern[open:], '}')
		if end < 0 {
			break
		}
		out.WriteString(pattern[:open])
		out.WriteString(c.place(lang, other, pattern[open+1:open+end], t.Args, depth))
		pattern = pattern[open+end+1:]
	}
	out.WriteString(pattern)
	return out.String()
}

// place fills a place of a message; other is the language of the message if it is one of package languages.
func (c *Catalogue) place(lang Lang, other *languages.Language, place string, args []Arg, depth int) string {
	name, forms, plural := strings.Cut(place, "|")
	for _, a := range args {
		switch {
		case a.Name != name:
		case plural && other != nil:
			return other.Form(a.Value, forms)
		case plural:
			one, many, _ := strings.Cut(forms, "|")
			if a.Value == "1" {
				return one
			}
			return many
		case a.Words != Words{}:
			return a.Words.In(lang)
		case strings.HasPrefix(a.Value, "@"):
			return c.format(lang, Text{Key: a.Value[1:], Args: args}, depth+1)
		default:
			return a.Value
		}
	}
	return "{" + place + "}"
}

func argList(args []Arg) string {
	var b strings.Builder
	for _, a := range args {
		fmt.Fprintf(&b, " %s=%s", a.Name, a.Value+a.Words.En)
	}
	return b.String()
}

// misplaced says what is wrong with the places of a pattern.
func misplaced(pattern string) string {
	for {
		open := strings.IndexAny(pattern, "{}")
		if open < 0 {
			return ""
		}
		end := strings.IndexAny(pattern[open+1:], "{}") + open + 1
		if pattern[open] != '{' || end == open || pattern[end] != '}' {
			return "a brace without its other"
		}
		name, forms, plural := strings.Cut(pattern[open+1:end], "|")
		if name == "" || plural && strings.Count(forms, "|") != 1 {
			return fmt.Sprintf("expected {name} or {name|one|many}, not %s", pattern[open:end+1])
		}
		pattern = pattern[end+1:]
	}
}

// places lists the names of a pattern's places in order, for comparison between languages; plural forms do not count,
// since not every language has them.
func places(pattern string) string {
	seen := map[string]bool{}
	var names []string
	for {
		open := strings.IndexByte(pattern, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(pattern[open:], '}')
		if end < 0 {
			break
		}
		name, _, plural := strings.Cut(pattern[open+1:open+end], "|")
		if !plural && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
		pattern = pattern[open+end+1:]
	}
	sort.Strings(names)
	return "[" + strings.Join(names, " ") + "]"
}
