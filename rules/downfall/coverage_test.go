package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestCoverage(t *testing.T) {
	t.Parallel()
	rulestest.Coverage(t, New(), ".", "../../docs/reference/rulesets/downfall-coverage.md")
}
