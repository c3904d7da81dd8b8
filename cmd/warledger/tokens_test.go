package main

import (
	"strings"
	"testing"
)

// TestMadeTokens has one person make tokens for others, who can do what they were made for and no more.
func TestMadeTokens(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	ann, guest, bot := newPerson(t, addr), newPerson(t, addr), newPerson(t, addr)
	var game struct{ Name string }
	ann.json(&game, "create toy ridge --take red,blue")
	name := game.Name

	guest.in = ann.do("token create . --as red --note guest", "^wl_v_[a-z2-7]{52}\n$")
	bot.in = ann.do("token create . --as red --rights act --for 2h")
	ann.fails(exitUsage, "token create .", "SEAT_REQUIRED|expected one of them")
	ann.fails(exitUsage, "token create . --as red --for 9000h", "within 366 days")
	ann.fails(exitUsage, "token create . --as red --for -1h")
	list := ann.do("token list .", "SEAT +RIGHTS +EXPIRES +TOKEN +NOTE", "red +see .*guest", "red +act ")

	guest.do("token use "+name+" --as red", "kept for red of "+name)
	guest.do("legal .", "plan")
	guest.fails(exitNotAllowed, "do . plan", "TOKEN_TOO_NARROW|does not open")
	guest.fails(exitNotAllowed, "token create .")
	bot.do("token use "+name+" --as red", "kept for red")
	if code, _, errs := bot.run("do", ".", "plan 0303"); code != exitDone {
		t.Errorf("who may act cannot: %d %s", code, errs)
	}
	bot.fails(exitNotAllowed, "leave . red")

	var acting string
	for line := range strings.Lines(list) {
		if fields := strings.Fields(line); len(fields) > 4 && fields[1] == "act" {
			acting = fields[4]
		}
	}
	guest.fails(exitNotAllowed, "token revoke "+acting, "does not open that")
	ann.do("token revoke "+acting, acting+" opens nothing any more")
	ann.do("token revoke "+acting, acting+" opens nothing any more")
	bot.fails(exitNotAllowed, "legal .", "revoked")
	ann.fails(exitUsage, "token revoke "+name, "expected games/.../tokens/...")

	// A token that the server does not know is not kept, nor one for an unknown seat.
	for _, wrong := range []string{"", "wl_g_" + strings.Repeat("a", 52) + "\n"} {
		other := newPerson(t, addr)
		other.in = wrong
		if code, _, _ := other.run("token", "use", name, "--as", "red"); code == exitDone {
			t.Errorf("the token %q is kept", wrong)
		}
	}
	guest.fails(exitUsage, "token use "+name+" --as green", "no seat \"green\"")

	// Who may do what the owner may closes the game.
	steward := newPerson(t, addr)
	steward.in = ann.do("token create . --rights own")
	steward.do("token use "+name, "the owner's part of "+name)
	steward.do("close .", "is over")
}

// TestInvitedPlayers has an owner say who plays.
func TestInvitedPlayers(t *testing.T) {
	t.Parallel()
	addr := serve(t)
	ann, bob, eve := newPerson(t, addr), newPerson(t, addr), newPerson(t, addr)
	var game struct{ Name string }
	ann.json(&game, "create toy ridge --join invited --take red")
	ann.do("show "+game.Name, `seats: .*\(by invitation\)`)
	eve.fails(exitNotAllowed, "join "+game.Name+" blue", "an invitation is needed")
	ann.fails(exitUsage, "token create . --rights join", "to which seat")
	eve.in = ann.do("token create . --rights own --note co", "^wl_c_[a-z2-7]{52}\n$")
	eve.fails(exitFailed, "join "+game.Name+" blue --invited", "this token is no invitation")
	eve.in = ann.do("token create . --rights join --as blue --note bob", "^wl_j_[a-z2-7]{52}\n$")
	bob.in = eve.in
	eve.in = ""
	eve.fails(exitUsage, "join "+game.Name+" blue --invited", "which invitation")
	bob.do("join "+game.Name+" blue --invited", "You hold blue")
	bob.do("legal .", "plan")
}
