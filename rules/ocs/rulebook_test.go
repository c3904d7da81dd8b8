package ocs

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

//go:embed waiting.tsv
var waitingIndex string

// waiting are the paragraphs that wait for air and sea units, with the reason.
func waiting() map[string]string {
	all := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(waitingIndex), "\n") {
		id, why, _ := strings.Cut(line, "\t")
		all[id] = why
	}
	return all
}

func TestRulebook(t *testing.T) {
	t.Parallel()
	b := rulebook()
	count := map[rules.ParagraphKind]int{}
	for _, p := range b.Paragraphs {
		count[p.Kind]++
		if !strings.HasPrefix(p.ID, "OCS ") || strings.Count(p.ID, " ") != 1 {
			t.Errorf("paragraph %+v", p)
		}
	}
	for kind, want := range map[rules.ParagraphKind]int{
		rules.Enforced: 513, rules.Choice: 148, rules.SetupRule: 28, rules.Table: 30, rules.Optional: 44, rules.Informational: 85,
	} {
		if count[kind] != want {
			t.Errorf("%d paragraphs are %s, want %d", count[kind], kind, want)
		}
	}
	for id, why := range waiting() {
		p, ok := b.Find(id)
		if !ok || p.Kind == rules.Informational || why == "" {
			t.Errorf("%s waits because it %q, and is %+v", id, why, p)
		}
	}
}

// What the ruleset says of itself holds together, and its scenarios load.
func TestAbout(t *testing.T) {
	t.Parallel()
	if _, err := rules.NewRegistry(ruleset); err != nil {
		t.Fatal(err)
	}
}
