package discord

import (
	"slices"
	"strings"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// thrown is the last record with dice in which seats have a part; nil if none exists.
func (s *stage) thrown() *v1.Record {
	s.t.Helper()
	var last *v1.Record
	for r, err := range s.asked().Game(s.game().GetName(), "").Records(s.t.Context(),
		warledger.LogQuery{WholeTree: true}) {
		if err != nil {
			s.t.Fatal(err)
		}
		if r.GetDiceSource() == logv1.DiceSource_DICE_SOURCE_MUTUAL {
			last = r
		}
	}
	return last
}

// TestMutualDice has two players on Discord throw mutual dice through restarts of the bridge, which answers for both
// at once.
func TestMutualDice(t *testing.T) {
	t.Parallel()
	for throws := 0; throws < 2; { // a game may end before
		throws += thrownTogether(t, 2-throws)
	}
}

// thrownTogether plays a game until dice were thrown a number of times, or it ends.
func thrownTogether(t *testing.T, most int) (throws int) {
	t.Helper()
	s := newStage(t)
	red, blue := s.players("dice=mutual")
	for step := 0; throws < most; step++ {
		g := s.game()
		u, seat := turnOf(g, red, blue)
		if seat == "" {
			break
		}
		s.told(g.GetVersion())
		found := u.completes("move", "command=")
		answer := u.slash("move", "command="+found[step%len(found)].Value)
		if after := s.game(); after.GetPendingDice() != nil || after.GetVersion() <= g.GetVersion() {
			t.Fatalf("step %d: %q, pending %v", step, answer.message.Content, after.GetPendingDice())
		}
		if r := s.thrown(); r != nil && r.GetVersion() > g.GetVersion() {
			throws++
			s.again() // what was kept of the chains is there again
		}
	}
	return throws
}

// TestMutualDiceWithSomebodyElse has a player with another client keep the channel waiting, which the channel is told.
// The bridge answers for its own seat without being asked.
func TestMutualDiceWithSomebodyElse(t *testing.T) {
	t.Parallel()
	waited, answered := false, false
	for range 20 {
		w, a := withSomebodyElse(t)
		if waited, answered = waited || w, answered || a; waited && answered {
			return
		}
	}
	t.Errorf("waited %v, answered %v", waited, answered)
}

// withSomebodyElse plays a game until the channel has waited for dice and the player elsewhere has
// thrown, or the game ends.
func withSomebodyElse(t *testing.T) (waited, answered bool) {
	t.Helper()
	s := newStage(t)
	red := s.user("alice", "601")
	red.says("The game begins", "create", "ruleset=toy", "scenario=ridge", "dice=mutual")
	red.says("You sit at", "join", "seat=red")
	wallet := &warledger.Wallet{}
	other, err := warledger.Dial(s.addr, warledger.WithTokens(wallet))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	blue := other.Game(s.game().GetName(), "blue")
	taken, err := blue.Take(t.Context(), "blue", "elsewhere", nil)
	if err != nil {
		t.Fatal(err)
	}
	wallet.Add(blue.Name(), taken.SeatToken)
	for step := 0; !waited || !answered; step++ {
		g := s.game()
		if g.GetOver() {
			break
		}
		if g.GetWaitingFor()[0] == "blue" {
			actions, err := blue.ListLegal(t.Context(), warledger.LegalQuery{})
			if err != nil {
				t.Fatal(err)
			}
			// It waits for the bridge, which nobody asks.
			done, err := blue.Submit(t.Context(), warledger.Move{Notation: actions[step%len(actions)].Command})
			if err != nil {
				t.Fatal(err)
			}
			answered = answered || done.GetRecord().GetAsked() != 0
			continue
		}
		s.told(g.GetVersion())
		found := red.completes("move", "command=")
		answer := red.slash("move", "command="+found[step%len(found)].Value)
		if !strings.Contains(answer.message.Content, "as soon as the dice are there") {
			continue
		}
		waited = true
		if got := red.slash("status").message.Content; !strings.Contains(got, "The dice wait for: blue") {
			t.Errorf("status: %q", got)
		}
		if _, err := blue.AnswerDice(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.told(s.game().GetVersion())
	}
	return waited, answered
}

// impostor is a client of somebody who has a token, and none of the bridge's chains.
func (s *stage) impostor(token string) *warledger.Client {
	s.t.Helper()
	c, err := warledger.Dial(s.addr, warledger.WithTokens(fixed(token)), warledger.WithChains(&warledger.Wallet{}))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	return c
}

// TestUndosInSomebodysNameAreAnnounced: somebody who has blue's token agrees in blue's name that red's throw is taken
// back. The bridge gives no link for the next one, and tells the channel. It goes on once blue says that it was blue;
// red cannot say so.
func TestUndosInSomebodysNameAreAnnounced(t *testing.T) {
	t.Parallel()
	for !undoneInBluesName(t) { // a game may end before red throws
	}
}

func undoneInBluesName(t *testing.T) (thrown bool) {
	t.Helper()
	s := newStage(t)
	red, blue := s.players("dice=mutual")
	s.stopBridge()
	token := s.table().Seats["blue"].Token
	s.bridge()
	command := ""
	for step := 0; command == ""; step++ {
		g := s.game()
		u, seat := turnOf(g, red, blue)
		if seat == "" {
			return false
		}
		s.told(g.GetVersion())
		found := u.completes("move", "command=")
		next := found[step%len(found)].Value
		u.slash("move", "command="+next)
		if r := s.thrown(); r != nil && r.GetVersion() > g.GetVersion() && seat == "red" {
			command = next
		}
	}
	red.says("The others are asked", "undo")
	forged := s.impostor(token).Game(s.game().GetName(), "blue")
	g, done, err := forged.Answer(t.Context(), s.game().GetPendingUndo(), true)
	if err != nil || !done {
		t.Fatal(done, err)
	}
	s.told(g.GetVersion())
	if got := red.slash("move", "command="+command).message.Content; !strings.Contains(got, "takes back the dice") {
		t.Errorf("red moves again: %q", got)
	}
	id := "taken|" + itoa(g.GetVersion()) + "|blue"
	warned := func(m *message) bool { return find(m, id) != nil }
	s.until("a warning", func() bool { return slices.ContainsFunc(s.messages[channel], warned) })
	all := s.in(channel)
	on := all[slices.IndexFunc(all, warned)]
	if !slices.Equal(on.Mentions.Users, []string{blue.id}) || s.game().GetPendingDice() == nil {
		t.Errorf("%v are warned, and the dice wait for %v", on.Mentions.Users, s.game().GetPendingDice())
	}
	if got := red.press(on, id).message.Content; strings.Contains(got, "goes on") {
		t.Errorf("red presses: %q", got)
	}
	got := blue.press(on, id).message.Content
	if !strings.Contains(got, "goes on") || s.game().GetPendingDice() != nil {
		t.Errorf("blue presses: %q; the dice wait for %v", got, s.game().GetPendingDice())
	}
	return true
}

// TestImpostorsAreAnnounced: somebody who has the token of a seat, as whoever runs the server has, commits it to
// another chain. The channel is told, although no dice are asked for; the player may leave, and begin anew.
func TestImpostorsAreAnnounced(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, blue := s.players("dice=mutual")
	s.stopBridge()
	token := s.table().Seats["blue"].Token
	s.bridge()
	s.told(s.game().GetVersion())
	other := s.impostor(token)
	if _, err := other.Game(s.game().GetName(), "blue").RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.until("a warning", func() bool {
		return slices.ContainsFunc(s.messages[channel],
			func(m *message) bool { return strings.Contains(m.Content, "answers in the player's name") })
	})
	blue.says("You have left", "leave", "seat=blue")
	blue.says("You sit at", "join", "seat=blue")
}
