package downfall

import (
	"errors"

	"github.com/warledger/warledger/rules"
)

// arg is the value that a refusal gives for a place of its message.
func arg(args []rules.Arg, name string) string {
	for _, a := range args {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// all lets every command pass.
var all rules.Filter

// refusedAny expects a refusal of the asked seat's command, by whatever rule.
func (g *table) refusedAny(command string) *rules.Refusal {
	g.t.Helper()
	_, err := g.try(g.asked(), command)
	var r *rules.Refusal
	if !errors.As(err, &r) {
		g.t.Fatalf("%s: %v, expected a refusal", command, err)
	}
	return r
}
