package discord

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/anypb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// guardedStage has alice begin a game and play red, and free the seat of bob, who has made a secret plan.
func guardedStage(t *testing.T, options ...string) (s *stage, red, blue user) {
	t.Helper()
	s = newStage(t)
	red, blue = s.players(options...)
	for _, u := range []user{red, blue} {
		u.slash("move", "command="+u.completes("move", "command=plan")[0].Value)
	}
	blue.says("Only the player who began", "free", "seat=red")
	if got := red.completes("free", "seat="); len(got) != 2 {
		t.Errorf("seats to free: %v", got)
	}
	red.says("**blue** is free", "free", "seat=blue")
	s.told(s.game().GetVersion())
	if guard := s.game().GetSeats()[1].GetGuard(); guard != v1.SeatGuard_SEAT_GUARD_ALL {
		t.Fatalf("blue's guard is %v", guard)
	}
	return s, red, blue
}

// offerOf is the message that asks about the offer that waits.
func (s *stage) offerOf() (on *message, id string) {
	s.t.Helper()
	g := s.game()
	s.told(g.GetVersion())
	id = "offer|" + itoa(g.GetPendingSeat().GetOffered())
	all := s.in(channel)
	for _, on := range slices.Backward(all) {
		if find(on, id) != nil {
			return on, id
		}
	}
	s.t.Fatalf("no question %s in %v", id, all)
	return nil, ""
}

// TestGuardedSeatsAreHandedOver: who began the game offers the seat. Its last holder is told and answers; nobody else
// can.
func TestGuardedSeatsAreHandedOver(t *testing.T) {
	t.Parallel()
	s, red, blue := guardedStage(t)
	carol := s.user("carol", "603")
	carol.says("**blue** is guarded", "join", "seat=blue")
	red.says("`blue` free · guarded since <t:", "status")
	blue.says("You hold no seat", "move")
	blue.says("Only the player who began", "offer", "seat=blue")
	if got := red.completes("offer", "seat="); len(got) != 1 || got[0].Value != "blue" {
		t.Errorf("seats to offer: %v", got)
	}
	press := func(yes, answer string) {
		t.Helper()
		red.says("The others are asked", "offer", "seat=blue")
		on, id := s.offerOf()
		want := "<@" + blue.id + ">: may **Blue** be taken"
		if !slices.Equal(on.Mentions.Users, []string{blue.id}) || !strings.Contains(on.Content, want) {
			t.Errorf("consent is asked of %v by %q", on.Mentions.Users, on.Content)
		}
		for _, other := range []user{red, carol} {
			got := other.press(on, id+"|"+yes).message.Content
			if !strings.Contains(got, "Nobody waits for your consent") {
				t.Errorf("%s may answer: %q", other.name, got)
			}
			if got := other.says("**blue** is offered. Waiting for: blue", "status"); find(got, "offer|") != nil {
				t.Errorf("%s is given buttons to answer", other.name)
			}
		}
		if yes == "no" {
			on = blue.says("**blue** is offered", "status") // the question may be far up
		}
		if got := blue.press(on, id+"|"+yes).message.Content; !strings.Contains(got, answer) {
			t.Errorf("answered: %q", got)
		}
	}
	press("no", "You refused")
	carol.says("**blue** is guarded", "join", "seat=blue")
	s.again() // the token from then outlives the bridge's run
	press("yes", "Everyone has: `/warledger join` takes **blue**")
	carol.says("You sit at", "join", "seat=blue")
	g := s.game()
	s.told(g.GetVersion())
	blue.says("is held", "join", "seat=blue")
	carol.says("`blue` <@603>", "status")
	s.stopBridge()
	at := s.table()
	if len(at.Former) != 0 || at.Seats["blue"].User.String() != "603" {
		t.Errorf("kept: %v, %v", at.Seats, at.Former)
	}
	s.once(g.GetVersion())
}

// TestLastHoldersComeBack: a player who was put out sits down again with the old token, whatever the dice are. The
// token is not in the way once somebody else has sat there.
func TestLastHoldersComeBack(t *testing.T) {
	t.Parallel()
	for _, options := range [][]string{nil, {"dice=mutual"}} {
		s, _, blue := guardedStage(t, options...)
		blue.says("You sit at", "join", "seat=blue")
		if got := blue.slash("move").message.Content; strings.Contains(got, "You hold no seat") {
			t.Errorf("after coming back: %q", got)
		}
		blue.says("You have left", "leave", "seat=blue")
		blue.says("You sit at", "join", "seat=blue")
		s.told(s.game().GetVersion())
		if options == nil {
			s.tokenOfThen(blue)
		}
		s.stopBridge()
		s.quietLog()
	}
}

// TestWhoeverWasPutOutJustNowComesBack: the token from then is used also before the bridge has noted that the seat is
// free, as between the message that says so and its note.
func TestWhoeverWasPutOutJustNowComesBack(t *testing.T) {
	t.Parallel()
	s, _, blue := guardedStage(t)
	s.stopBridge()
	kept, err := openStore(s.file)
	if err != nil {
		t.Fatal(err)
	}
	err = kept.change(s.game().GetName(), func(at *table) {
		at.Seats["blue"] = at.Former["blue"]
		delete(at.Former, "blue")
	})
	if err := errors.Join(err, kept.close()); err != nil {
		t.Fatal(err)
	}
	s.bridge()
	blue.says("You sit at", "join", "seat=blue")
	blue.says("is held", "join", "seat=blue")
}

