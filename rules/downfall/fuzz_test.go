package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

// FuzzCommands drives games by bytes.
func FuzzCommands(f *testing.F) { rulestest.FuzzCommands(f, New()) }

// FuzzDecoders reads bytes as everything that comes from outside.
func FuzzDecoders(f *testing.F) { rulestest.FuzzDecoders(f, New()) }
