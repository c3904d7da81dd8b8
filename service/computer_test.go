package service_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/eventstore/memory"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
)

// thumb is a computer of the server's own.
var thumb = service.House{ID: "thumb", Title: "Thumb"}

func withHouse(s *setting) { s.house = []service.House{thumb} }

func (h *host) computers() v1.ComputerServiceClient { return v1.NewComputerServiceClient(h.conn) }

// account is the token of an account of a stranger's, told apart by a letter.
func account(letter string) string { return "wl_b_" + strings.Repeat(letter, 51) + "a" }

type offerStream = grpc.ServerStreamingClient[v1.OfferComputerResponse]

// offers opens a stream that offers a computer; change may change how it describes itself.
func (h *host) offers(token, title string, change ...func(*v1.OfferComputerRequest)) (offerStream, context.CancelFunc) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(as(token))
	h.t.Cleanup(cancel)
	req := &v1.OfferComputerRequest{
		Title: title, Repertoire: []*v1.Repertoire{{Ruleset: "rulesets/toy", Strength: v1.Strength_STRENGTH_EASY}},
		MaxSeats: 4, Heartbeat: durationpb.New(5 * 60e9),
	}
	for _, f := range change {
		f(req)
	}
	stream, err := h.computers().OfferComputer(ctx, req)
	must(h.t, err)
	return stream, cancel
}

// offered is offers for one that is taken.
func (h *host) offered(
	token, title string, change ...func(*v1.OfferComputerRequest),
) (offerStream, context.CancelFunc, *v1.Computer) {
	h.t.Helper()
	stream, cancel := h.offers(token, title, change...)
	m, err := stream.Recv()
	must(h.t, err)
	return stream, cancel, m.GetOffered()
}

// post waits for a seat to play.
func (h *host) post(stream offerStream) *v1.ComputerSeat {
	h.t.Helper()
	for {
		m, err := stream.Recv()
		must(h.t, err)
		if s := m.GetSeat(); s != nil {
			return s
		}
	}
}

func (g *table) give(token, seat, computer, request string) (*v1.Game, error) {
	out, err := g.computers().SeatComputer(as(token),
		&v1.SeatComputerRequest{Name: g.name, Seat: seat, Computer: computer, RequestId: request})
	return out.GetGame(), err
}

func (g *table) takeBack(token, seat string) (*v1.Game, error) {
	out, err := g.computers().UnseatComputer(as(token),
		&v1.UnseatComputerRequest{Name: g.name, Seat: seat, RequestId: id()})
	return out.GetGame(), err
}

func seatOf(g *v1.Game, id string) *v1.SeatState {
	for _, s := range g.GetSeats() {
		if s.Id == id {
			return s
		}
	}
	return nil
}

// TestSeatingAComputerAgain: a repeated request must ask for the same.
func TestSeatingAComputerAgain(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	_, _, shown := h.offered(h.service.HouseToken("thumb"), "Thumb")
	g := h.create()
	ask := func(request string, givesUp bool) error {
		return second(g.computers().SeatComputer(as(g.owner), &v1.SeatComputerRequest{Name: g.name, Seat: "blue",
			Computer: shown.Name, RequestId: request, GivesUp: givesUp}))
	}
	for _, givesUp := range []bool{false, true} {
		request := id()
		must(t, ask(request, givesUp))
		must(t, ask(request, givesUp))
		wantError(t, ask(request, !givesUp), codes.AlreadyExists, fault.RequestIDReused)
		must(t, second(g.takeBack(g.owner, "blue")))
		wantError(t, ask(request, !givesUp), codes.AlreadyExists, fault.RequestIDReused)
	}
}

