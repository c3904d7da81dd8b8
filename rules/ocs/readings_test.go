package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestReadings(t *testing.T) {
	t.Parallel()
	rulestest.Readings(t, New())
}