// TestSeatsAreNotedOnce: what the log tells late of a seat takes nothing from whoever sits there since.
func TestSeatsAreNotedOnce(t *testing.T) {
	t.Parallel()
	alice, bob := hold{User: 601, Token: "a", Since: 3}, hold{User: 602, Token: "b", Since: 8}
	left := &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: "blue", ByOwner: true}}}
	resigned := &logv1.TableEvent{
		Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: "blue", GoesOn: true}},
	}
	ended := &logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: "blue"}}}
	taken := &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: "blue"}}}
	type seats = map[string]hold
	for name, c := range map[string]struct {
		version            uint64
		event              *logv1.TableEvent
		seats, former      seats
		wantSeats, wantOld seats
	}{
		"left": {9, left, seats{"red": alice, "blue": bob}, seats{},
			seats{"red": alice}, seats{"blue": bob}},
		"given up": {9, resigned, seats{"red": alice, "blue": bob}, seats{},
			seats{"red": alice}, seats{"blue": bob}},
		"given up at the end":   {9, ended, seats{"blue": bob}, seats{}, seats{"blue": bob}, seats{}},
		"left before":           {7, left, seats{"blue": bob}, seats{}, seats{"blue": bob}, seats{}},
		"left by somebody":      {7, left, seats{"red": alice}, seats{}, seats{"red": alice}, seats{}},
		"taken by somebody":     {9, taken, seats{"red": alice}, seats{"blue": bob}, seats{"red": alice}, seats{}},
		"taken through Discord": {8, taken, seats{"blue": bob}, seats{}, seats{"blue": bob}, seats{}},
	} {
		event, err := anypb.New(c.event)
		if err != nil {
			t.Fatal(err)
		}
		at := &table{Seats: c.seats, Former: c.former, Turns: map[string]turn{}}
		at.note(&v1.Record{
			Version: c.version, Kind: logv1.RecordKind_RECORD_KIND_TABLE, Events: []*v1.RecordEvent{{Event: event}},
		})
		if diff := cmp.Diff([]seats{c.wantSeats, c.wantOld}, []seats{at.Seats, at.Former}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// tokenOfThen has somebody else sit at blue for a while, through another client and while the bridge is down. Then blue
// comes back.
func (s *stage) tokenOfThen(blue user) {
	s.t.Helper()
	blue.says("You have left", "leave", "seat=blue")
	s.told(s.game().GetVersion())
	s.stopBridge()
	at := s.table()
	if at.Former["blue"].User.String() != blue.id || len(at.Seats) != 1 {
		s.t.Errorf("kept: %v, %v", at.Seats, at.Former)
	}
	taken, err := s.asked().Game(at.Game, "").Take(s.t.Context(), "blue", "carol", nil)
	if err == nil {
		_, err = s.asked(taken.GetSeatToken()).Game(at.Game, "blue").Leave(s.t.Context(), "blue")
	}
	if err != nil {
		s.t.Fatal(err)
	}
	version := s.game().GetVersion()
	kept, err := openStore(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	err = kept.change(at.Game, func(t *table) { t.Told = version }) // it does not hear of carol before blue comes back
	if err := errors.Join(err, kept.close()); err != nil {
		s.t.Fatal(err)
	}
	s.bridge()
	blue.says("You sit at", "join", "seat=blue")
}

// TestNobodyToAgree: where only the one who began the game is left, nobody is asked, and they are told what remains.
func TestNobodyToAgree(t *testing.T) {
	t.Parallel()
	s, red, blue := guardedStage(t)
	blue.says("You sit at", "join", "seat=blue")
	blue.says("You have left", "leave", "seat=blue")
	red.says("Nobody is there who could agree", "offer", "seat=blue")
	if g := s.game(); g.GetPendingSeat() != nil || g.GetSeats()[1].GetGuard() != v1.SeatGuard_SEAT_GUARD_OWNER {
		t.Errorf("after an offer to nobody: %v", g)
	}
	s.user("carol", "603").says("You sit at", "join", "seat=blue") // anyone may who is not the owner
	red.says("is free", "free", "seat=blue")
	red.says("The game is closed", "close")
}

// TestWhoeverWasPutOutIsAskedAboutUndo: who began the game frees the other's seat, and would take back what the other
// has done. The other is asked, and answers with the token from then.
func TestWhoeverWasPutOutIsAskedAboutUndo(t *testing.T) {
	t.Parallel()
	s, red, blue := guardedStage(t)
	red.says("The others are asked", "undo")
	g := s.game()
	if missing := g.GetPendingUndo().GetMissing(); !slices.Equal(missing, []string{"blue"}) {
		t.Fatalf("asked are %v", missing)
	}
	s.told(g.GetVersion())
	id := "undo|" + itoa(g.GetPendingUndo().GetAsked())
	for _, on := range slices.Backward(s.in(channel)) {
		if find(on, id) == nil {
			continue
		}
		if !slices.Equal(on.Mentions.Users, []string{blue.id}) {
			t.Errorf("consent is asked of %v", on.Mentions.Users)
		}
		if got := red.press(on, id+"|yes").message.Content; !strings.Contains(got, "Nobody waits for your consent") {
			t.Errorf("red may answer: %q", got)
		}
		if got := blue.press(on, id+"|yes").message.Content; !strings.Contains(got, "You agreed") {
			t.Errorf("answered: %q", got)
		}
		break
	}
	if now := s.game(); now.GetHead() >= g.GetHead() || now.GetPendingUndo() != nil {
		t.Errorf("the head is %d, and was %d", now.GetHead(), g.GetHead())
	}
}