// TestComputerPlaysASeat: a computer of the server's own gets a seat, with a token that shows what the seat may see.
// Everybody sees what it is; nobody else gets its token, not even whoever gave it the seat.
func TestComputerPlaysASeat(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	stream, _, shown := h.offered(h.service.HouseToken("thumb"), "Thumb")
	equal(t, "offered", shown, &v1.Computer{Name: "computers/thumb", Title: "Thumb", House: true, MaxSeats: 4,
		Repertoire: []*v1.Repertoire{{Ruleset: "rulesets/toy", Strength: v1.Strength_STRENGTH_EASY}}})
	g := h.create()
	g.red = g.sit("red")
	request := id()
	game, err := g.give(g.owner, "blue", shown.Name, request)
	must(t, err)
	equal(t, "blue", seatOf(game, "blue"), &v1.SeatState{Id: "blue", Holder: "Thumb", Taken: true,
		Computer: "computers/thumb"})
	post := h.post(stream)
	if post.Name != g.name || post.Seat != "blue" || post.Ruleset != "rulesets/toy" || post.Scenario != "ridge" {
		t.Errorf("the computer is to play %v", post)
	}
	g.do(g.red, "plan 0303")
	for token, sees := range map[string]bool{post.Token: false, g.red: true} {
		out, err := g.games.GetBoard(as(token), &v1.GetBoardRequest{Name: g.name})
		must(t, err)
		got := slices.ContainsFunc(out.Board.Pieces, func(p *boardv1.Piece) bool { return p.Id == "plan-red" })
		if got != sees {
			t.Errorf("red's plan is shown: %t, want %t", got, sees)
		}
	}
	// The giver repeats its request, and tries it as a person's: neither has the token of the computer.
	again, err := g.give(g.owner, "blue", shown.Name, request)
	must(t, err)
	equal(t, "the answer to a repeated request", again.Version >= game.Version, true)
	_, err = g.games.TakeSeat(as(g.owner),
		&v1.TakeSeatRequest{Name: g.name, Seat: "blue", Holder: "Thumb", RequestId: request})
	wantError(t, err, codes.AlreadyExists, fault.RequestIDReused)
	// It is in the list and in the log.
	list, err := g.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	equal(t, "blue in the list", seatOf(list.Games[0], "blue").GetComputer(), "computers/thumb")
	records, err := g.games.ListRecords(as(), &v1.ListRecordsRequest{Name: g.name, WholeTree: true})
	must(t, err)
	var logged []*logv1.SeatTaken
	for _, r := range records.Records {
		for _, e := range r.Events {
			table := new(logv1.TableEvent)
			if e.Event.UnmarshalTo(table) == nil && table.GetSeatTaken().GetComputer() != "" {
				logged = append(logged, table.GetSeatTaken())
			}
		}
	}
	equal(t, "the log", logged, []*logv1.SeatTaken{{Seat: "blue", Holder: "Thumb", Computer: "thumb"}})
	computers, err := g.computers().ListComputers(as(),
		&v1.ListComputersRequest{Ruleset: "rulesets/toy", Scenario: "ford"})
	must(t, err)
	if len(computers.Computers) != 1 || computers.Computers[0].Seats != 1 {
		t.Errorf("the list has %v", computers.Computers)
	}
}

// TestWhoGivesSeatsToComputers holds the rights of giving and taking back.
func TestWhoGivesSeatsToComputers(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	_, _, thumb := h.offered(h.service.HouseToken("thumb"), "Thumb")
	g := h.create()
	wantError(t, second(h.computers().SeatComputer(as(), &v1.SeatComputerRequest{Name: g.name, Seat: "blue",
		Computer: thumb.Name, RequestId: id()})), codes.PermissionDenied, fault.InvitationRequired)
	g.red = g.sit("red")
	game, err := g.give(g.red, "blue", thumb.Name, id())
	must(t, err)
	equal(t, "the computer", seatOf(game, "blue").Computer, thumb.Name)
	_, err = g.give(g.red, "blue", thumb.Name, id())
	wantError(t, err, codes.FailedPrecondition, fault.SeatTaken)
	wantError(t, second(h.computers().UnseatComputer(as(), &v1.UnseatComputerRequest{Name: g.name, Seat: "blue",
		RequestId: id()})), codes.PermissionDenied, fault.ComputerNotYours)
	game, err = g.takeBack(g.red, "blue")
	must(t, err)
	equal(t, "blue is free", seatOf(game, "blue").Taken, false)
	_, err = g.takeBack(g.red, "blue")
	wantError(t, err, codes.FailedPrecondition, fault.ComputerNotSeated)
	// The owner gave it, so red may not take it back; the owner frees it as any seat.
	_, err = g.give(g.owner, "blue", thumb.Name, id())
	must(t, err)
	_, err = g.takeBack(g.red, "blue")
	wantError(t, err, codes.PermissionDenied, fault.ComputerNotYours)
	out, err := g.games.LeaveSeat(as(g.owner), &v1.LeaveSeatRequest{Name: g.name, Seat: "blue", RequestId: id()})
	must(t, err)
	equal(t, "blue is free", seatOf(out.Game, "blue").Taken, false)

	closed := h.create(func(r *v1.CreateGameRequest) { r.JoinPolicy = logv1.JoinPolicy_JOIN_POLICY_INVITED })
	sat, err := h.games.TakeSeat(as(closed.made(closed.owner, "red", v1.Rights_RIGHTS_JOIN).Secret),
		&v1.TakeSeatRequest{Name: closed.name, Seat: "red", RequestId: id()})
	must(t, err)
	_, err = closed.give(sat.SeatToken, "blue", thumb.Name, id())
	wantError(t, err, codes.PermissionDenied, fault.InvitationRequired)
	_, err = closed.give(closed.made(closed.owner, "blue", v1.Rights_RIGHTS_JOIN).Secret, "blue", thumb.Name, id())
	must(t, err)
}

