package ocs

import (
	"regexp"
	"testing"

	"github.com/warledger/warledger/rules"
)

// wordings are the English words of the rules and the engine, and patterns of other spellings of them. Names of modes,
// phases and segments, and Action Rating, have a capital letter; names of tables, movement types and missions have
// none. A mark in a pattern tells the middle of a sentence from its beginning.
var wordings = []struct{ word, not string }{
	{"Action Rating", `\b(action|Action) rating|\baction Rating`},
	{"Movement Phase", `\b(movement|combat|exploitation|reaction|supply|reinforcement) phases?\b`},
	{"Movement Segment", `\b(movement|combat|barrage|breakout) segments?\b`},
	{"Reserve", `\b(reserve (marker|mode|release)|from reserve)\b`},
	{"Move mode", `\b(Move|Combat|Strat|Reserve|Exploitation) Mode\b`},
	{"direct draw", `\bDirect Draw\b`},
	{"barrage table", `[a-z,;(] ([A-Z][a-z]+ )+Table\b`},
	{"facility table", `(?i)facility barrage table`},
	{"supply points", `\bSupply Points\b`},
	{"internal stocks", `\bInternal Stocks\b`},
	{"sea capacity", `(?i)\b(sea|rail) cap\b`},
	{"replacement", `\bRepls?\b`},
	{"trainbusting", `[a-z,;(] Trainbusting\b`},
	{"leg, truck and track", `[a-z,;(] (Leg|Truck|Track)\b|\bTrack/Truck\b`},
	{"very close, extremely close", `\b(Very|Extremely?) Close\b|\bextreme close\b`},
	{"first player", `\b(First|Second) Player\b`},
	{"two dice, one die", `\b[12]?[dD]6\b`},
	{"railway", `(?i)\brailroad\b(?-i)`},
	{"its: a player is a side", `(?i)\b(he|his|him|himself)\b`},
	{"towards", `\btoward\b`},
	{"for example", `\be\.g\.|\bi\.e\.`},
	{"-ise", `(?i)\b(\w+ganiz|mechaniz|motoriz|specializ|parenthesiz|recogniz|minimiz|maximiz)\w*`},
	{"colour, armour, defence", `(?i)\b(color|armor|defense|offense|neighbor|center|gray)(s|ed|ing)?\b`},
}

// proper are names in which another spelling stands for a reason.
var proper = regexp.MustCompile(`(?i:railroad repair|"Railroad Interdiction")|"Strategic Move Mode"` +
	`|First Player Determination Segment|\{[^}]*\}|` + "`[^`]*`")

// TestOneWording: chapters and messages have one English spelling of each word, since readers search by words, and ask
// themselves whether two spellings are two things.
func TestOneWording(t *testing.T) {
	t.Parallel()
	said := map[string]string{}
	for _, p := range rulebook().Paragraphs {
		said[p.ID] = p.Title + ".\n" + p.Summary + "\n" + p.Text
		if m := regexp.MustCompile(`\b[Cc]an't\b|\b[Dd]on't\b`).FindString(said[p.ID]); m != "" {
			t.Errorf("%s says %q: rules say cannot", p.ID, m)
		}
	}
	for _, key := range catalogue.Keys() {
		said[key] = catalogue.Format(rules.English, rules.Text{Key: key})
	}
	for where, text := range said {
		said[where] = plain(proper.ReplaceAllString(text, "-"))
	}
	for _, w := range wordings {
		other := regexp.MustCompile(w.not)
		for where, text := range said {
			if m := other.FindString(text); m != "" {
				t.Errorf("%s: %q instead of %s", where, m, w.word)
			}
		}
	}
}
