package service_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

const (
	atTable = v1.Audience_AUDIENCE_TABLE
	toSide  = v1.Audience_AUDIENCE_SIDE
	asNote  = v1.Audience_AUDIENCE_SELF
)

func (g *table) talk() v1.TalkServiceClient { return v1.NewTalkServiceClient(g.conn) }

// saying is a request to say something.
func (g *table) saying(to v1.Audience, text string) *v1.CreateMessageRequest {
	return &v1.CreateMessageRequest{Parent: g.name, RequestId: id(), Message: &v1.Message{Audience: to, Text: text}}
}

// say says something, which must succeed.
func (g *table) say(token string, to v1.Audience, text string) *v1.Message {
	g.t.Helper()
	out, err := g.talk().CreateMessage(as(token), g.saying(to, text))
	must(g.t, err)
	return out.Message
}

// texts are what a caller reads, oldest first.
func (g *table) texts(tokens ...string) []string {
	g.t.Helper()
	var out []string
	for _, m := range g.read(&v1.ListMessagesRequest{PageSize: 3}, tokens...) {
		out = append(out, m.Text)
	}
	return out
}

// read reads all pages, oldest first.
func (g *table) read(req *v1.ListMessagesRequest, tokens ...string) (out []*v1.Message) {
	g.t.Helper()
	req.Parent = g.name
	for {
		page, err := g.talk().ListMessages(as(tokens...), req)
		must(g.t, err)
		for _, m := range page.Messages {
			out = append([]*v1.Message{m}, out...)
		}
		if req.PageToken = page.NextPageToken; req.PageToken == "" {
			return out
		}
	}
}

func (g *table) spectatorsRead(read bool) {
	g.t.Helper()
	must(g.t, second(g.talk().UpdateTalk(as(g.owner),
		&v1.UpdateTalkRequest{Name: g.name + "/talk", SpectatorsRead: &read})))
}

// allied has both seats of the toy on one side.
type allied struct{ rules.Ruleset }

// About says so.
func (a allied) About() *rules.About {
	about := *a.Ruleset.About()
	about.Seats = slices.Clone(about.Seats)
	for i := range about.Seats {
		about.Seats[i].Side = "both"
	}
	return &about
}

// TestWhoReadsWhat has everything said at one table and looks at it with every kind of token.
func TestWhoReadsWhat(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		set  rules.Ruleset
		over bool
		// blue is what blue reads; red wrote all but the last.
		blue []string
	}{
		"two sides":              {toy.Ruleset(), false, []string{"table", "blue's plan"}},
		"two sides, game over":   {toy.Ruleset(), true, []string{"table", "blue's plan"}},
		"one side":               {allied{toy.Ruleset()}, false, []string{"table", "side", "blue's plan"}},
		"one side, at the close": {allied{toy.Ruleset()}, true, []string{"table", "side", "blue's plan"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := open(t, func(s *setting) { s.ruleset = tt.set }).seated()
			g.say(g.red, atTable, "table")
			g.say(g.red, toSide, "side")
			g.say(g.red, asNote, "note")
			g.say(g.blue, asNote, "blue's plan")
			if tt.over {
				must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
			}
			see := g.made(g.red, "red", v1.Rights_RIGHTS_SEE).Secret
			act := g.made(g.red, "red", v1.Rights_RIGHTS_ACT).Secret
			own := g.made(g.owner, "", v1.Rights_RIGHTS_OWN).Secret
			open := []string{"table"}
			for who, look := range map[string]struct {
				tokens []string
				want   []string
			}{
				"red": {[]string{g.red}, []string{"table", "side", "note"}}, "blue": {[]string{g.blue}, tt.blue},
				"red's helper": {[]string{act}, []string{"table", "side", "note"}},
				"red's guest":  {[]string{see}, open},
				"owner":        {[]string{g.owner}, open}, "owner's": {[]string{own}, open},
				"both": {[]string{g.red, g.blue}, []string{"table", "side", "note", "blue's plan"}},
			} {
				equal(t, who, g.texts(look.tokens...), look.want)
			}
			equal(t, "red as red", len(g.read(&v1.ListMessagesRequest{Viewer: "red"}, g.red, g.blue)), 3)
			equal(t, "red's notes", len(g.read(&v1.ListMessagesRequest{Audience: asNote}, g.red)), 1)
			for _, viewer := range []string{"blue", "red"} {
				_, err := g.talk().ListMessages(as(g.owner), &v1.ListMessagesRequest{Parent: g.name, Viewer: viewer})
				wantError(t, err, codes.PermissionDenied, fault.NotYourSeat)
			}
			wantHidden := func(viewer string, tokens ...string) {
				t.Helper()
				_, err := g.talk().ListMessages(as(tokens...), &v1.ListMessagesRequest{Parent: g.name, Viewer: viewer})
				wantError(t, err, codes.PermissionDenied, fault.TalkHidden)
			}
			wantHidden("")
			wantHidden("spectator", g.red)
			g.spectatorsRead(true)
			equal(t, "a spectator", g.texts(), open)
			g.spectatorsRead(false)
			wantHidden("")
		})
	}
}

