package main

import (
	"regexp"
	"strings"
	"testing"
)

// seated has two people at a game with mutual dice, each with a machine of their own.
func seated(t *testing.T) (red, blue *person, name string) {
	t.Helper()
	server := serve(t)
	red, blue = newPerson(t, server), newPerson(t, server)
	red.do("create toy ridge --dice mutual --take red --name Rosa", "dice: mutual, the server's part committed to", "the game waits")
	var shown object
	red.json(&shown, "show .")
	name = shown["name"].(string)
	blue.do("join "+name+" blue --name Blaise", "You hold blue")
	return red, blue, name
}

// TestMutualDice plays until dice are asked for: the one who rolls is told for whom it waits, and whatever the other does next answers.
func TestMutualDice(t *testing.T) {
	t.Parallel()
	red, blue, name := seated(t)
	roller, other := untilAsked(t, red, blue, name)
	roller.do("show .", "asks for dice", "must answer")
	roller.fails(exitRefused, "do "+name+" concede", "dice")
	other.do("show "+name, "waits for")
	roller.do("log .", `d6|d10`)
	roller.do("games", "waits for")
}

// untilAsked does the first thing that is listed, for whoever is asked, until a command waits for dice.
func untilAsked(t *testing.T, red, blue *person, name string) (roller, other *person) {
	t.Helper()
	waits := regexp.MustCompile(`waits for (red|blue)`)
	for range 40 {
		_, out, _ := red.run("show", name)
		asked := waits.FindStringSubmatch(out)
		if asked == nil {
			t.Fatalf("nobody is asked:\n%s", out)
		}
		roller, other = red, blue
		if asked[1] == "blue" {
			roller, other = blue, red
		}
		code, said, failed := roller.run("do", name, "1")
		if code != exitDone {
			t.Fatalf("exit %d: %s", code, failed)
		}
		if strings.Contains(said, "It is done as soon as the dice are there") {
			return roller, other
		}
	}
	t.Fatal("no command needed dice")
	return nil, nil
}

// TestMutualDiceAlone has one person hold both seats: nothing waits.
func TestMutualDiceAlone(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	p.do("create toy ridge --dice mutual --go-on 90s --take red,blue --name me", "goes on without an answer after 1m30s")
	waits, thrown := regexp.MustCompile(`waits for (red|blue)`), false
	for range 40 {
		_, out, _ := p.run("show", ".")
		asked := waits.FindStringSubmatch(out)
		if asked == nil {
			break
		}
		_, out, _ = p.run("do", ".", "1", "--as", asked[1])
		if strings.Contains(out, "as soon as the dice") {
			t.Fatalf("it waits for a seat that is held here:\n%s", out)
		}
		thrown = thrown || strings.Contains(out, "d6")
	}
	if !thrown {
		t.Error("no dice were thrown")
	}
}

// TestChainMovesToAnotherMachine gives a seat's token to another machine, which then answers.
func TestChainMovesToAnotherMachine(t *testing.T) {
	t.Parallel()
	red, blue, name := seated(t)
	blue.do("chain "+name, "This machine answers for the dice of blue")
	roller, other := untilAsked(t, red, blue, name)
	other.do("show "+name, "waits for")
	roller.do("show "+name, "waits for")
	red.fails(exitNotAllowed, "chain "+name+" --as blue")
}
