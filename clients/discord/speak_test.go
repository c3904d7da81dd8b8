package discord

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// six is a game of Anniversary with alice as Germany, who began it, bob as Japan of the same side, and eve as the
// Soviet Union of the other. Gus sits nowhere.
func six(t *testing.T) (s *stage, alice, bob, eve, gus user) {
	t.Helper()
	s = newStage(t)
	alice, bob, eve, gus = s.user("alice", "601"), s.user("bob", "602"), s.user("eve", "603"), s.user("gus", "604")
	alice.says("The game begins", "create", "ruleset=anniversary", "scenario=1942")
	alice.says("You sit at", "join", "seat=germany")
	bob.says("You sit at", "join", "seat=japan")
	eve.says("You sit at", "join", "seat=soviet-union")
	return s, alice, bob, eve, gus
}

// reads waits until a text stands in a channel, and returns the message.
func (s *stage) reads(channel, text string) *message {
	s.t.Helper()
	var found *message
	s.until(text+" in "+channel, func() bool {
		i := slices.IndexFunc(s.messages[channel], func(m *message) bool { return strings.Contains(m.Content, text) })
		if i >= 0 {
			found = s.messages[channel][i]
		}
		return i >= 0
	})
	return found
}

// gone waits until a text stands nowhere in a channel.
func (s *stage) gone(channel, text string) {
	s.t.Helper()
	s.until(text+" away from "+channel, func() bool {
		return !slices.ContainsFunc(s.messages[channel],
			func(m *message) bool { return strings.Contains(m.Content, text) })
	})
}

// never checks that a text stands in none of some channels.
func (s *stage) never(text string, channels ...string) {
	s.t.Helper()
	for _, c := range channels {
		for _, m := range s.in(c) {
			if strings.Contains(m.words(), text) {
				s.t.Errorf("%q stands in %s: %s", text, c, m)
			}
		}
	}
}

// TestWhatIsSaidReachesWhoMayReadIt: to the side by direct messages alone, to the table in the channel once the owner
// lets spectators read, and notes nowhere. What is said last is waited for, so that what came before would be there.
func TestWhatIsSaidReachesWhoMayReadIt(t *testing.T) {
	t.Parallel()
	s, alice, bob, eve, gus := six(t)
	bobs, eves := directOf(bob.id), directOf(eve.id)
	alice.says("You said", "say", "text=before anybody listens")
	for _, u := range []user{bob, eve} {
		u.says("You are told by direct messages", "talk", "private=true")
		s.reads(directOf(u.id), "Messages to you in")
	}
	gus.says("You hold no seat", "talk", "private=true")
	gus.says("You hold no seat", "say", "text=I am nobody")
	alice.says("(note)", "say", "text=note to myself", "to=note")
	alice.says("(to the side)", "say", "text=side of Germany", "to=side", "space=germany")
	alice.says("You said: **germany**: closed", "say", "text=closed table")
	got := s.reads(bobs, "side of Germany").Content
	if want := "<#500> **germany** (to the side) [germany]: side of Germany"; got != want {
		t.Errorf("bob reads %q, want %q", got, want)
	}
	s.reads(bobs, "closed table")
	s.reads(eves, "closed table")

	bob.says("Only the player who began", "talk", "spectators=true")
	alice.says("This channel is told", "talk", "spectators=true")
	alice.says("You said", "say", "text=side again", "to=side")
	eve.says("You said", "say", "text=hello everybody")
	s.reads(channel, "hello everybody")
	bob.says("You said", "say", "text=second *bold* @everyone")
	if got := s.reads(channel, "second").Content; got != `**japan**: second \*bold\* @`+"\u200b"+"everyone" {
		t.Errorf("the channel reads %q", got)
	}
	s.reads(bobs, "side again")
	s.never("side", channel, eves, directOf(gus.id), directOf(alice.id))
	s.never("note to myself", channel, bobs, eves)
	s.never("closed table", channel)
	s.never("before anybody", channel, bobs, eves)
	s.never("I am nobody", channel, bobs, eves)

	for _, c := range []struct {
		who  user
		has  []string
		lack []string
	}{
		{alice, []string{"note to myself", "side of Germany", "closed table", "hello"}, nil},
		{bob, []string{"side of Germany", "before anybody"}, []string{"note to"}},
		{eve, []string{"closed table", "hello"}, []string{"side", "note"}},
		{gus, []string{"hello", "closed table"}, []string{"side", "note"}},
	} {
		got := c.who.slash("messages")
		if !got.alone {
			t.Errorf("%s shows messages to everybody", c.who.name)
		}
		for _, text := range c.has {
			if !strings.Contains(got.message.Content, text) {
				t.Errorf("%s does not read %q in %q", c.who.name, text, got.message.Content)
			}
		}
		for _, text := range c.lack {
			if strings.Contains(got.message.Content, text) {
				t.Errorf("%s reads %q in %q", c.who.name, text, got.message.Content)
			}
		}
	}
	alice.says("This channel is not told", "talk", "spectators=false")
	s.gone(channel, "hello everybody")
	s.gone(channel, "second")
	s.stopBridge()
	s.quietLog()
	for _, text := range []string{"side of Germany", "note to myself", "closed table"} {
		if strings.Contains(s.log.String(), text) {
			t.Errorf("the log has %q", text)
		}
	}
}

