package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func FuzzCommands(f *testing.F) { rulestest.FuzzCommands(f, smallest{ruleset}) }

func FuzzDecoders(f *testing.F) { rulestest.FuzzDecoders(f, smallest{ruleset}) }
