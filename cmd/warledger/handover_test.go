package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// guardedTable is a game of Ann's that hides something: Ann owns it and plays red, Bob plays blue.
func guardedTable(t *testing.T, options string) (ann, bob, eve *person, name string) {
	t.Helper()
	addr := serve(t)
	ann, bob, eve = newPerson(t, addr), newPerson(t, addr), newPerson(t, addr)
	var game struct{ Name string }
	ann.json(&game, "create toy ridge --take red"+options)
	bob.do("join "+game.Name+" blue --name Bob", "You hold blue")
	ann.do("do . plan 0103")
	bob.do("do . plan 0503")
	return ann, bob, eve, game.Name
}

// TestGuardedSeatsAreHandedOver: the owner frees a seat, meets its guard, asks, is refused, asks again and sits down.
func TestGuardedSeatsAreHandedOver(t *testing.T) {
	t.Parallel()
	ann, bob, eve, name := guardedTable(t, "")
	ann.fails(exitRefused, "seat offer . blue", "is held")
	ann.do("seat offers", "No offer of a seat waits")
	ann.do("leave . blue", "is free")
	ann.do("show .", `blue=\(guarded\)`, `blue is guarded since 20\d\d-.*: the owner freed it, so only its last holder`,
		`warledger seat offer \w+ blue asks the others`)
	ann.fails(exitRefused, "join . blue", "only if the others agree", `warledger seat offer \w+ blue asks the others`)
	eve.fails(exitRefused, "join "+name+" blue",
		"only if the others agree", `its owner can ask the others with warledger seat offer \w+ blue`)
	eve.fails(exitNotAllowed, "seat offer "+name+" blue", "join the game first")
	ann.fails(exitUsage, "seat answer . yes", "no offer of a seat waits for an answer in games/")

	ann.do("seat offer . blue",
		`the owner asks whether blue may be taken \(record 7\); blue must answer: warledger seat answer \w+ yes --record 7, or no`)
	ann.do("show .", "blue must answer")
	ann.fails(exitUsage, "seat answer . yes", "the offer of blue waits for blue, and not for you")
	ann.do("seat offers", "No offer of a seat waits")
	// Bob has not noticed yet. Nothing is shown to his token, but he is told what to do.
	bob.do("seat offers", `GAME +TITLE +OFFERED +RECORD +ANSWERS`, `blue +7 +blue`,
		"warledger seat answer GAME yes --record RECORD agrees")
	bob.fails(exitNotAllowed, "board .", "revoked",
		`blue is free now: warledger join \w+ blue takes it again, warledger seat offers`)
	bob.do("show .", "blue must answer")
	var offers, want []map[string]any
	bob.json(&offers, "seat offers .")
	want = []map[string]any{{"game": name, "seat": "blue", "offered": 7., "answer": []any{"blue"}}}
	if diff := cmp.Diff(want, offers); diff != "" {
		t.Errorf("offers as JSON: %s", diff)
	}
	bob.fails(exitUsage, "seat answer . maybe")
	bob.fails(exitUsage, "seat answer . yes --as red", "waits for blue, and not for you")
	bob.do("seat answer . no", "You refused: blue stays guarded")
	ann.fails(exitRefused, "join . blue", "only if the others agree")
	ann.do("seat offer . blue", "blue must answer")
	bob.do("seat answer . yes --record "+bob.asks(),
		`All agree: whoever the owner lets in may take blue: warledger join \w+ blue`)
	ann.fails(exitRefused, "seat offer . blue", `warledger join \w+ blue takes it`)
	ann.do("join . blue", "You hold blue", "yours: owner, blue, red")
	bob.fails(exitRefused, "join . blue", "held")
	bob.do("show .", "blue=")
}

// TestGamesOfThoseWhoAreGone: where nobody answers, the owner closes the game, and whoever wants
// to goes on with a fork.
func TestGamesOfThoseWhoAreGone(t *testing.T) {
	t.Parallel()
	ann, _, eve, name := guardedTable(t, "")
	ann.do("leave . blue", "is free")
	ann.do("seat offer . blue", "blue must answer")
	eve.fails(exitNotAllowed, "fork "+name, "hidden")
	ann.do("close .", "is over")
	ann.fails(exitUsage, "seat answer . yes", "no offer of a seat waits")
	eve.do("fork " + name)
	eve.do("join . blue --name Eve", "You hold blue")
	eve.do("legal .")
}

// TestLastHoldersComeBack: a player who was put out takes the seat again with its old token, also with mutual dice;
// one who is too late does not.
func TestLastHoldersComeBack(t *testing.T) {
	t.Parallel()
	for _, options := range []string{"", " --dice mutual"} {
		ann, bob, eve, name := guardedTable(t, options)
		ann.do("leave . blue", "is free")
		eve.fails(exitRefused, "join "+name+" blue", "only if the others agree")
		bob.do("join . blue --name Bob", "You hold blue")
		ann.do("leave . blue", "is free")
		code, out, errs := bob.run("legal", ".", "-o", "json")
		if code != exitNotAllowed || out != "" {
			t.Errorf("legal of a void token: %d\n%s%s", code, out, errs)
		}
		bob.has("legal", errs, []string{`"hint": "blue is free now: warledger join`})
		bob.do("join . blue --name Bob", "You hold blue", "yours: blue")
		bob.do("leave . blue", "is free")
		ann.fails(exitRefused, "seat offer . blue", "there is nobody who could agree",
			"warledger close .* ends the game for everyone")
		eve.do("join "+name+" blue --name Eve", "You hold blue") // whom anyone lets in
		eve.do("leave . blue", "is free")
		bob.do("join . blue --name Bob", "You hold blue") // with a token that Eve's has made void
	}
}

// TestWhoeverWasPutOutIsAsked: the owner puts Bob out and would take back what Bob did, and change the deadlines. Bob
// answers both with the token from then, before and after he has noticed.
func TestWhoeverWasPutOutIsAsked(t *testing.T) {
	t.Parallel()
	ann, bob, _, _ := guardedTable(t, "")
	ann.do("leave . blue", "is free")
	ann.fails(exitRefused, "undo . --to 1", "without the consent of blue", "undo GAME --ask asks the others")
	ann.do("undo . --to 1 --ask", "blue must agree")
	ann.fails(exitUsage, "consent . yes", "no undo waits for your consent")
	bob.do("consent . no", "head stays")
	ann.do("undo . --to 1 --ask", "blue must agree")
	bob.fails(exitNotAllowed, "board .", "revoked", "blue is free now")
	bob.do("consent . yes --record "+bob.asks(), "head is at version 1")
	ann.do("deadlines propose . --time 72h --as red", "blue")
	bob.do("deadlines answer . no", "stays as it was")
}
