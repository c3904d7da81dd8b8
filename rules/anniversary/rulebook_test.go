package anniversary

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
		if !strings.HasPrefix(p.ID, "AA ") || p.Title == "" || p.Summary == "" {
			t.Errorf("paragraph %+v", p)
		}
		// The text begins with the summary, so that it can be read alone.
		if !strings.HasPrefix(p.Text, p.Summary) {
			t.Errorf("%s begins with %.60q, want %.60q", p.ID, p.Text, p.Summary)
		}
	}
	for kind, want := range map[rules.ParagraphKind]int{
		rules.Enforced: 295, rules.Choice: 50, rules.SetupRule: 12, rules.Table: 55, rules.Optional: 9,
		rules.Informational: 8,
	} {
		if count[kind] != want {
			t.Errorf("%d paragraphs are %s, want %d", count[kind], kind, want)
		}
	}
	if p, ok := b.Find("AA 9.8.3"); !ok || !strings.Contains(p.Text, "Example: bomber") {
		t.Errorf("AA 9.8.3 is %+v", p)
	}
}
