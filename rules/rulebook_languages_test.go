package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/warledger/warledger/languages"
	"github.com/warledger/warledger/rules"
)

const (
	bookOfTwo = "T 1\tFirst\tenforced\tDo it.\nT 2\tSecond\tinformational\tNothing.\nT 3\tThird\ttable\tSome.\n"
	textOfTwo = "### T 2 — Second\nAll of it.\n"
	japanOf   = "T 1\t一\tする。\nT 2\t二\tなし。\r\nT 3\t三\t少し。\n"
)

// A paragraph comes in each language; what a language lacks is English.
func TestRulebookInLanguages(t *testing.T) {
	t.Parallel()
	b := rules.MustRulebook(bookOfTwo, textOfTwo)
	two, _ := b.Find("T 2")
	if got := b.In(rules.Japanese, two); got != two || b.HasJapanese() {
		t.Errorf("without Japanese it is %+v", got)
	}
	b.MustJapanese(japanOf, "### T 2\n全\n  部と`a`\n  `b` 1\n  2。\n- 一つ\n  目\n  - 二\n1. 三\n| 表 | 四\n\n終\nわり\n")
	want := rules.Paragraph{ID: "T 2", Title: "二", Kind: rules.Informational, Summary: "なし。",
		Text: "全部と`a` `b` 1 2。\n- 一つ目\n  - 二\n1. 三\n| 表 | 四\n\n終わり"}
	if diff := cmp.Diff(want, b.In(rules.Japanese, two)); diff != "" || !b.HasJapanese() {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, lang := range []rules.Lang{rules.English, "zxx"} {
		if got := b.In(lang, two); got != two {
			t.Errorf("in %s it is %+v", lang, got)
		}
	}
	if got := b.In(rules.Japanese, rules.Paragraph{ID: "T 9", Title: "Ninth"}); got.Title != "Ninth" {
		t.Errorf("a paragraph of another book is %+v", got)
	}
	for _, l := range languages.All() {
		p := rules.Paragraph{ID: "T 1", Title: "Lobby", Summary: "Colours for all eyes", Text: "none has this"}
		title, ok := l.Text("Lobby", "")
		got := b.In(rules.Lang(l.Tag), p)
		if ok && (got.Title != title || got.Summary == p.Summary || got.Text != p.Text) {
			t.Errorf("in %s it is %+v", l.Tag, got)
		}
	}
}

// A Japanese that is not that of the book is refused as a whole.
func TestAddJapaneseFaults(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ tsv, texts, says string }{
		"a line less":     {"T 1\t一\tする。\nT 2\t二\tなし。\n", "### T 2\n全部。", "2 lines, expected 3"},
		"another order":   {"T 2\t二\tなし。\nT 1\t一\tする。\nT 3\t三\t少し。", "### T 2\n全部。", "line 1: expected the id T 1"},
		"no summary":      {"T 1\t一\tする。\nT 2\t二\t\nT 3\t三\t少し。", "### T 2\n全部。", "line 2: expected the id T 2"},
		"a column more":   {"T 1\t一\tする。\tx\nT 2\t二\tなし。\nT 3\t三\t少し。", "### T 2\n全部。", "line 1"},
		"no text":         {japanOf, "", "T 2 is missing"},
		"an empty text":   {japanOf, "### T 2\n\n", `"T 2" is empty`},
		"another text":    {japanOf, "### T 1\n全部。", `"T 1" is empty, or not where`},
		"a text too many": {japanOf, "### T 2\n全部。\n### T 3\n全部。", `"T 3" is empty, or not where`},
		"a text twice":    {japanOf, "### T 2\n全部。\n### T 2\n全部。", `"T 2" is empty, or not where`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := rules.MustRulebook(bookOfTwo, textOfTwo)
			if err := b.AddJapanese(x.tsv, x.texts); err == nil || !strings.Contains(err.Error(), x.says) {
				t.Errorf("got %v, want an error with %q", err, x.says)
			}
			if b.HasJapanese() {
				t.Error("it was taken")
			}
			mustPanic(t, func() { b.MustJapanese(x.tsv, x.texts) })
		})
	}
}