// TestComputersSurviveRestarts: a computer that comes back is told its seats, with the same tokens; those of games that
// are over, and those that were taken back, are not among them.
func TestComputersSurviveRestarts(t *testing.T) {
	t.Parallel()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	first := open(t, withHouse, func(s *setting) { s.store = store })
	stream, _, mine := first.offered(account("b"), "Stranger")
	var games []*table
	tokens := make(map[string]string)
	for range 3 {
		g := first.create()
		_, err := g.give(g.owner, "red", mine.Name, id())
		must(t, err)
		games, tokens[g.name] = append(games, g), first.post(stream).Token
	}
	_, err := games[0].games.CloseGame(as(games[0].owner),
		&v1.CloseGameRequest{Name: games[0].name, RequestId: id()})
	must(t, err)
	_, err = games[1].takeBack(games[1].owner, "red")
	must(t, err)
	first.service.Leave()
	for {
		m, err := stream.Recv()
		if err != nil {
			t.Fatalf("the stream ended without a word: %v", err)
		}
		if m.GetGoingAway() != nil {
			break
		}
	}
	first.stop()
	second := open(t, func(s *setting) { s.store = store })
	stream, _, again := second.offered(account("b"), "Stranger")
	equal(t, "its name", again.Name, mine.Name)
	post := second.post(stream)
	equal(t, "the seat", []string{post.Name, post.Token}, []string{games[2].name, tokens[games[2].name]})
	list, err := second.computers().ListComputers(as(), &v1.ListComputersRequest{})
	must(t, err)
	equal(t, "seats that it plays", list.Computers[0].Seats, int32(1))
}

// TestNamesOfComputers: nobody offers a computer under the name of another, of the server's own least of all; also when
// the other is not there.
func TestNamesOfComputers(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	refused := func(stream offerStream, code codes.Code, reason fault.Reason) {
		t.Helper()
		wantError(t, second(stream.Recv()), code, reason)
	}
	stream, _ := h.offers(account("b"), "thumb")
	refused(stream, codes.AlreadyExists, fault.ComputerNameTaken)
	mine, cancel, _ := h.offered(account("b"), "Mine")
	cancel()
	for { // the server has noticed
		if _, err := mine.Recv(); err != nil {
			break
		}
	}
	stream, _ = h.offers(account("c"), " MINE ")
	refused(stream, codes.AlreadyExists, fault.ComputerNameTaken)
	mine, _, _ = h.offered(account("b"), "Mine")
	_, _, _ = h.offered(account("b"), "Mine again")
	refused(mine, codes.Aborted, fault.OfferReplaced)
	for name, c := range map[string]struct {
		token  string
		code   codes.Code
		reason fault.Reason
	}{
		"no token":          {"", codes.Unauthenticated, fault.TokenRequired},
		"the token of game": {h.create().owner, codes.Unauthenticated, fault.TokenMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := as()
			if c.token != "" {
				ctx = as(c.token)
			}
			stream, err := h.computers().OfferComputer(ctx, &v1.OfferComputerRequest{
				Title: "x", MaxSeats: 1, Repertoire: []*v1.Repertoire{{Ruleset: "rulesets/toy"}}})
			must(t, err)
			wantError(t, second(stream.Recv()), c.code, c.reason)
		})
	}
	wantError(t, second(h.games.GetGame(as(account("b")), &v1.GetGameRequest{Name: h.create().name})),
		codes.Unauthenticated, fault.TokenUnknown)
	stream, err := h.computers().OfferComputer(as(account("d")), &v1.OfferComputerRequest{
		Description: strings.Repeat("x", 201), MaxSeats: 65, Heartbeat: durationpb.New(1),
	})
	must(t, err)
	_, err = stream.Recv()
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	equal(t, "fields", violations(err), []string{"title", "description", "repertoire", "max_seats", "heartbeat"})
}

