package ocs

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

func TestRulebook(t *testing.T) {
	t.Parallel()
	b := rulebook()
	count := map[rules.ParagraphKind]int{}
	for _, p := range b.Paragraphs {
		count[p.Kind]++
		if !strings.HasPrefix(p.ID, "OCS ") || strings.Count(p.ID, " ") != 1 {
			t.Errorf("paragraph %+v", p)
		}
		// Each paragraph has its full text. Its first block is the summary, so that it can be read alone and a page
		// that has shown the summary can leave it out.
		for _, lang := range []rules.Lang{rules.English, rules.Japanese} {
			q := b.In(lang, p)
			if first, _, _ := strings.Cut(q.Text, "\n\n"); plain(first) != plain(q.Summary) {
				t.Errorf("%s begins in %s with %.60q, want %.60q", q.ID, lang, q.Text, q.Summary)
			}
			if lang != rules.English && q.Text == p.Text {
				t.Errorf("%s has no text in %s", q.ID, lang)
			}
		}
	}
	for kind, want := range map[rules.ParagraphKind]int{
		rules.Enforced: 513, rules.Choice: 148, rules.SetupRule: 28, rules.Table: 30, rules.Optional: 44,
		rules.Informational: 86,
	} {
		if count[kind] != want {
			t.Errorf("%d paragraphs are %s, want %d", count[kind], kind, want)
		}
	}
	waiting := 0
	for _, p := range b.Paragraphs {
		if p.Waits != "" {
			waiting++
		}
	}
	if waiting > 102 { // lower it with every chapter that comes
		t.Errorf("%d paragraphs wait, want 102 at most", waiting)
	}
}

// plain is a text without the line breaks that wrap it.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// What the ruleset says about itself holds together, and its scenarios load.
func TestAbout(t *testing.T) {
	t.Parallel()
	if _, err := rules.NewRegistry(ruleset); err != nil {
		t.Fatal(err)
	}
}
