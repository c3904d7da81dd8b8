package toy_test

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

func TestBattery(t *testing.T) {
	t.Parallel()
	rulestest.Battery(t, toy.Ruleset(), rulestest.Config{Secrets: true})
}