// TestComputersAreBounded: one computer, all of them, and one caller have bounds; a game that is over makes room again.
func TestComputersAreBounded(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse, func(s *setting) {
		s.limits = service.Limits{Computers: 1, ComputerSeats: 6, CallerComputerSeats: 5}
		s.admission = neighbor{}
	})
	_, _, thumb := h.offered(h.service.HouseToken("thumb"), "Thumb",
		func(r *v1.OfferComputerRequest) { r.MaxSeats = 2 })
	_, _, big := h.offered(account("b"), "Big", func(r *v1.OfferComputerRequest) { r.MaxSeats = 64 })
	stream, _ := h.offers(account("c"), "One too many")
	wantError(t, second(stream.Recv()), codes.ResourceExhausted, fault.TooManyComputers)
	first := h.create()
	for _, seat := range []string{"red", "blue"} {
		_, err := first.give(first.owner, seat, thumb.Name, id())
		must(t, err)
	}
	g := h.create()
	_, err := g.give(g.owner, "red", thumb.Name, id())
	wantError(t, err, codes.ResourceExhausted, fault.ComputerBusy)
	given := 2
	for range 200 {
		g := h.create()
		if _, err = g.give(g.owner, "red", big.Name, id()); err != nil {
			break
		}
		given++
	}
	limit := wantError(t, err, codes.ResourceExhausted, fault.TooManyComputers)["limit"]
	if given != 5 || limit != "5" {
		t.Errorf("one address gave %d seats, and the error says %s", given, limit)
	}
	game, err := g.games.GetGame(as(), &v1.GetGameRequest{Name: g.name})
	must(t, err)
	equal(t, "a refused request changes nothing", game.Game.Version, uint64(1))
	_, err = first.takeBack(first.owner, "red")
	must(t, err)
	_, err = g.give(g.owner, "red", thumb.Name, id())
	must(t, err)
}

// neighbor admits every call, and knows all callers as one address.
type neighbor struct{ service.Admission }

func (neighbor) Admit(context.Context, string) (func(), error) { return func() {}, nil }
func (neighbor) Caller(context.Context) string                 { return "192.0.2.1/32" }
func (neighbor) Checked(context.Context, string, bool)         {}
func (neighbor) Charge(context.Context, int)                   {}
func (neighbor) Game(context.Context) (func(), error)          { return func() {}, nil }
func (neighbor) Store(_ context.Context, _ int) error          { return nil }

// TestComputersPlayWhatTheySay: a computer is given no game that it does not play.
func TestComputersPlayWhatTheySay(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	_, _, ridge := h.offered(account("b"), "Ridge", func(r *v1.OfferComputerRequest) {
		r.Repertoire[0].Scenarios = []string{"ridge"}
	})
	_, _, chess := h.offered(account("c"), "Chess", func(r *v1.OfferComputerRequest) {
		r.Repertoire[0].Ruleset = "rulesets/chess"
	})
	ford := func(r *v1.CreateGameRequest) { r.Source = &v1.CreateGameRequest_Scenario{Scenario: "ford"} }
	mutual := func(r *v1.CreateGameRequest) { r.Dice = logv1.DiceKind_DICE_KIND_MUTUAL }
	usual := func(*v1.CreateGameRequest) {}
	for name, c := range map[string]struct {
		game     func(*v1.CreateGameRequest)
		computer *v1.Computer
		cause    string
	}{
		"another ruleset":  {usual, chess, "ruleset"},
		"another scenario": {ford, ridge, "scenario"},
		"mutual dice":      {mutual, ridge, "dice"},
	} {
		t.Run(name, func(t *testing.T) {
			g := h.create(c.game)
			_, err := g.give(g.owner, "red", c.computer.Name, id())
			equal(t, "cause", wantError(t, err, codes.FailedPrecondition, fault.ComputerUnsuited)["cause"], c.cause)
		})
	}
	g := h.create()
	_, err := g.give(g.owner, "red", "computers/nobody", id())
	wantError(t, err, codes.NotFound, fault.ComputerNotFound)
	_, err = g.give(g.owner, "red", "nobody", id())
	wantError(t, err, codes.InvalidArgument, fault.ValidationFailed)
	_, err = g.give(g.owner, "green", ridge.Name, id())
	wantError(t, err, codes.NotFound, fault.SeatNotFound)
}

