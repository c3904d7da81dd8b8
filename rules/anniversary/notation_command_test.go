package anniversary

import (
	"strings"
	"testing"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// friendly are spellings with the canonical one.
var friendly = map[string]string{
	"move 3 infantry 1 artillery germany>poland": "move 3 infantry 1 artillery germany>poland",
	"MOVE 3 INF, 1 ART from Germany to Poland":   "move 3 infantry 1 artillery germany>poland",
	"move 2 tanks poland→east-poland→ukraine":    "move 2 tank poland>east-poland>ukraine",
	"move armor Poland -> EastPoland":            "move 1 tank poland>east-poland",
	"sail 1 sub sz7>sea-zone-8":                  "move 1 submarine sz-7>sz-8",
	"fly 1 ftr#2 germany>poland":                 "move 1 fighter#2 germany>poland",
	"move 1 infantry yunnan>hupeh of china":      "move 1 infantry yunnan>hupeh of china",
	"buy 5 infantry 2 armor":                     "buy 5 infantry 2 tank",
	"purchase 1 factory 2 carriers 1 aa":         "buy 1 industrial-complex 2 aircraft-carrier 1 antiaircraft-gun",
	"repair 2 germany":                           "repair germany 2",
	"repair germany 2":                           "repair germany 2",
	"research none":                              "research 0",
	"research 2":                                 "research 2",
	"chart 2":                                    "chart 2",
	"order china":                                "order china",
	"first us":                                   "order united-states",
	"ship 1 sz-6>sz-5 with " +
		"tank@united-kingdom infantry land norway": "ship 1 sz-6>sz-5 with tank@united-kingdom infantry land norway",
	"transport 2 transports sz-6 to sz-5 of italy": "ship 2 sz-6>sz-5 of italy",
	"ship 1 sz-5 with " +
		"infantry:italy+stays artillery land france": "ship 1 sz-5 with infantry:italy+stays artillery land france",
	"drop 2 bombers germany>ukraine":         "drop 2 germany>ukraine",
	"raid germany>united-kingdom":            "raid 1 germany>united-kingdom",
	"join 1 fighter sz-5":                    "join 1 sz-5",
	"undo 3":                                 "recall 3",
	"pass":                                   "end",
	"attack ukraine":                         "fight ukraine",
	"bomb germany":                           "bomb germany",
	"rocket germany>united-kingdom":          "rocket germany>united-kingdom",
	"bombard 1 bb@sz5 2 cruisers@sz-7":       "bombard 1 battleship@sz-5 2 cruiser@sz-7",
	"bombard none":                           "bombard -",
	"submerge none":                          "submerge 0",
	"lose 2 infantry 1 fighter:japan#2":      "lose 2 infantry 1 fighter:japan#2",
	"lose 2 infantry:soviet-union":           "lose 2 infantry",
	"lose hull":                              "lose 1 battleship-hull",
	"agree":                                  "answer yes",
	"answer no":                              "answer no",
	"continue":                               "press",
	"retreat":                                "retreat -",
	"retreat to poland":                      "retreat poland",
	"divert 1 fighter sz-5>japan of japan":   "divert 1 sz-5>japan of japan",
	"place 3 inf at germany":                 "place 3 infantry germany",
	"build 1 destroyer sz-5 through germany": "place 1 destroyer sz-5 through germany",
	"place 2 infantry yunnan of china":       "place 2 infantry yunnan of china",
	"orders none":                            "orders -",
	"orders retreat 50 losses infantry,tank bombard carriers never transports ask " +
		"submarines submerge divert agree": "orders losses infantry,tank retreat 50 submarines submerge bombard " +
		"divert agree carriers never transports ask",
	"resign":   "concede",
	"fight-on": "fight-on",
}

// Friendlier spellings are read as the canonical one, which is read as itself.
func TestFriendlySpellings(t *testing.T) {
	t.Parallel()
	p := golden(t, goldenBattle)
	for spelled, want := range friendly {
		for _, text := range []string{spelled, want} {
			c, r := p.parseCommand(text)
			if r != nil || grammar.Format(p, c) != want {
				t.Errorf("%q is read as %q, want %q: %v", text, grammar.Format(p, c), want, r)
			}
		}
		c, _ := p.parseCommand(want)
		commandRoundTrip(t, p, c)
	}
}

// What cannot be read is refused with a typed reason and with what was expected.
func TestCommandsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p := golden(t, goldenBattle)
	for text, want := range map[string]struct {
		reason rules.Reason
		words  string
	}{
		"":       {rules.ReasonMalformed, "its kind first"},
		"retire": {rules.ReasonMalformed, `no command "retire"`},
		"move": {rules.ReasonMalformed,
			"expected a number and a unit, not the end; it is written: move NUMBER UNIT"},
		"move 1 infantry":                        {rules.ReasonMalformed, "a way FROM>TO"},
		"move 1 zeppelin germany>poland":         {rules.ReasonUnknownPiece, "zeppelin"},
		"move 1 infantry germany>atlantis":       {rules.ReasonUnknownSpace, "atlantis"},
		"move 0 infantry germany>poland":         {rules.ReasonMalformed, "a number of units is 0"},
		"move 999 infantry germany>poland":       {rules.ReasonMalformed, "expected at most 255"},
		"move 1 infantry a>b>c>d":                {rules.ReasonMalformed, "expected 2 or 3"},
		"move 1 infantry:japan germany>poland":   {rules.ReasonMalformed, "no place for"},
		"move 1 infantry#0 germany>poland":       {rules.ReasonMalformed, "a number from 1"},
		"move 1 infantry germany>poland of mars": {rules.ReasonMalformed, "the powers are germany"},
		"move 1 hull germany>poland":             {rules.ReasonUnknownPiece, "hull"},
		"buy":                                    {rules.ReasonMalformed, "a number and a unit"},
		"buy " + strings.Repeat("1 tank ", 9):    {rules.ReasonMalformed, "more than 8 lines"},
		"chart 3":                                {rules.ReasonMalformed, "expected at most 2"},
		"order japan":                            {rules.ReasonMalformed, "china or united-states"},
		"bombard 1 cruiser":                      {rules.ReasonMalformed, "needs its sea zone"},
		"answer maybe":                           {rules.ReasonMalformed, "yes or no"},
		"fight":                                  {rules.ReasonMalformed, "a space"},
		"orders":                                 {rules.ReasonMalformed, "expected orders"},
		"orders retreat":                         {rules.ReasonMalformed, "a percentage"},
		"orders losses infantry,infantry":        {rules.ReasonMalformed, "twice in the order"},
		"orders submarines dance":                {rules.ReasonMalformed, "expected one of ask, strike, submerge"},
		"end now":                                {rules.ReasonMalformed, "nothing more"},
		"ship 1 sz-5 with":                       {rules.ReasonMalformed, "expected a unit"},
		strings.Repeat("x", maxCommand+1):        {rules.ReasonMalformed, "bytes"},
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

// Messages that name what is not there or are out of range are refused with a typed reason.
func TestMessagesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p := golden(t, goldenBattle)
	move := func(from, to string, units ...*anniversaryv1.Units) *anniversaryv1.Command {
		return &anniversaryv1.Command{
			Kind: &anniversaryv1.Command_Move{Move: &anniversaryv1.Move{From: from, To: to, Units: units}},
		}
	}
	infantry := &anniversaryv1.Units{Unit: anniversaryv1.Unit_UNIT_INFANTRY, Count: 1}
	orders := func(o *anniversaryv1.StandingOrders) *anniversaryv1.Command {
		return &anniversaryv1.Command{
			Kind: &anniversaryv1.Command_GiveOrders{GiveOrders: &anniversaryv1.GiveOrders{Orders: o}},
		}
	}
	for name, c := range map[string]struct {
		m      *anniversaryv1.Command
		reason rules.Reason
	}{
		"nothing":       {nil, rules.ReasonMalformed},
		"no kind":       {&anniversaryv1.Command{}, rules.ReasonMalformed},
		"no units":      {move("germany", "poland"), rules.ReasonMalformed},
		"nil units":     {move("germany", "poland", nil), rules.ReasonUnknownPiece},
		"no space":      {move("", "poland", infantry), rules.ReasonUnknownSpace},
		"unknown space": {move("germany", "atlantis", infantry), rules.ReasonUnknownSpace},
		"no count":      {move("germany", "poland", &anniversaryv1.Units{Unit: 1}), rules.ReasonMalformed},
		"count": {move("germany", "poland", &anniversaryv1.Units{Unit: 1, Count: 1 << 31}),
			rules.ReasonMalformed},
		"unit": {move("germany", "poland", &anniversaryv1.Units{Unit: 99, Count: 1}),
			rules.ReasonUnknownPiece},
		"hull": {move("germany", "poland",
			&anniversaryv1.Units{Unit: anniversaryv1.Unit_UNIT_BATTLESHIP_HULL, Count: 1}), rules.ReasonUnknownPiece},
		"negative unit": {move("germany", "poland", &anniversaryv1.Units{Unit: -1, Count: 1}),
			rules.ReasonUnknownPiece},
		"many units":    {move("germany", "poland", make([]*anniversaryv1.Units, 40)...), rules.ReasonMalformed},
		"bare ship":     {&anniversaryv1.Command{Kind: &anniversaryv1.Command_Ship{}}, rules.ReasonUnknownSpace},
		"bare rocket":   {&anniversaryv1.Command{Kind: &anniversaryv1.Command_Rocket{}}, rules.ReasonUnknownSpace},
		"no casualties": {&anniversaryv1.Command{Kind: &anniversaryv1.Command_Lose{}}, rules.ReasonMalformed},
		"chart": {&anniversaryv1.Command{
			Kind: &anniversaryv1.Command_ChooseChart{ChooseChart: &anniversaryv1.ChooseChart{Chart: 3}},
		}, rules.ReasonMalformed},
		"consent": {orders(&anniversaryv1.StandingOrders{Carriers: 9}), rules.ReasonMalformed},
		"losses": {orders(&anniversaryv1.StandingOrders{Losses: make([]anniversaryv1.Unit, 40)}),
			rules.ReasonMalformed},
		"twice": {orders(&anniversaryv1.StandingOrders{Losses: []anniversaryv1.Unit{1, 1}}), rules.ReasonMalformed},
	} {
		_, r := (referee{}).DecodeCommand(p, c.m)
		if r == nil || r.Reason != c.reason || r.Error() == "" {
			t.Errorf("%s: %v, want %s", name, r, c.reason)
		}
	}
}
