package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// asks is the number of the record that waits for an answer in the game used last, as somebody reads it.
func (p *person) asks() string {
	p.t.Helper()
	found := regexp.MustCompile(`\(record (\d+)\); \w+ must answer`).FindStringSubmatch(p.do("show ."))
	if found == nil {
		p.t.Fatal("nothing waits for an answer")
	}
	return found[1]
}

// redAndBlue is a game of Ann's, who plays red, in which Bob plays blue and both have moved.
func redAndBlue(t *testing.T) (ann, bob *person) {
	t.Helper()
	addr := serve(t)
	ann, bob = newPerson(t, addr), newPerson(t, addr)
	var game struct{ Name string }
	ann.json(&game, "create toy ridge --take red --dice manual --rolled 1")
	bob.do("join "+game.Name+" blue --name Bob", "You hold blue")
	ann.do("do . plan 0103")
	bob.do("do . plan 0503")
	ann.do("do . move r2 0203")
	return ann, bob
}

// TestNobodyAgreesToAReplacedQuestion: whoever asks puts another question in the place of the one that Bob was shown.
// Bob's yes does not reach it, whether Bob names the record that he was shown, or no record at all.
func TestNobodyAgreesToAReplacedQuestion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer      string
		first, next []string
		shown, now  string
		done        string
	}{
		"deadlines": {
			"deadlines answer .", []string{"deadlines propose . --time 168h --lapse notice"},
			[]string{"deadlines propose . --time 1m --lapse forfeit"},
			`proposed: 168h0m0s for each action, then notice \(record`,
			`proposed: 1m0s for each action, then forfeit \(record`, "All agree: .* 1m0s",
		},
		"undo": {
			"consent .", []string{"undo . --to 4 --ask"}, []string{"consent . no --as red", "undo . --to 1 --ask"},
			`red asks to go back to version 4 .*\n    it takes back records 5 to 6, 2 in all\n(.*\n)+ +6  red +move r2 0203`,
			`red asks to go back to version 1 .*\n    it takes back records .* to 6, 3 in all\n(.*\n)+ +6  red +move r2`,
			"head is at version 1",
		},
		"seat": {
			"seat answer .", []string{"leave . blue", "seat offer . blue"}, []string{"seat offer . blue"},
			`asks whether blue may be taken \(record`, `asks whether blue may be taken \(record`, "All agree",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ann, bob := redAndBlue(t)
			for _, line := range c.first {
				ann.do(line)
			}
			bob.run("show", ".") // Bob notices that the seat was freed, where it was
			bob.do("show .", c.shown)
			shown := bob.asks()
			for _, line := range c.next {
				ann.do(line)
			}
			now := bob.asks()
			if shown == now {
				t.Fatalf("record %s asks both", now)
			}
			bob.fails(exitUsage, c.answer+" yes", "must name the record", c.now,
				c.answer[:7]+".* yes --record "+now+" agrees")
			bob.fails(exitUsage, c.answer+" yes -o json", "must name the record")
			bob.fails(exitUsage, c.answer+" yes --record "+shown, "record "+shown+" does not ask this now", c.now)
			bob.fails(exitUsage, c.answer+" no --record "+shown, "does not ask this now")
			bob.do("show .", c.now)
			bob.do(c.answer+" yes --record "+now, c.done)
		})
	}
}

// TestAYesIsTypedBelowTheQuestion: at a terminal the whole question is shown, and only a yes that is typed then agrees.
func TestAYesIsTypedBelowTheQuestion(t *testing.T) {
	t.Parallel()
	ann, bob := redAndBlue(t)
	ann.do("deadlines propose . --time 24h --remind 2h,1h --holidays 3 --days-off sat,sun --utc-offset 9h")
	all := `24h0m0s for each action, then notice; reminders before that: 2h0m0s, 1h0m0s; days of holiday: 3; ` +
		`no time runs on sat, sun, at 9h0m0s from UTC`
	bob.tty, bob.in = true, "y\n"
	bob.fails(exitUsage, "deadlines answer . yes", all, "Type yes to agree: ", "nothing was sent")
	bob.in = ""
	bob.fails(exitUsage, "deadlines answer . yes", "nothing was sent")
	bob.in = "yes\n"
	code, out, errs := bob.run(strings.Fields("deadlines answer . yes")...)
	bob.has("yes", fmt.Sprint(code, out, errs), []string{`^0All agree`, all})
}

// TestAnUndoSaysWhichDiceItTakesBack: a player who agrees to an undo reads which throws go with it.
func TestAnUndoSaysWhichDiceItTakesBack(t *testing.T) {
	t.Parallel()
	ann, bob := redAndBlue(t)
	ann.do("undo .")
	ann.do("do . move r2 0304")
	ann.do("do . attack r2 b2 --dice 4")
	ann.do("undo . --to 8 --ask", "blue must agree")
	bob.do("show .", `it takes back records 9 to 9, 1 in all`, `the dice of records 9\n`, `d6: 4`)
}

// TestTheScreenShowsWhatItAnswers: y shows the whole question. The answer names its record, so that a question which
// took its place meanwhile is not agreed to.
func TestTheScreenShowsWhatItAnswers(t *testing.T) {
	t.Parallel()
	ann, bob := redAndBlue(t)
	v := bob.playing(100, 30, "play .")
	v.until(`waits for red`)
	v.press("y")
	v.until(`Nobody asks you for consent`)
	ann.do("undo . --to 4 --ask", "blue must agree")
	v.until(`YOU: red asks to take`)
	v.press("y")
	v.until(`What is asked of you.*go back to version 4 .*takes back records 5 to 6, 2 in all.*move r2 0203.*y agrees`)
	ann.do("consent . no --as red", "head stays")
	ann.do("undo . --to 1 --ask", "blue must agree")
	v.press("y")
	v.until(`no undo \d+ waits for an answer of blue`)
	bob.do("show .", "red asks to go back to version 1 ")
	v.press("y")
	v.until(`What is asked of you.*go back to version 1 .*3 in all`)
	v.press("esc")
	v.until(`── log`)
	v.press("y")
	v.until(`What is asked of you`)
	v.press("x")
	v.until(`does not agree to the undo`)
	ann.do("deadlines propose . --time 24h", "blue must answer")
	v.until(`YOU: Other deadlines are`)
	v.press("y")
	v.until(`proposed: 24h0m0s for each action`)
	v.press("y")
	v.until(`Other deadlines hold`)
	v.press("q")
	v.ends(exitDone)
}
