package rules_test

import (
	"strings"
	"testing"

	"github.com/warledger/warledger/rules"
)

// TestNoCommandTeaches: an unknown command word is answered with those that are spelt alike, and with all if they are
// few.
func TestNoCommandTeaches(t *testing.T) {
	t.Parallel()
	few := []rules.CommandKind{{ID: "move"}, {ID: "attack"}, {ID: "end"}, {ID: "concede"}}
	alike := []rules.CommandKind{{ID: "concert"}, {ID: "concern"}, {ID: "concur"}, {ID: "concoct"}}
	var many []rules.CommandKind
	for _, id := range strings.Fields(strings.Repeat("move sail ", 30)) {
		many = append(many, rules.CommandKind{ID: id})
	}
	for _, x := range []struct {
		word string
		all  []rules.CommandKind
		want string
	}{
		{"mov", few, `there is no command "mov"; did you mean move? The commands are move, attack, end, concede`},
		{"ATACK", few, `there is no command "ATACK"; did you mean attack? The commands are move, attack, end, concede`},
		{"concord", alike, `there is no command "concord"; did you mean concert or concern or concur? ` +
			`The commands are concert, concern, concur, concoct`}, // three are proposed at most
		{"", few, `there is no command "". The commands are move, attack, end, concede`},
		{"quartermaster", few, `there is no command "quartermaster". The commands are move, attack, end, concede`},
		{strings.Repeat("é", 90), nil, `there is no command "` + strings.Repeat("é", 40) + `". The commands are `},
		{"quartermaster", many,
			`there is no command "quartermaster". There are 60 commands; legal lists those that may be made now`},
	} {
		if r := rules.NoCommand(x.word, x.all); r.Words != x.want || r.Reason != rules.ReasonMalformed {
			t.Errorf("%q: %s %q, want %q", x.word, r.Reason, r.Words, x.want)
		}
	}
}
