package ocs

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func FuzzCommands(f *testing.F) { rulestest.FuzzCommands(f, short{ruleset}) }

func FuzzDecoders(f *testing.F) { rulestest.FuzzDecoders(f, short{ruleset}) }
