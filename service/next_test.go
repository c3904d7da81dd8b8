package service_test

import (
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// asking is a command that asks for what the seat may do next.
func (g *table) asking(text string, dice ...uint32) *v1.SubmitCommandRequest {
	req := g.command(text, dice...)
	req.Next = &v1.NextQuery{IncludeCommands: true}
	return req
}

// nextOf is what a seat may do, asked for by the calls that a client without SubmitCommandRequest.next makes.
func (g *table) nextOf(token, seat, lang string) *v1.NextActions {
	g.t.Helper()
	legal, err := g.games.ListLegalActions(as(token),
		&v1.ListLegalActionsRequest{Name: g.name, Seat: seat, IncludeCommands: true, LanguageCode: lang})
	must(g.t, err)
	board, err := g.games.GetBoard(as(token), &v1.GetBoardRequest{Name: g.name, LanguageCode: lang})
	must(g.t, err)
	out := &v1.NextActions{Legal: legal}
	for _, p := range board.Board.Prompts {
		if p.Seat == seat && !g.game().Over {
			out.Prompts = append(out.Prompts, p)
		}
	}
	return out
}

// TestNextIsWhatTheListSays: through whole games, the answer to a command has what the other calls say right after it.
func TestNextIsWhatTheListSays(t *testing.T) {
	t.Parallel()
	h := open(t)
	for seed := range uint64(4) {
		g, lang, went := h.seated(), []string{"en", "ja"}[seed%2], 0
		for i := seed; ; i++ {
			waiting := g.game().WaitingFor
			if len(waiting) == 0 {
				break
			}
			token := g.tokenOf(waiting)
			list := g.legal(token)
			req := g.asking(list.Actions[int(i*7919)%len(list.Actions)].Command)
			req.LanguageCode, req.ExpectedVersion = lang, &list.Version
			out, err := g.games.SubmitCommand(as(token), req)
			must(t, err)
			equal(t, req.GetNotation(), out.Next, g.nextOf(token, waiting[0], lang))
			goesOn := slices.Contains(out.Game.WaitingFor, waiting[0])
			if n := out.Next.Legal; n.Version != out.Game.Version || goesOn != (n.TotalSize > 0) {
				t.Errorf("version %d of %d, %d actions, waits for %v", n.Version, out.Game.Version, n.TotalSize,
					out.Game.WaitingFor)
			}
			if goesOn {
				went++
			}
			if i > seed+300 {
				g.do(token, "concede")
			}
		}
		if went == 0 {
			t.Error("no seat could go on")
		}
	}
}

// TestNextOfARetry: the record of a retry is the first one, and what may be done is of the time of the retry.
func TestNextOfARetry(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	req := g.asking("move r2 0304")
	first, err := g.games.SubmitCommand(as(g.red), req)
	must(t, err)
	again := func(what string) *v1.SubmitCommandResponse {
		t.Helper()
		out, err := g.games.SubmitCommand(as(g.red), req)
		must(t, err)
		equal(t, what+": record", out.Record, first.Record)
		equal(t, what+": next", out.Next, g.nextOf(g.red, "red", "en"))
		return out
	}
	equal(t, "at once", again("at once").Next, first.Next)
	g.do(g.red, "attack r2 b2", 6)
	if out := again("later"); out.Next.Legal.Version != 7 || proto.Equal(out.Next, first.Next) {
		t.Errorf("a later retry shows an old list: %v", out.Next)
	}
	g.do(g.red, "end")
	if out := again("on the other's turn"); len(out.Next.Legal.Actions) != 0 || !out.Next.Prompts[0].Optional {
		t.Errorf("red may act on blue's turn: %v", out.Next)
	}
	must(t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	out := again("when the game is over")
	if len(out.Next.Legal.Offers) != 0 || out.Next.Legal.Version != out.Game.Version {
		t.Errorf("a game that is over: %v", out.Next)
	}
}

// TestNextIsForWhoAsks: it comes only if asked for, in pages with which ListLegalActions goes on, and not for a command
// that was refused or only checked.
func TestNextIsForWhoAsks(t *testing.T) {
	t.Parallel()
	g := redBegins(open(t))
	if out := g.do(g.red, "move r2 0304"); out.Next != nil {
		t.Errorf("nobody asked: %v", out.Next)
	}
	check := g.asking("move r1 0202")
	check.ValidateOnly = true
	out, err := g.games.SubmitCommand(as(g.red), check)
	must(t, err)
	if out.Next != nil {
		t.Errorf("a command that was only checked: %v", out.Next)
	}
	wantError(t, second(g.games.SubmitCommand(as(g.red), g.asking("nonsense"))), codes.InvalidArgument,
		fault.MalformedCommand)
	negative := g.asking("move r1 0202")
	negative.Next.PageSize = -1
	wantError(t, second(g.games.SubmitCommand(as(g.red), negative)), codes.InvalidArgument, fault.ValidationFailed)

	short := g.asking("move r1 0202")
	short.Next = &v1.NextQuery{PageSize: 1}
	out, err = g.games.SubmitCommand(as(g.red), short)
	must(t, err)
	page := out.Next.Legal
	if len(page.Actions) != 1 || len(page.Commands) != 0 || page.TotalSize < 2 || page.NextPageToken == "" {
		t.Fatalf("the first page: %v", page)
	}
	wantError(t, second(g.games.ListLegalActions(as(g.blue),
		&v1.ListLegalActionsRequest{Name: g.name, PageToken: page.NextPageToken})), codes.InvalidArgument,
		fault.PageTokenInvalid)
	var all []*boardv1.Action
	for {
		all = append(all, page.Actions...)
		if page.NextPageToken == "" {
			break
		}
		page, err = g.games.ListLegalActions(as(g.red),
			&v1.ListLegalActionsRequest{Name: g.name, PageToken: page.NextPageToken, PageSize: 2})
		must(t, err)
	}
	equal(t, "all pages", all, g.legal(g.red).Actions)
}

// TestNextWhileDiceAreAsked: nothing may be done before they are thrown.
func TestNextWhileDiceAreAsked(t *testing.T) {
	t.Parallel()
	d := open(t).dicing(100)
	req, out := d.rolling(3)
	req.Next = new(v1.NextQuery)
	seat := out.Record.Seat
	pending, err := d.games.SubmitCommand(as(d.token(seat)), req)
	must(t, err)
	n := pending.Next
	if !pending.Pending || n == nil || len(n.Prompts)+len(n.Legal.Actions)+len(n.Legal.Offers) != 0 {
		t.Errorf("while dice are asked for: %v", pending.Next)
	}
	d.answerAll(out.Game)
	done, err := d.games.SubmitCommand(as(d.token(seat)), req)
	must(t, err)
	want := d.nextOf(d.token(seat), seat, "en")
	want.Legal.Commands, want.Legal.OfferCommands = nil, nil
	equal(t, "once they are thrown", done.Next, want)
}

// TestNextIsPaidFor: it costs what a list costs if there is something to decide, and nothing otherwise.
func TestNextIsPaidFor(t *testing.T) {
	t.Parallel()
	b := &bill{gate{inside: make(chan string, 100)}, make(chan int, 100)}
	g := redBegins(open(t, func(s *setting) { s.admission = b }))
	for _, c := range []struct {
		req  *v1.SubmitCommandRequest
		want int
	}{{g.command("move r2 0304"), 0}, {g.asking("attack r2 b2", 6), 5}, {g.asking("end"), 0}} {
		for len(b.units) > 0 {
			<-b.units
		}
		must(t, second(g.games.SubmitCommand(as(g.red), c.req)))
		total := 0
		for len(b.units) > 0 {
			total += <-b.units
		}
		if total != c.want {
			t.Errorf("%s costs %d more, want %d", c.req.GetNotation(), total, c.want)
		}
	}
}
