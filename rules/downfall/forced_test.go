package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// Forced choices make themselves, and nothing else changes.
func TestForcedChoices(t *testing.T) {
	t.Parallel()
	kept := map[string]bool{ // what depends on plans, orders and bombs, and where the 36th Army hides
		"place-36th": true, "magic": true, "orders": true, "plan": true, "bombs": true, "target": true, "bomb": true,
		"actions": true,
	}
	rulestest.Forced(t, New(), documents()[0].Data, kept, 3, 500)
}
