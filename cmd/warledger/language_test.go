package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/warledger/warledger/languages"
)

// filling is what is filled in a text: "{name}", "{n|one|many}", "%s".
var filling = regexp.MustCompile(`\\\{[^}]*\\\}|%(\\\[\d\\\])?[sd]`)

// translated is a pattern of what an English text is in a language, which must have it.
func translated(t *testing.T, l *languages.Language, english string) string {
	t.Helper()
	text, ok := l.Text(english, "")
	if !ok {
		t.Errorf("%s has no %q", l.Tag, english)
		return english
	}
	return filling.ReplaceAllString(regexp.QuoteMeta(strings.TrimSpace(text)), ".+")
}

// Each language of a file comes out of the server and of this program: labels, narration, refusals, what happens at the
// table, names of scenarios, and the program's own words and help.
func TestEveryLanguage(t *testing.T) {
	t.Parallel()
	server := serve(t)
	if len(languages.All()) == 0 {
		t.Error("no language has a file")
	}
	for _, l := range languages.All() {
		t.Run(l.Tag, func(t *testing.T) {
			t.Parallel()
			p := newPerson(t, server)
			in := func(english string) string { return translated(t, l, english) }
			lang := " --lang " + l.Tag + "-XX"
			p.do("rulesets"+lang, "toy: "+in("Outpost")+", ", in("Length of the game"))
			p.do("scenarios toy"+lang, in("The ridge"), in("Two patrols meet on a ridge with three outposts."))
			p.do("create toy ridge --take red --take blue --name Ann"+lang, in(`Created %s.`+"\n"))
			p.do("legal . --as red"+lang, in("Plan to hold {hex}"))
			p.do("do . 1 --as red"+lang, in("Version %d, turn %d: %s."))
			p.first(".", "--as", "blue")
			p.do("log ."+lang, in("{} sits down."), in("{seat} has made its plan."), in("Turn {turn} begins."))
			p.do("board . --as red"+lang, in("Turn {turn} of {last}: {phase}"), in("Points of {seat}"))
			for _, seat := range []string{"red", "blue"} { // the one that is not on turn is told so
				code, _, errs := p.run("do", ".", "move b1 0101", "--as", seat, "--lang", l.Tag)
				if code != exitRefused {
					t.Errorf("a move that breaks a rule: exit code %d, %s", code, errs)
				} else {
					p.has("refusal", errs, []string{in("The game does not ask {seat} for this now.") + "|" +
						in("{unit} is not a unit of {seat} on the map.") + "|" +
						in("{to} is {distance} {distance|hex|hexes} from {from}; 1 is allowed.")})
				}
			}
			p.do("--help"+lang, strings.ReplaceAll(in("Create a game."), " ", `\s+`), in("At the table"))
			p.fails(exitUsage, "games --lang zxx", `must be one of en, ja, .*`+l.Tag)
		})
	}
}
