package anniversary

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// Forced choices make themselves, and nothing else changes.
func TestForcedChoices(t *testing.T) {
	t.Parallel()
	kept := map[string]bool{}
	rulestest.Forced(t, New(), documents()[0].Data, kept, 3, 500)
}
