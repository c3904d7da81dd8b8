package toy_test

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

func FuzzCommands(f *testing.F) { rulestest.FuzzCommands(f, toy.Ruleset()) }

func FuzzDecoders(f *testing.F) { rulestest.FuzzDecoders(f, toy.Ruleset()) }
