package downfall

import (
	"strings"
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Friendlier spellings are read as the canonical one.
func TestFriendlySpellings(t *testing.T) {
	t.Parallel()
	p := golden(t)
	for spelled, want := range map[string]string{
		"move us-i-25 2619":                      "move us-i-25 2619",
		"MOVE US-I-25 2719>2718>2619":            "move us-i-25 2719-2718-2619",
		"move us-i-25 2719→2718, us-i-33 2820":   "move us-i-25 2719-2718 us-i-33 2820",
		"move us-i-25 2718 us-i-art 2719-2718":   "move us-i-25 2718 us-i-art 2719-2718",
		"attack 2720 us-i-25":                    "attack 2719 2720 us-i-25",
		"attack 2719 2720 us-i-25 +naval1 +air":  "attack 2719 2720 us-i-25 +air +naval1",
		"attack 2719 2720 us-i-25 us-i-art +AIR": "attack 2719 2720 us-i-25 us-i-art +air",
		"support none":                           "support -",
		"support +air":                           "support +air",
		"support +naval1 +naval2 +air2":          "support +air2 +naval1 +naval2", // for Check to refuse
		"support naval2 air":                     "support +air +naval2",
		"declare +air +air":                      "declare +air2",
		"declare":                                "declare",
		"zones limo road town stat":              "zones limousine roadstar town-car station-wagon",
		"pass":                                   "end",
		"fire jp-25-div us-i-25":                 "shot jp-25-div us-i-25",
		"orders 2515 23":                         "orders airborne 2515 23",
		"orders":                                 "orders",
		"orders infantry":                        "orders infantry",
		"losses jp-25-div:2 jp-5-tk:1":           "losses jp-5-tk jp-25-div:2",
		"withdraw 2620":                          "withdraw 2620",
		"withdraw -":                             "withdraw -",
		"withdraw us-i-25 2620 us-i-33 none":     "withdraw us-i-25 2620 us-i-33 -",
		"enter 6/asco 2621":                      "enter us-6-asco 2621",
		"recover 2M":                             "recover us-v-2",
		"advance none":                           "advance -",
		"supply none":                            "supply -",
		"target jp-56a-57-div":                   "target jp-56a-57-div",
		"remove 3 1":                             "remove 1 3",
		"consecutive 2819 2719 us-i-25 us-i-art": "consecutive 2819 2719 us-i-25 us-i-art",
		"also 2820 us-i-33":                      "also 2820 us-i-33",
		"bombard none":                           "bombard -",
		"place jp-36a-81-div 3013":               "place jp-36a-81-div 3013",
		"land +naval1":                           "land +naval1",
		"follow us-i-33 2820-2720":               "follow us-i-33 2820-2720",
	} {
		c, r := p.parseCommand(spelled)
		switch {
		case want == "" && r == nil:
			t.Errorf("%q is read as %q, expected a refusal", spelled, p.formatCommand(c))
		case want != "" && r != nil:
			t.Errorf("%q: %v", spelled, r)
		case want != "" && !sameWords(p, p.formatCommand(c), want):
			t.Errorf("%q is read as %q, want %q", spelled, p.formatCommand(c), want)
		}
	}
}

// sameWords compares commands as a set of units has no order but that of the scenario.
func sameWords(p *Position, got, want string) bool {
	c, r := p.parseCommand(want)
	return got == want || r == nil && strings.HasPrefix(want, "losses") && p.formatCommand(c) == got
}

// What cannot be read is refused with a typed reason and with what was expected.
func TestCommandsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p := golden(t)
	for text, want := range map[string]struct {
		reason rules.Reason
		words  string
	}{
		"":          {rules.ReasonMalformed, "its kind first"},
		"surrender": {rules.ReasonMalformed, `no command "surrender"`},
		"move": {rules.ReasonMalformed,
			"expected a unit, not the end; it is written: move UNIT HEX"},
		"move us-i-25":                    {rules.ReasonMalformed, "expected a hex"},
		"move us-i-26 2620":               {rules.ReasonUnknownPiece, "us-i-26"},
		"move us-i-25 9999":               {rules.ReasonUnknownSpace, "9999"},
		"move us-i-25 2620 us-i-25 2621":  {rules.ReasonMalformed, "named twice"},
		"recover Art":                     {rules.ReasonUnknownPiece, "more than one"},
		"plan 2417":                       {rules.ReasonMalformed, "the turn"},
		"plan 2417 400":                   {rules.ReasonMalformed, "expected 0 to 99"},
		"bombs many":                      {rules.ReasonMalformed, "expected a number"},
		"remove 9":                        {rules.ReasonUnknownPiece, "numbered from 1 to 5"},
		"remove 1 1":                      {rules.ReasonMalformed, "named twice"},
		"zones atlantis":                  {rules.ReasonMalformed, "the zones are limousine"},
		"attack 2720":                     {rules.ReasonMalformed, "the hex that the attack comes from"},
		"attack 2719 2720 us-i-25 +tanks": {rules.ReasonMalformed, "+air or +naval"},
		"attack 2719 2720 us-i-25 +naval": {rules.ReasonMalformed, "the number of a marker"},
		"declare +air200":                 {rules.ReasonMalformed, "+air or +naval"},
		"losses jp-5-tk:3":                {rules.ReasonMalformed, "expected 1 or 2"},
		"end now":                         {rules.ReasonMalformed, "expected nothing more"},
		"target":                          {rules.ReasonMalformed, "a hex or a unit"},
		"orders airborne 2515":            {rules.ReasonMalformed, "the turn"},
		"orders airborne 2515 0":          {rules.ReasonMalformed, "a turn from 1"},
		"move us-i-25 " + strings.Repeat("2620-", 80): {rules.ReasonMalformed, "a way has"},
		strings.Repeat("x", 5000):                     {rules.ReasonMalformed, "bytes"},
	} {
		_, r := p.parseCommand(text)
		if r == nil {
			t.Errorf("%.60q is read", text)
			continue
		}
		if r.Reason != want.reason || !strings.Contains(r.Words, want.words) {
			t.Errorf("%.60q: %s %q, want %s %q", text, r.Reason, r.Words, want.reason, want.words)
		}
	}
}