// TestAPostFollowsItsRecord: once the record that a message is pinned to is undone, its post says so.
func TestAPostFollowsItsRecord(t *testing.T) {
	t.Parallel()
	s, alice, bob, _, _ := six(t)
	alice.says("This channel is told", "talk", "spectators=true")
	first := bob // in 1942
	first.slash("move", "command="+first.completes("move", "command=")[0].Value)
	s.stopBridge()
	at := s.table()
	s.bridge()
	game, err := s.asked(at.Owner).Game(at.Game, "").Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first.says("You said", "say", "text=see https://example.org", fmt.Sprint("record=", game.GetVersion()))
	s.reads(channel, fmt.Sprintf("`%d`: see", game.GetVersion()))
	first.slash("undo")
	s.reads(channel, fmt.Sprintf("[record %d, undone]: see", game.GetVersion()))
}

// TestNothingSaidIsToldTwice: also after the bridge has begun anew, and what was said and deleted meanwhile is caught
// up with.
func TestNothingSaidIsToldTwice(t *testing.T) {
	t.Parallel()
	s, alice, bob, _, _ := six(t)
	bobs := directOf(bob.id)
	alice.says("This channel is told", "talk", "spectators=true")
	bob.says("You are told by direct messages", "talk", "private=true")
	s.mu.Lock()
	s.losePosts = 1
	s.mu.Unlock()
	alice.says("You said", "say", "text=open 1")
	s.reads(channel, "open 1")
	alice.says("You said", "say", "text=open 2")
	s.reads(channel, "open 2") // so it is noted where the one before stands
	alice.says("You said", "say", "text=plan one", "to=side")
	s.reads(bobs, "plan one")
	alice.says("You said", "say", "text=more of the plan", "to=side")
	s.reads(bobs, "more of the plan")
	s.stopBridge()
	at := s.table()
	table := s.asked(at.Owner, at.Seats["germany"].Token).Game(at.Game, "")
	list, err := table.Messages(t.Context(), v1.Audience_AUDIENCE_UNSPECIFIED, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.GetText() == "plan one" || m.GetText() == "open 1" {
			if err := table.DeleteMessage(t.Context(), m.GetName()); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.bridge()
	s.gone(bobs, "plan one")
	s.gone(channel, "open 1")
	alice.says("You said", "say", "text=plan two", "to=side")
	s.reads(bobs, "plan two")
	alice.says("You said", "say", "text=the last")
	s.reads(channel, "the last")
	said := make(map[string]bool)
	for _, c := range []string{channel, bobs} {
		for _, m := range s.in(c) {
			if m.Content != "" && len(m.Embeds) == 0 && said[c+m.Content] {
				t.Errorf("told twice in %s: %q", c, m.Content)
			}
			said[c+m.Content] = true
		}
	}
}

// TestSeatsLeftHearNothing: whoever leaves, or is put out, is told nothing that is said after; nor is a player who
// asked for it no longer.
func TestSeatsLeftHearNothing(t *testing.T) {
	t.Parallel()
	s, alice, bob, _, _ := six(t)
	carl := s.user("carl", "605")
	carl.says("You sit at", "join", "seat=italy")
	for _, u := range []user{alice, bob, carl} {
		u.says("You are told by direct messages", "talk", "private=true")
	}
	alice.says("You said", "say", "text=all three", "to=side")
	s.reads(directOf(bob.id), "all three")
	s.reads(directOf(carl.id), "all three")
	alice.says("**japan** is free", "free", "seat=japan")
	carl.says("You are told nothing by direct", "talk", "private=false")
	alice.says("You said", "say", "text=only two", "to=side")
	carl.says("only two", "messages")
	carl.says("You said", "say", "text=back to alice", "to=side")
	s.reads(directOf(alice.id), "back to alice")
	s.never("only two", directOf(bob.id), directOf(carl.id), channel)
	got := bob.slash("messages").message.Content
	if strings.Contains(got, "all three") || strings.Contains(got, "two") {
		t.Errorf("who was put out reads %q", got)
	}
}

// TestMutedAndReported: by commands, with completions that offer only what a player may delete or report.
func TestMutedAndReported(t *testing.T) {
	t.Parallel()
	s, alice, bob, eve, _ := six(t)
	eve.says("You are told by direct messages", "talk", "private=true")
	bob.says("You said", "say", "text=rude words")
	s.reads(directOf(eve.id), "rude words")
	eve.says("You said", "say", "text=polite words")
	one := func(u user, sub, want string) string {
		t.Helper()
		found := u.completes(sub, "message=")
		if len(found) != 1 || found[0].Name != want {
			t.Fatalf("%s %s is offered %v, want %q", u.name, sub, found, want)
		}
		return found[0].Value
	}
	rude := one(eve, "report", "japan: rude words")
	one(eve, "unsay", "soviet-union: polite words")
	one(bob, "unsay", "japan: rude words")
	if found := alice.completes("unsay", "message="); len(found) != 2 {
		t.Errorf("the owner may delete %v", found)
	}
	eve.says("can read your report", "report", "message="+rude, "reason=rude *indeed*")
	eve.says("Only the player who began", "reports")
	alice.says("soviet-union reports japan: rude \\*indeed\\*\n> **japan**: rude words", "reports")
	if got := eve.slash("unsay", "message="+rude).message.Content; strings.Contains(got, "gone") {
		t.Errorf("eve deletes what bob said: %q", got)
	}
	eve.says("You do not read **japan**", "mute", "seat=japan")
	s.gone(directOf(eve.id), "rude words")
	eve.says("You do not read: japan", "talk")
	bob.says("You said", "say", "text=still rude")
	eve.says("Only the player who began", "mute", "seat=japan", "all=true")
	alice.says("**japan** is muted for everybody", "mute", "seat=japan", "all=true")
	bob.says("does not let", "say", "text=shut up")
	alice.says("Muted by the player who began the game: japan", "talk")
	alice.says("**japan** may write again", "mute", "seat=japan", "all=true", "lift=true")
	eve.says("You read **japan** again", "mute", "seat=japan", "lift=true")
	s.reads(directOf(eve.id), "still rude")
	alice.says("is gone", "unsay", "message="+rude)
	s.gone(directOf(eve.id), "rude words")
}

// TestNoDirectMessages: a player who takes none is told so, and nothing is kept.
func TestNoDirectMessages(t *testing.T) {
	t.Parallel()
	s, alice, bob, _, _ := six(t)
	s.mu.Lock()
	s.closed[directOf(bob.id)] = true
	s.mu.Unlock()
	bob.says("Discord does not let the bridge write to you", "talk", "private=true")
	bob.says("You are told nothing", "talk")
	alice.says("You said", "say", "text=to Japan", "to=side")
	bob.says("to Japan", "messages")
}

// directOf is the channel of somebody's direct messages.
func directOf(user string) string { return "9" + user }

// openDirect opens the direct messages of somebody.
func (s *standIn) openDirect(w http.ResponseWriter, r *http.Request) {
	var open struct {
		Recipient string `json:"recipient_id"`
	}
	s.body(r, &open)
	s.reply(w, map[string]any{"id": directOf(open.Recipient), "type": 1})
}

// changeMessage changes or deletes what stands in a channel.
func (s *standIn) changeMessage(w http.ResponseWriter, r *http.Request) {
	var changed message
	if r.Method == http.MethodPatch {
		s.body(r, &changed)
		s.check(&changed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.news.Broadcast()
	all := s.messages[r.PathValue("channel")]
	i := slices.IndexFunc(all, func(m *message) bool { return m.ID == r.PathValue("message") })
	switch {
	case i < 0:
		s.refuse(w, http.StatusNotFound, 10008)
	case r.Method == http.MethodDelete:
		s.messages[r.PathValue("channel")] = slices.Delete(slices.Clone(all), i, i+1)
		w.WriteHeader(http.StatusNoContent)
	default:
		now := *all[i]
		now.Content = changed.Content
		s.messages[r.PathValue("channel")][i] = &now
		s.reply(w, now)
	}
}
