// Package phrases finds every English word and sentence of the sources that a further language may translate, and
// writes and checks the files of package languages with them.
package phrases

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Section are the texts of one source.
type Section struct {
	// Source is where they stand, a path from the root of the checkout.
	Source string
	// Texts in the order of the source.
	Texts []Text
	// Long is set for full texts of rules, of which there are hundreds: a file keeps those it has, and gets no more.
	Long bool
}

// Text is a word or sentence.
type Text struct {
	// English is what it says.
	English string
	// Key of the message; empty if it has none.
	Key string
}

// areas are where texts stand, in the order of a file: what the reader of a language meets first comes first. A source
// belongs to the first that its path matches.
var areas = []struct {
	pattern string
	read    func(data []byte) ([]Text, error)
}{
	{"clients/web/src/words.en.ts", fromScript},
	{"clients/web/src/lobby/words.en.ts", fromScript},
	{"clients/discord/*.go", fromPairs},
	{"cmd/warledger/doctor*.go", fromFindings},
	{"cmd/warledger/unreached.go", fromFindings},
	{"cmd/warledger/internal/doctor/*.go", fromFindings},
	{"cmd/warledger/internal/reach/*.go", fromFindings},
	{"cmd/warledger/*.go", fromCommandLine},
	{"cmd/warledger/internal/*/*.go", fromCommandLine},
	{"service/*.go", fromService},
	{"service/*/*.go", fromService},
	{"service/*/*/*.go", fromService},
	{"rules/rulestest/toy/messages.tsv", fromCatalogue},
	{"rules/rulestest/toy/*.go", fromPairs},
	{"rules/rulestest/toy/scenarios/*.json", fromDocument},
	{"rules/*/messages.tsv", fromCatalogue},
	{"rules/*/messages/*.tsv", fromCatalogue},
	{"rules/*/*.go", fromPairs},
	{"rules/*/scenarios/*.json", fromDocument},
	{"rules/*/scenario/*.json", fromDocument},
	{"rules/rulestest/toy/rulebook.tsv", fromRulebook},
	{"rules/*/rulebook.tsv", fromRulebook},
	{"rules/*/rulebook.txt", fromRuleTexts},
}

// Collect reads the texts of the sources among the files named. A text that stands in several comes in the first alone,
// unless it has a key there too.
func Collect(names []string, read func(name string) ([]byte, error)) ([]Section, error) {
	names = slices.Clone(names)
	slices.Sort(names)
	taken, seen := map[string]bool{}, map[Text]bool{}
	english := map[string]bool{}
	var all []Section
	for _, area := range areas {
		for _, name := range names {
			if ok, _ := path.Match(area.pattern, name); !ok || taken[name] || strings.HasSuffix(name, "_test.go") {
				continue
			}
			taken[name] = true
			data, err := read(name)
			if err != nil {
				return nil, err
			}
			texts, err := area.read(data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			s := Section{Source: name, Long: path.Ext(name) == ".txt"}
			for _, t := range texts {
				if !worth(t.English) || seen[t] || t.Key == "" && english[t.English] {
					continue
				}
				seen[t], english[t.English] = true, true
				s.Texts = append(s.Texts, t)
			}
			if len(s.Texts) > 0 {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// filled are places without forms, and what is filled in.
var filled = regexp.MustCompile(`\{[^}|]*\}|%[-+#0-9.\[\]]*[a-zA-Z]`)

// worth reports whether a text says something in letters, beside its places.
func worth(text string) bool {
	return strings.ContainsFunc(filled.ReplaceAllString(text, ""), unicode.IsLetter)
}

// fromCatalogue reads messages of a ruleset: key, English, Japanese.
func fromCatalogue(data []byte) (list []Text, err error) {
	for line := range strings.Lines(string(data)) {
		cols := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(cols) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, Text{cols[1], cols[0]})
	}
	return list, nil
}

// fromRulebook reads titles and summaries of paragraphs.
func fromRulebook(data []byte) (list []Text, err error) {
	for line := range strings.Lines(string(data)) {
		if cols := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); len(cols) == 4 {
			list = append(list, Text{English: cols[1]}, Text{English: cols[3]})
		}
	}
	return list, nil
}

// fromRuleTexts reads full texts of paragraphs.
func fromRuleTexts(data []byte) (list []Text, err error) {
	for _, part := range strings.Split("\n"+string(data), "\n### ")[1:] {
		_, body, _ := strings.Cut(part, "\n")
		list = append(list, Text{English: strings.TrimSpace(body)})
	}
	return list, nil
}

var said = regexp.MustCompile(`"en"\s*:\s*("(?:[^"\\]|\\.)*")`)

// fromDocument reads the words of a scenario: fields "en", in the order of the document.
func fromDocument(data []byte) (list []Text, err error) {
	for _, m := range said.FindAllSubmatch(data, -1) {
		var english string
		if err := json.Unmarshal(m[1], &english); err != nil {
			return nil, fmt.Errorf("%s: %w", m[1], err)
		}
		list = append(list, Text{English: english})
	}
	return list, nil
}

var (
	property = regexp.MustCompile(`(?m)^  (\w+):`)
	literal  = regexp.MustCompile(`^\s*\+?\s*("(?:[^"\\]|\\.)*")`)
)

// fromScript reads the words of the web board: properties of an object, each a string that may be put together.
func fromScript(data []byte) (list []Text, err error) {
	for _, m := range property.FindAllSubmatchIndex(data, -1) {
		var text string
		rest := data[m[1]:]
		for {
			part := literal.FindSubmatch(rest)
			if part == nil {
				break
			}
			more, err := strconv.Unquote(string(part[1]))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part[1], err)
			}
			text += more
			rest = rest[len(part[0]):]
		}
		if text == "" {
			return nil, fmt.Errorf("%s is no string", data[m[2]:m[3]])
		}
		list = append(list, Text{English: text})
	}
	return list, nil
}
