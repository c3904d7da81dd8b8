package rulestest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// JapaneseRules compares the Japanese of a rulebook with its English. Every number, rule id and code of the English is
// in the Japanese, and lists and paragraphs match. The Japanese is in the plain register throughout, and its terms are
// those of the Japanese edition. explained maps each complaint that is wrong to the reason; an unused one is an error.
func JapaneseRules(t *testing.T, b *rules.Rulebook, terms []Term, explained map[string]string) {
	t.Helper()
	if !b.HasJapanese() {
		t.Fatal("the rulebook has no Japanese")
	}
	found := map[string]bool{}
	for _, what := range mistold(b, terms) {
		if found[what] = true; explained[what] == "" {
			t.Error(what)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(explained)) {
		if !found[what] || explained[what] == "" {
			t.Errorf("nobody complains, or it is not said why: %s", what)
		}
	}
}

var (
	figure   = regexp.MustCompile(`\d+(?:\.\d+)*`)
	coded    = regexp.MustCompile("`[^`\n]*`")
	ruleID   = regexp.MustCompile(`\b[A-Z]{2,3} [A-Z0-9]+(?:\.\d+)*(?:[a-z]\b)?(?:-[a-z0-9]+)?`)
	listed   = regexp.MustCompile(`(?m)^ *(?:- |\d+\. |\|)`)
	wide     = regexp.MustCompile(`[０-９Ａ-Ｚａ-ｚ]`)
	kana     = regexp.MustCompile(`[ぁ-んァ-ヶ一-龠]`)
	polite   = regexp.MustCompile(`(?:です|ます)(?:[。、」）かがのねよ]|$)|ません|ました|でした|でしょう|ましょう|ください`)
	thousand = regexp.MustCompile(`(\d),(\d{3})`)
)

// mistold are the complaints about the Japanese of a rulebook.
func mistold(b *rules.Rulebook, terms []Term) (wrong []string) {
	for _, en := range b.Paragraphs {
		ja := b.In(rules.Japanese, en)
		for _, part := range [...]struct{ name, en, ja string }{
			{"title", en.Title, ja.Title}, {"summary", en.Summary, ja.Summary}, {"text", en.Text, ja.Text},
		} {
			for _, what := range unlike(b, part.en, part.ja) {
				wrong = append(wrong, en.ID+" "+part.name+" "+what)
			}
			said := unnamed(terms, part.ja)
			if part.name != "title" { // a title stands alone, and may name a thing in another way
				said = append(said, unsaid(terms, part.en, part.ja)...)
			}
			for _, what := range said {
				wrong = append(wrong, en.ID+" "+part.name+" "+what)
			}
		}
	}
	return wrong
}

// unlike lists where the Japanese of a text differs from the English in form.
func unlike(b *rules.Rulebook, en, ja string) (wrong []string) {
	if en == "" {
		return nil
	}
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	has := figures(ja)
	for _, n := range slices.Sorted(maps.Keys(figures(en))) {
		if !has[n] {
			say("lacks %s", n)
		}
	}
	for _, id := range ruleID.FindAllString(en, -1) {
		if _, ok := b.Find(id); ok && !strings.Contains(ja, id) {
			say("lacks %s", id)
		}
	}
	for _, c := range coded.FindAllString(en, -1) {
		if !strings.Contains(ja, c) {
			say("lacks %s", c)
		}
	}
	if !kana.MatchString(ja) {
		say("has no Japanese")
	}
	if m := wide.FindString(ja); m != "" {
		say("has %s", m)
	}
	if m := polite.FindString(ja); m != "" {
		say("is polite: %s", m)
	}
	if x, y := strings.Count(en, "\n\n"), strings.Count(ja, "\n\n"); x != y {
		say("has %d paragraphs, and %d in English", y+1, x+1)
	}
	if x, y := len(listed.FindAllString(en, -1)), len(listed.FindAllString(ja, -1)); x != y {
		say("has %d entries of lists, and %d in English", y, x)
	}
	return wrong
}

func figures(text string) map[string]bool {
	set := map[string]bool{}
	for _, n := range figure.FindAllString(thousand.ReplaceAllString(text, "$1$2"), -1) {
		set[n] = true
	}
	return set
}

// unsaid are the terms that an English text names and the Japanese does not.
func unsaid(terms []Term, en, ja string) (wrong []string) {
	for _, term := range terms {
		if term.En != "" && matching(`(?i)`+term.En).MatchString(en) && !matching(term.Ja).MatchString(ja) {
			wrong = append(wrong, "does not say "+term.Ja)
		}
	}
	return wrong
}

// unnamed lists words that stand where a term should.
func unnamed(terms []Term, ja string) (wrong []string) {
	for _, term := range terms {
		for _, other := range term.Not {
			if strings.Contains(ja, other) {
				wrong = append(wrong, "says "+other+" instead of "+term.Ja)
			}
		}
	}
	return wrong
}
