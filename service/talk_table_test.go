package service_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/fault"
)

// state is what holds for the talk, as a caller sees it.
func (g *table) state(tokens ...string) *v1.Talk {
	g.t.Helper()
	out, err := g.talk().GetTalk(as(tokens...), &v1.GetTalkRequest{Name: g.name + "/talk"})
	must(g.t, err)
	return out.Talk
}

func (g *table) mute(token, muted string, all bool) error {
	return second(g.talk().MuteSeat(as(token), &v1.MuteSeatRequest{Name: g.name, Muted: muted, ForAll: all}))
}

func (g *table) unmute(token, muted string, all bool) error {
	return second(g.talk().UnmuteSeat(as(token), &v1.UnmuteSeatRequest{Name: g.name, Muted: muted, ForAll: all}))
}

// TestTheOwnerMutes: a muted seat writes nothing to others until it is heard again.
func TestTheOwnerMutes(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	wantError(t, g.mute(g.blue, "red", true), codes.PermissionDenied, fault.NotOwner)
	must(t, g.mute(g.owner, "red", true))
	for _, to := range []v1.Audience{atTable, toSide} {
		wantError(t, second(g.talk().CreateMessage(as(g.red), g.saying(to, "hello"))), codes.PermissionDenied,
			fault.SeatMuted)
	}
	g.say(g.red, asNote, "note")
	g.say(g.blue, atTable, "hello")
	equal(t, "muted", g.state(g.blue).MutedSeats, []string{"red"})
	must(t, g.unmute(g.owner, "red", true))
	g.say(g.red, atTable, "back")
}

// TestASeatIgnoresAnother: the other's messages are hidden from that seat alone, and nobody else is told.
func TestASeatIgnoresAnother(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	g.say(g.red, atTable, "hello")
	before := g.state(g.red)
	must(t, g.mute(g.blue, "red", false))
	g.say(g.red, atTable, "listen")
	equal(t, "blue", len(g.texts(g.blue)), 0)
	equal(t, "owner", len(g.texts(g.owner)), 2)
	equal(t, "red", g.state(g.red), before)
	equal(t, "hidden", g.state(g.blue).HiddenSeats, []string{"red"})
	g.leave(g.red, "red")
	g.red = g.sit("red") // as who left it comes back where seats are free for the asking
	g.say(g.red, atTable, "listen now")
	equal(t, "blue, when red is back", len(g.texts(g.blue)), 0)
	equal(t, "hidden still", g.state(g.blue).HiddenSeats, []string{"red"})
	must(t, g.unmute(g.blue, "red", false))
	equal(t, "blue again", len(g.texts(g.blue)), 3)
	wantError(t, g.mute(g.blue, "blue", false), codes.InvalidArgument, fault.ValidationFailed)
	wantError(t, g.mute(g.blue, "green", false), codes.NotFound, fault.SeatNotFound)
	wantError(t, g.mute(g.owner, "red", false), codes.PermissionDenied, fault.NotYourSeat)
}

// TestReportsReachTheOwner: with the message, if it was said at the table; without it, if it was said to a side.
func TestReportsReachTheOwner(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.ruleset = allied{toy.Ruleset()} }).seated()
	open, side := g.say(g.red, atTable, "rude"), g.say(g.red, toSide, "rude in private")
	note := g.say(g.red, asNote, "note")
	report := func(token, name string) error {
		return second(g.talk().ReportMessage(as(token), &v1.ReportMessageRequest{Name: name, Reason: "rude words"}))
	}
	must(t, report(g.blue, open.Name))
	must(t, report(g.blue, open.Name)) // a retry
	must(t, report(g.blue, side.Name))
	wantError(t, report(g.blue, note.Name), codes.NotFound, fault.MessageNotFound)
	wantError(t, report(g.red, open.Name), codes.InvalidArgument, fault.ValidationFailed)
	wantError(t, report(g.owner, open.Name), codes.PermissionDenied, fault.NotYourSeat)
	list := func(token string) ([]*v1.Report, error) {
		out, err := g.talk().ListReports(as(token), &v1.ListReportsRequest{Parent: g.name})
		return out.GetReports(), err
	}
	_, err := list(g.red)
	wantError(t, err, codes.PermissionDenied, fault.NotOwner)
	got, err := list(g.owner)
	must(t, err)
	want := []*v1.Report{
		{Seat: "red", Reporter: "blue", Reason: "rude words", Message: open},
		{Seat: "red", Reporter: "blue", Reason: "rude words", Private: true},
	}
	for i, r := range got {
		want[i].Name, want[i].CreateTime = r.Name, r.CreateTime
	}
	equal(t, "reports", got, want)
	must(t, second(g.talk().DeleteMessage(as(g.red), &v1.DeleteMessageRequest{Name: open.Name})))
	got, err = list(g.owner)
	must(t, err)
	equal(t, "reports after the message was deleted", got, want)
}