// TestSeatsOfComputersAreGuarded: nobody learns by way of a computer what the rules hide. An owner who frees a seat may
// not give it to a computer: once that was gone, nobody would ask the player any more who had been put out. Whoever is
// alone with computers may take a computer's seat.
func TestSeatsOfComputersAreGuarded(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	posts, _, thumb := h.offered(h.service.HouseToken("thumb"), "Thumb")
	_, _, strange := h.offered(account("b"), "Stranger")
	take := func(g *table, token, seat string) error {
		return second(h.games.TakeSeat(as(token), &v1.TakeSeatRequest{Name: g.name, Seat: seat, RequestId: id()}))
	}
	g := h.seated()
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0301")
	must(t, second(h.games.LeaveSeat(as(g.owner), &v1.LeaveSeatRequest{Name: g.name, Seat: "blue", RequestId: id()})))
	for _, c := range []string{thumb.Name, strange.Name} {
		for _, who := range []string{g.owner, g.red} {
			wantError(t, second(g.give(who, "blue", c, id())), codes.FailedPrecondition, fault.SeatGuarded)
		}
	}
	wantError(t, take(g, g.owner, "blue"), codes.FailedPrecondition, fault.SeatGuarded)
	offered := g.offer(g.owner, "blue").PendingSeat.GetOffered()
	for seat, token := range map[string]string{"red": g.red, "blue": g.blue} {
		must(t, second(g.access().AnswerSeat(as(token), &v1.AnswerSeatRequest{Name: g.name, Seat: seat,
			Offered: offered, Agree: true, RequestId: id()})))
	}
	must(t, second(g.give(g.owner, "blue", thumb.Name, id()))) // all who are concerned have agreed
	h.post(posts)
	_, err := g.takeBack(g.owner, "blue")
	must(t, err)
	wantError(t, take(g, g.owner, "blue"), codes.FailedPrecondition, fault.SeatGuarded)

	alone := h.create()
	alone.red = alone.sit("red")
	must(t, second(alone.give(alone.owner, "blue", thumb.Name, id())))
	alone.do(alone.red, "plan 0303")
	alone.do(h.post(posts).Token, "plan 0301")
	_, err = alone.takeBack(alone.owner, "blue")
	must(t, err)
	wantError(t, take(alone, alone.owner, "blue"), codes.FailedPrecondition, fault.SeatGuarded)
	must(t, second(h.games.TakeSeat(as(alone.owner, alone.red),
		&v1.TakeSeatRequest{Name: alone.name, Seat: "blue", RequestId: id()})))
}

// TestComputerIsToldOfEachGame: two games may give a seat by requests of the same id. The computer was told of the
// first alone, and the other game waited for ever.
func TestComputerIsToldOfEachGame(t *testing.T) {
	t.Parallel()
	h := open(t, withHouse)
	posts, _, thumb := h.offered(h.service.HouseToken("thumb"), "Thumb")
	request := id()
	for range 2 {
		g := h.create()
		must(t, second(g.give(g.owner, "blue", thumb.Name, request)))
		equal(t, "the game", h.post(posts).Name, g.name)
	}
}

// TestOneServerRunsAComputer: where several servers share a store, one of them runs a computer's seat, and another
// takes it over once the first has gone.
func TestOneServerRunsAComputer(t *testing.T) {
	t.Parallel()
	hosts := cluster(t, 2)
	here, there := hosts[0], hosts[1]
	a, stop, mine := here.offered(account("b"), "Mine")
	g := here.create()
	_, err := g.give(g.owner, "red", mine.Name, id())
	must(t, err)
	post := here.post(a)
	b, _, _ := there.offered(account("b"), "Mine", func(r *v1.OfferComputerRequest) {
		r.Heartbeat = durationpb.New(1e9)
	})
	for range 2 {
		m, err := b.Recv()
		must(t, err)
		if m.GetSeat() != nil {
			t.Fatal("two servers run one seat of a computer")
		}
	}
	stop()
	equal(t, "the seat at the other server", there.post(b).Token, post.Token)
}