// Messages that name what is not there, say a thing twice or are out of range are refused with a typed reason.
func TestMessagesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p := golden(t)
	move := func(units ...*downfallv1.UnitMove) *downfallv1.Command {
		return &downfallv1.Command{Kind: &downfallv1.Command_Move{Move: &downfallv1.Move{Units: units}}}
	}
	for name, c := range map[string]struct {
		m      *downfallv1.Command
		reason rules.Reason
	}{
		"nothing":     {nil, rules.ReasonMalformed},
		"no kind":     {&downfallv1.Command{}, rules.ReasonMalformed},
		"empty move":  {move(), rules.ReasonMalformed},
		"nil in move": {move(nil), rules.ReasonMalformed},
		"no path":     {move(&downfallv1.UnitMove{Unit: "us-i-25"}), rules.ReasonMalformed},
		"long path": {move(&downfallv1.UnitMove{Unit: "us-i-25", Path: make([]uint32, 1000)}),
			rules.ReasonMalformed},
		"unknown unit": {move(&downfallv1.UnitMove{Unit: "x", Path: []uint32{2620}}), rules.ReasonUnknownPiece},
		"unknown hex":  {move(&downfallv1.UnitMove{Unit: "us-i-25", Path: []uint32{1}}), rules.ReasonUnknownSpace},
		"unit twice": {move(&downfallv1.UnitMove{Unit: "us-i-25", Path: []uint32{2620}},
			&downfallv1.UnitMove{Unit: "us-i-25", Path: []uint32{2620}}), rules.ReasonMalformed},
		"hex 0": {&downfallv1.Command{Kind: &downfallv1.Command_Plan{Plan: &downfallv1.PlanLanding{Turn: 5}}},
			rules.ReasonUnknownSpace},
		"turn": {
			&downfallv1.Command{Kind: &downfallv1.Command_Plan{Plan: &downfallv1.PlanLanding{Hex: 2417, Turn: 1000}}},
			rules.ReasonMalformed,
		},
		"mode": {&downfallv1.Command{Kind: &downfallv1.Command_Orders{Orders: &downfallv1.GiveOrders{Mode: 9}}},
			rules.ReasonMalformed},
		"negative mode": {
			&downfallv1.Command{Kind: &downfallv1.Command_Orders{Orders: &downfallv1.GiveOrders{Mode: -1}}},
			rules.ReasonMalformed,
		},
		"half a drop": {
			&downfallv1.Command{Kind: &downfallv1.Command_Orders{Orders: &downfallv1.GiveOrders{DropHex: 2515}}},
			rules.ReasonMalformed,
		},
		"bombs": {&downfallv1.Command{Kind: &downfallv1.Command_Bombs{Bombs: &downfallv1.DeclareBombs{Count: 1 << 31}}},
			rules.ReasonMalformed},
		"no target": {&downfallv1.Command{Kind: &downfallv1.Command_Target{Target: &downfallv1.TargetBomb{}}},
			rules.ReasonMalformed},
		"two targets": {&downfallv1.Command{
			Kind: &downfallv1.Command_Bomb{Bomb: &downfallv1.ExplodeBomb{Hex: 2819, Unit: "jp-5-tk"}},
		}, rules.ReasonMalformed},
		"zones": {&downfallv1.Command{
			Kind: &downfallv1.Command_Zones{Zones: &downfallv1.DeployNaval{Zones: make([]string, 40)}},
		},
			rules.ReasonMalformed},
		"marker": {&downfallv1.Command{Kind: &downfallv1.Command_Support{
			Support: &downfallv1.GiveSupport{Support: &downfallv1.Support{Naval: 99}},
		}},
			rules.ReasonUnknownPiece},
		"losses": {&downfallv1.Command{Kind: &downfallv1.Command_Losses{
			Losses: &downfallv1.TakeBombLosses{Losses: []*downfallv1.UnitLoss{{Unit: "jp-5-tk", Steps: 9}}},
		}}, rules.ReasonMalformed},
		"bare shot": {&downfallv1.Command{Kind: &downfallv1.Command_Shot{}}, rules.ReasonMalformed},
	} {
		_, r := (referee{}).DecodeCommand(p, c.m)
		if r == nil || r.Reason != c.reason || r.Error() == "" {
			t.Errorf("%s: %v, want %s", name, r, c.reason)
		}
	}
}