// TestPins: a message says so when its record is undone, and takes it back when that is done again.
func TestPins(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	done := g.do(g.red, "move r2 0304")
	req := g.saying(atTable, "why there?")
	req.Message.Pin = &v1.Message_Record{Record: done.Record.Version}
	must(t, second(g.talk().CreateMessage(as(g.blue), req)))
	req = g.saying(atTable, "here")
	req.Message.Pin = &v1.Message_Space{Space: "0304"}
	must(t, second(g.talk().CreateMessage(as(g.blue), req)))
	w := g.listen(g.red)
	if got := w.until("why there?"); got.RecordUndone || got.GetRecord() != done.Record.Version {
		t.Errorf("at first %v", got)
	}
	equal(t, "space", w.until("here").GetSpace(), "0304")
	must(t, second(g.games.Undo(as(g.red), &v1.UndoRequest{Name: g.name, RequestId: id()})))
	if got := w.until("why there?"); !got.RecordUndone {
		t.Errorf("after an undo %v", got)
	}
	must(t, second(g.games.Redo(as(g.red), &v1.RedoRequest{Name: g.name, RequestId: id()})))
	if got := w.until("why there?"); got.RecordUndone {
		t.Errorf("after a redo %v", got)
	}
}

// listener is a client that follows the talk of a game.
type listener struct {
	g      *table
	stream grpc.ServerStreamingClient[v1.WatchMessagesResponse]
}

// listen follows the talk, until the test ends.
func (g *table) listen(tokens ...string) *listener {
	g.t.Helper()
	ctx, stop := context.WithCancel(as(tokens...))
	g.t.Cleanup(stop)
	stream, err := g.talk().WatchMessages(ctx, &v1.WatchMessagesRequest{Parent: g.name,
		Heartbeat: durationpb.New(5 * time.Minute)}) // so that nothing comes by a look at the store that nobody caused
	must(g.t, err)
	return &listener{g, stream}
}

// next gives the next message of the stream that is no heartbeat.
func (l *listener) next() *v1.WatchMessagesResponse {
	l.g.t.Helper()
	for {
		m, err := l.stream.Recv()
		must(l.g.t, err)
		if m.GetHeartbeat() == nil {
			return m
		}
	}
}

// until gives the next message with a text.
func (l *listener) until(text string) *v1.Message {
	l.g.t.Helper()
	for {
		if m := l.next().GetMessage(); m.GetText() == text {
			return m
		}
	}
}

// TestServersDeliverToEachOther: what is said, deleted and muted at one server reaches who follows at another one, and
// only what they may read.
func TestServersDeliverToEachOther(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2)
	here := hosts[0].seated()
	there := here.on(hosts[1])
	here.say(here.red, atTable, "before")
	w := there.listen(there.blue)
	if got := w.next().GetTalk(); got == nil || got.MaxCharacters != 1000 {
		t.Fatalf("the stream begins with %v", got)
	}
	equal(t, "backlog", w.next().GetMessage().GetText(), "before")
	if w.next().GetCaughtUp() == nil {
		t.Fatal("the stream does not say that this was all")
	}
	here.say(here.red, toSide, "hidden")
	here.say(here.red, asNote, "hidden")
	said := here.say(here.red, atTable, "after")
	equal(t, "the next", w.next().GetMessage(), said)
	must(t, second(here.talk().DeleteMessage(as(here.red), &v1.DeleteMessageRequest{Name: said.Name})))
	equal(t, "deleted", w.next().GetDeleted(), said.Name)
	must(t, here.mute(here.owner, "red", true))
	equal(t, "muted", w.next().GetTalk().GetMutedSeats(), []string{"red"})
	here.say(here.blue, asNote, "blue's own")
	equal(t, "own note", w.next().GetMessage().GetText(), "blue's own")
	wantError(t, second(there.talk().CreateMessage(as(there.red), there.saying(atTable, "still here"))),
		codes.PermissionDenied, fault.SeatMuted)
	// A token that is void ends the stream.
	here.leave(here.owner, "blue")
	for {
		if _, err := w.stream.Recv(); err != nil {
			wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
			return
		}
	}
}

// TestNobodyOverwritesAnother has both seats write at two servers at once: nothing is lost.
func TestNobodyOverwritesAnother(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2, func(s *setting) { s.talk.PerMinute = 100 })
	here := hosts[0].seated()
	there := here.on(hosts[1])
	const each, writers = 8, 4
	done := make(chan error, 2*writers)
	write := func(g *table, token string) {
		for range each {
			if _, err := g.talk().CreateMessage(as(token), g.saying(atTable, "word")); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}
	for range writers {
		go write(here, here.red)
		go write(there, there.blue)
	}
	for range 2 * writers {
		must(t, <-done)
	}
	got := here.read(new(v1.ListMessagesRequest), here.red)
	equal(t, "kept", len(got), 2*writers*each)
	for i := range got[1:] {
		if !got[i+1].CreateTime.AsTime().After(got[i].CreateTime.AsTime()) {
			t.Fatalf("message %d was said at %s, the one before at %s", i+1, got[i+1].CreateTime.AsTime(),
				got[i].CreateTime.AsTime())
		}
	}
}
