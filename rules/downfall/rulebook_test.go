package downfall

import (
	"strings"
	"testing"
)

func TestRulebook(t *testing.T) {
	t.Parallel()
	b := rulebook()
	if len(b.Paragraphs) != 354 {
		t.Errorf("%d paragraphs, want 354", len(b.Paragraphs))
	}
	for _, p := range b.Paragraphs {
		if !strings.HasPrefix(p.ID, "DF ") || p.Title == "" || p.Summary == "" {
			t.Errorf("paragraph %+v", p)
		}
		// The text begins with the summary, so that it can be read alone.
		if !strings.HasPrefix(p.Text, p.Summary) {
			t.Errorf("%s begins with %.60q, want %.60q", p.ID, p.Text, p.Summary)
		}
	}
	if p, ok := b.Find("DF 13.10-4"); !ok || !strings.Contains(p.Text, "D-56") {
		t.Errorf("DF 13.10-4 is %+v", p)
	}
}