// TestPagesTellOnlyOfTheirReader has many hidden messages lie between those that blue reads. Blue's pages and their
// tokens are the same as if nobody had written them.
func TestPagesTellOnlyOfTheirReader(t *testing.T) {
	t.Parallel()
	var pages [2][]*v1.ListMessagesResponse
	for i := range pages {
		now := time.Unix(1_800_000_000, 0)
		g := open(t, inMemory(t), func(s *setting) {
			s.entropy, s.clock = bytes.NewReader(bytes.Repeat([]byte{7}, 1<<16)), func() time.Time { return now }
			s.talk.PerMinute = 100
		}).create(func(r *v1.CreateGameRequest) { r.RequestId = fixed(1) })
		for n, seat := range []string{"red", "blue"} {
			out, err := g.take(seat, fixed(2+n))
			must(t, err)
			g.red, g.blue = g.blue, out.SeatToken // in this order
		}
		for n := range 7 {
			now = now.Add(10 * time.Second)
			req := g.saying(atTable, fmt.Sprint("word ", n))
			req.RequestId = fixed(10 + n)
			must(t, second(g.talk().CreateMessage(as(g.blue), req)))
			for range i * 2 {
				g.say(g.red, toSide, "hidden")
				g.say(g.red, asNote, "hidden")
			}
		}
		for token := ""; ; {
			out, err := g.talk().ListMessages(as(g.blue),
				&v1.ListMessagesRequest{Parent: g.name, PageSize: 2, PageToken: token})
			must(t, err)
			pages[i] = append(pages[i], out)
			if token = out.NextPageToken; token == "" {
				break
			}
		}
	}
	if len(pages[0]) != 4 {
		t.Errorf("%d pages, want 4", len(pages[0]))
	}
	equal(t, "pages", pages[1], pages[0])
}

// fixed is an id that is the same in each run.
func fixed(n int) string { return fmt.Sprintf("0b8f5c1e-7d6a-4f0e-9a52-%012d", n) }

// TestADeletedMessageIsGone looks for its text in all that the store holds of the service.
func TestADeletedMessageIsGone(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	said := g.say(g.red, atTable, "a word that red regrets")
	other := g.say(g.blue, atTable, "a word of blue")
	if !g.holds("red regrets") {
		t.Fatal("the store does not hold what was said, so the test proves nothing")
	}
	remove := func(token, name string) error {
		return second(g.talk().DeleteMessage(as(token), &v1.DeleteMessageRequest{Name: name}))
	}
	wantError(t, remove(g.blue, said.Name), codes.PermissionDenied, fault.MessageNotYours)
	must(t, remove(g.red, said.Name))
	must(t, remove(g.red, said.Name)) // a retry
	if g.holds("red regrets") {
		t.Error("the store still holds it")
	}
	must(t, remove(g.owner, other.Name))
	equal(t, "left", len(g.texts(g.red)), 0)
	// What others may not read is to them as if it were not there.
	for _, hidden := range []*v1.Message{g.say(g.red, toSide, "side"), g.say(g.red, asNote, "note")} {
		for _, token := range []string{g.blue, g.owner} {
			must(t, remove(token, hidden.Name))
		}
	}
	equal(t, "red's", g.texts(g.red), []string{"side", "note"})
}

// holds reports whether any stream of the store holds a text.
func (g *table) holds(text string) bool {
	g.t.Helper()
	ctx := context.Background()
	for after := ""; ; {
		page, err := g.store.List(ctx, "", after, 100)
		must(g.t, err)
		if len(page) == 0 {
			return false
		}
		for _, info := range page {
			after = info.Name
			entries, err := g.store.Read(ctx, info.Name, 1, 1000, 1<<30)
			must(g.t, err)
			if bytes.Contains(info.Meta, []byte(text)) || slices.ContainsFunc(entries,
				func(e eventstore.Entry) bool { return bytes.Contains(e.Data, []byte(text)) }) {
				return true
			}
		}
	}
}

