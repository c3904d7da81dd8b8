package rulestest

import (
	"testing"

	"github.com/warledger/warledger/rules"
)

// Proves says which paragraphs of the rulebook the assertions beside it prove: at most six, each with an assertion that
// fails when the paragraph is broken. [Coverage] finds it in the source, so the ids must be literals. It fails at once
// on an id that the rulebook does not have.
func Proves(t testing.TB, set rules.Ruleset, ids ...string) {
	t.Helper()
	if len(ids) == 0 {
		t.Error("Proves names no paragraph")
	}
	for _, id := range ids {
		if _, ok := set.About().Rulebook.Find(id); !ok {
			t.Errorf("the rulebook has no paragraph %q", id)
		}
	}
}
