package main

import (
	"regexp"
	"testing"
)

// TestTalkOnTheLine has two players talk, take notes, mute and report, as the guide shows.
func TestTalkOnTheLine(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	ann, bob, guest := newPerson(t, addr), newPerson(t, addr), newPerson(t, addr)
	var game struct{ Name string }
	ann.json(&game, "create toy ridge --take red")
	bob.do("join " + game.Name + " blue")
	ann.do("say . hello", "red +hello")
	ann.do("say . --side hold --at 0304", `red +\(to the side\) \[at 0304\] hold`)
	ann.do("say . --note fuel --record 1", `red +\(note\) \[record 1\] fuel`)
	ann.fails(exitUsage, "say . --note --side both", "can't be used together")
	ann.fails(exitUsage, "say . --at 9999 nowhere", "the map has no space")
	ann.do("messages .", "hello", "hold", "fuel")
	ann.do("messages . --side", "hold")
	ann.do("notes .", "fuel")
	if got := bob.do("messages .", "hello"); regexp.MustCompile("hold|fuel").MatchString(got) {
		t.Errorf("blue reads %s", got)
	}
	guest.fails(exitNotAllowed, "messages "+game.Name, "does not let spectators")
	ann.do("talk spectators . on", "Spectators read the table")
	guest.do("messages "+game.Name, "hello")
	name := regexp.MustCompile(`games/\S+/messages/\S+`).FindString(bob.do("messages . --names", "messages/"))
	bob.do("talk report . "+name+" rude", "The owner can read")
	ann.do("talk reports .", "blue reports red: rude", "hello", name)
	bob.fails(exitNotAllowed, "talk reports .", "owner")
	bob.do("talk mute . red", "You do not read: red")
	bob.do("talk unmute . red", "Spectators read")
	bob.fails(exitNotAllowed, "messages . --delete "+name, "red wrote the message")
	ann.do("talk mute . blue --for-all", "Muted by the owner: blue")
	bob.fails(exitNotAllowed, "say . hello", "does not let blue write")
	ann.do("messages . --delete "+name, "is gone")
	if got := bob.do("messages ."); got != "" {
		t.Errorf("blue still reads %s", got)
	}
	ann.do("talk show .", "Muted by the owner: blue")
	ann.do("talk reports .", "blue reports red: rude", "hello") // a report keeps the text of a deleted message
}