// TestTalkLeavesTheLogAlone compares the log, its export and its audit before and after much was said.
func TestTalkLeavesTheLogAlone(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	g.do(g.red, "plan 0303")
	before, game := g.export(g.name, g.red, g.blue), g.game()
	for _, to := range []v1.Audience{atTable, toSide, asNote} {
		m := g.say(g.red, to, "said")
		must(t, second(g.talk().DeleteMessage(as(g.red), &v1.DeleteMessageRequest{Name: m.Name})))
		g.say(g.red, to, "said again")
	}
	g.spectatorsRead(true)
	if !bytes.Equal(before, g.export(g.name, g.red, g.blue)) {
		t.Error("the export is another one")
	}
	equal(t, "game", g.game(), game)
}

// TestNotesGoWithTheirHolder has blue leave the seat. Whoever sits down next reads neither blue's notes nor what was
// said to the side, and may not delete what blue said. The owner's mute stays with the seat until it is lifted.
func TestNotesGoWithTheirHolder(t *testing.T) {
	t.Parallel()
	g := open(t, func(s *setting) { s.ruleset = allied{toy.Ruleset()} }).seated()
	g.say(g.blue, asNote, "note")
	side := g.say(g.blue, toSide, "side")
	said := g.say(g.blue, atTable, "table")
	must(t, second(g.talk().MuteSeat(as(g.owner), &v1.MuteSeatRequest{Name: g.name, Muted: "blue", ForAll: true})))
	g.leave(g.blue, "blue")
	g.blue = g.sit("blue")
	equal(t, "the new blue", g.texts(g.blue), []string{"table"})
	equal(t, "red", g.texts(g.red), []string{"side", "table"})
	wantError(t, second(g.talk().DeleteMessage(as(g.blue), &v1.DeleteMessageRequest{Name: said.Name})),
		codes.PermissionDenied, fault.MessageNotYours)
	must(t, second(g.talk().DeleteMessage(as(g.blue), &v1.DeleteMessageRequest{Name: side.Name})))
	equal(t, "red still", len(g.texts(g.red)), 2)
	wantError(t, second(g.talk().CreateMessage(as(g.blue), g.saying(atTable, "hello"))), codes.PermissionDenied,
		fault.SeatMuted)
	must(t, g.unmute(g.owner, "blue", true))
	g.say(g.blue, atTable, "hello")
	g.say(g.blue, asNote, "new")
	if g.holds("note") {
		t.Error("the store holds the note of somebody who has left")
	}
}

// TestWhoMaySpeak refuses those who may not.
func TestWhoMaySpeak(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	see := g.made(g.red, "red", v1.Rights_RIGHTS_SEE).Secret
	for name, tt := range map[string]struct {
		tokens []string
		change func(*v1.Message)
		code   codes.Code
		reason fault.Reason
	}{
		"a spectator":     {nil, nil, codes.Unauthenticated, fault.TokenRequired},
		"the owner":       {[]string{g.owner}, nil, codes.PermissionDenied, fault.NotYourSeat},
		"one who watches": {[]string{see}, nil, codes.PermissionDenied, fault.TokenTooNarrow},
		"for another": {[]string{g.red}, func(m *v1.Message) { m.Seat = "blue" }, codes.PermissionDenied,
			fault.NotYourSeat},
		"for one of two": {[]string{g.red, g.blue}, nil, codes.InvalidArgument, fault.SeatRequired},
		"nothing": {[]string{g.red}, func(m *v1.Message) { m.Text = "" }, codes.InvalidArgument,
			fault.ValidationFailed},
		"blanks": {[]string{g.red}, func(m *v1.Message) { m.Text = " \u2800" }, codes.InvalidArgument,
			fault.ValidationFailed},
		"a control character": {[]string{g.red}, func(m *v1.Message) { m.Text = "a\x1b[2J" }, codes.InvalidArgument,
			fault.ValidationFailed},
		"two lines": {[]string{g.red}, func(m *v1.Message) { m.Text = "a\nb" }, codes.InvalidArgument,
			fault.ValidationFailed},
		"turned": {[]string{g.red}, func(m *v1.Message) { m.Text = "a\u202eb" }, codes.InvalidArgument,
			fault.ValidationFailed},
		"too long": {[]string{g.red}, func(m *v1.Message) { m.Text = strings.Repeat("字", 1001) },
			codes.InvalidArgument, fault.ValidationFailed},
		"to nobody": {[]string{g.red}, func(m *v1.Message) { m.Audience = 9 }, codes.InvalidArgument,
			fault.ValidationFailed},
		"at no space": {[]string{g.red}, func(m *v1.Message) { m.Pin = &v1.Message_Space{Space: "9999"} },
			codes.InvalidArgument, fault.ValidationFailed},
		"at no record": {[]string{g.red}, func(m *v1.Message) { m.Pin = &v1.Message_Record{Record: 99} },
			codes.OutOfRange, fault.VersionNotFound},
	} {
		req := g.saying(atTable, "hello")
		if tt.change != nil {
			tt.change(req.Message)
		}
		_, err := g.talk().CreateMessage(as(tt.tokens...), req)
		if t.Run(name, func(t *testing.T) { wantError(t, err, tt.code, tt.reason) }); len(g.texts(g.red)) > 0 {
			t.Fatalf("%s was said", name)
		}
	}
	must(t, second(g.talk().CreateMessage(as(g.red), g.saying(atTable, strings.Repeat("字", 1000)))))
}

