package main

import (
	"regexp"
	"strings"
	"testing"
)

// seated returns two players at a game with mutual dice, each with a machine of their own.
func seated(t *testing.T) (red, blue *person, name string) {
	t.Helper()
	server := serve(t)
	red, blue = newPerson(t, server), newPerson(t, server)
	red.do("create toy ridge --dice mutual --take red --name Rosa", "dice: mutual, the server's part committed to",
		"the game waits")
	var shown object
	red.json(&shown, "show .")
	name = shown["name"].(string)
	blue.do("join "+name+" blue --name Blaise", "You hold blue")
	return red, blue, name
}

// TestMutualDice plays until dice are asked for. The player who rolls is told whom the game waits for, and any next
// command of the other answers.
func TestMutualDice(t *testing.T) {
	t.Parallel()
	roller, other, name := asked(t)
	roller.do("show .", "needs dice", "must answer")
	roller.fails(exitRefused, "do "+name+" concede", "dice")
	other.do("show "+name, "waits for")
	roller.do("log .", `d6|d10`)
	roller.do("games", "waits for")
}

// asked plays games until a command waits for dice, because a game may end before.
func asked(t *testing.T) (roller, other *person, name string) {
	t.Helper()
	for range 20 {
		red, blue, name := seated(t)
		if roller, other := untilAsked(t, red, blue, name); roller != nil {
			return roller, other, name
		}
	}
	t.Fatal("no command needed dice")
	return nil, nil, ""
}

// untilAsked makes the first listed command of whichever seat is asked, until a command waits for dice; it returns
// nobody if the game ends before.
func untilAsked(t *testing.T, red, blue *person, name string) (roller, other *person) {
	t.Helper()
	waits := regexp.MustCompile(`waits for (red|blue)`)
	for {
		_, out, _ := red.run("show", name)
		asked := waits.FindStringSubmatch(out)
		if asked == nil {
			return nil, nil
		}
		roller, other = red, blue
		if asked[1] == "blue" {
			roller, other = blue, red
		}
		code, said, failed := roller.first(name)
		if code != exitDone {
			t.Fatalf("exit %d: %s", code, failed)
		}
		if strings.Contains(said, "The command is carried out as soon as the dice are there") {
			return roller, other
		}
	}
}

// TestMutualDiceAlone has one person hold both seats: nothing waits.
func TestMutualDiceAlone(t *testing.T) {
	t.Parallel()
	p := newPerson(t, serve(t))
	waits, thrown := regexp.MustCompile(`waits for (red|blue)`), false
	for games := 0; !thrown && games < 20; {
		_, out, _ := p.run("show", ".")
		asked := waits.FindStringSubmatch(out)
		if asked == nil { // there is no game yet, or it is over
			p.do("create toy ridge --dice mutual --go-on 90s --take red,blue --name me",
				"goes on without an answer after 1m30s")
			games++
			continue
		}
		_, out, _ = p.first(".", "--as", asked[1])
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
	if roller, other := untilAsked(t, red, blue, name); roller != nil {
		other.do("show "+name, "waits for")
		roller.do("show "+name, "waits for")
	}
	red.fails(exitNotAllowed, "chain "+name+" --as blue")
}