// TestComputersListenAndSayNothing: a computer reads the table and writes to nobody, not even a note. A person who sits
// there after it writes again.
func TestComputersListenAndSayNothing(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	stream, _, shown := h.offered(h.service.HouseToken("thumb"), "Thumb")
	g := h.create()
	g.red = g.sit("red")
	must(t, second(g.give(g.owner, "blue", shown.Name, id())))
	computer := h.post(stream).Token
	g.say(g.red, atTable, "are you there?")
	g.say(g.red, toSide, "red's side")
	for _, to := range []v1.Audience{atTable, toSide, asNote} {
		_, err := g.talk().CreateMessage(as(computer), g.saying(to, "beep"))
		wantError(t, err, codes.PermissionDenied, fault.ComputerSilent)
	}
	state, err := g.talk().GetTalk(as(computer), &v1.GetTalkRequest{Name: g.name + "/talk"})
	must(t, err)
	equal(t, "seats it writes for", len(state.Talk.WritingSeats), 0)
	equal(t, "what it reads", g.texts(computer), []string{"are you there?"})
	equal(t, "what red reads", g.texts(g.red), []string{"are you there?", "red's side"})
	must(t, second(g.takeBack(g.owner, "blue")))
	g.blue = g.sit("blue")
	g.say(g.blue, atTable, "I am, now")
	equal(t, "what red reads", g.texts(g.red), []string{"are you there?", "red's side", "I am, now"})
}

// TestARetrySaysNothingTwice repeats a request, also after its message was deleted.
func TestARetrySaysNothingTwice(t *testing.T) {
	t.Parallel()
	g := open(t).seated()
	req := g.saying(atTable, "once")
	first, err := g.talk().CreateMessage(as(g.red), req)
	must(t, err)
	again, err := g.talk().CreateMessage(as(g.red), req)
	must(t, err)
	equal(t, "the retry", again, first)
	equal(t, "said", g.texts(g.red), []string{"once"})
	other := proto.CloneOf(req)
	other.Message.Text = "twice"
	wantError(t, second(g.talk().CreateMessage(as(g.red), other)), codes.AlreadyExists, fault.RequestIDReused)
	must(t, second(g.talk().DeleteMessage(as(g.red), &v1.DeleteMessageRequest{Name: first.Message.Name})))
	wantError(t, second(g.talk().CreateMessage(as(g.red), req)), codes.NotFound, fault.MessageNotFound)
}

// TestTalkIsBounded has a seat write more than it may.
func TestTalkIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	g := open(t, inMemory(t), func(s *setting) {
		s.talk, s.clock = service.Talk{PerMinute: 3, Messages: 5}, func() time.Time { return now }
	}).seated()
	for n := range 3 {
		g.say(g.red, atTable, fmt.Sprint("red ", n))
	}
	_, err := g.talk().CreateMessage(as(g.red), g.saying(atTable, "too much"))
	wantError(t, err, codes.ResourceExhausted, fault.TooManyMessages)
	g.say(g.blue, atTable, "blue") // others may
	g.say(g.red, toSide, "aside")  // and elsewhere
	now = now.Add(time.Minute + time.Second)
	for n := range 3 {
		g.say(g.red, atTable, fmt.Sprint("more ", n))
	}
	// The oldest of a table make room; notes do not.
	equal(t, "kept", g.read(&v1.ListMessagesRequest{Audience: atTable}, g.red)[0].Text, "red 2")
	for n := range 5 {
		now = now.Add(time.Minute)
		g.say(g.red, asNote, fmt.Sprint("note ", n))
	}
	now = now.Add(time.Minute)
	_, err = g.talk().CreateMessage(as(g.red), g.saying(asNote, "one more"))
	wantError(t, err, codes.ResourceExhausted, fault.TooManyMessages)
	equal(t, "notes", len(g.read(&v1.ListMessagesRequest{Audience: asNote}, g.red)), 5)

	off := open(t, func(s *setting) { s.talk = service.Talk{Off: true} }).seated()
	_, err = off.talk().CreateMessage(as(off.red), off.saying(atTable, "hello"))
	wantError(t, err, codes.FailedPrecondition, fault.TalkOff)
}
