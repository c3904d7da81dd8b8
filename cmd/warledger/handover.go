package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/warledger/internal/credentials"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// seatCmd is for seats that are guarded because whoever takes them sees what was hidden.
type seatCmd struct {
	Offer  seatOfferCmd  `cmd:"" help:"Ask the others whether a guarded seat may be taken; owner only."`
	Offers seatOffersCmd `cmd:"" help:"List the offers of seats that wait for your answer."`
	Answer seatAnswerCmd `cmd:"" help:"Agree that the offered seat is taken, or refuse it."`
}

// guards say who may take a seat that is guarded.
var guards = map[v1.SeatGuard]string{
	v1.SeatGuard_SEAT_GUARD_OWNER: "the owner and those invited may take it only if the others agree",
	v1.SeatGuard_SEAT_GUARD_ALL:   "the owner freed it, so only its last holder may take it unless the others agree",
}

type seatOfferCmd struct {
	Game string `arg:"" help:"Game."`
	Seat string `arg:"" help:"Seat, which is free and guarded."`
}

// Run asks the others.
func (c seatOfferCmd) Run(a *app) error {
	game, err := a.game(c.Game)
	if err != nil {
		return err
	}
	g, err := game.OfferSeat(a.ctx, c.Seat)
	switch {
	case errors.Is(err, warledger.ErrSeatGuarded):
		return hinted{err,
			fmt.Sprintf("its last holder may still take it; warledger close %s ends the game for everyone, "+
				"and warledger fork then goes on from there", short(game.Name()))}
	case errors.Is(err, warledger.ErrSeatUnguarded):
		return hinted{err, fmt.Sprintf("warledger join %s %s takes it", short(game.Name()), c.Seat)}
	case err != nil:
		return err
	}
	return a.message(g, func() { a.offered(g) })
}

// offered says which seat is offered and who must answer.
func (a *app) offered(g *v1.Game) {
	if p := g.PendingSeat; p != nil {
		a.say("  the owner asks whether %s may be taken (record %d); %s must answer: warledger seat answer %s yes "+
			"--record %d, or no\n", p.Seat, p.Offered, join(p.Missing), short(g.Name), p.Offered)
	}
}

// guarded says which free seats are guarded, since when, and what helps.
func (a *app) guarded(g *v1.Game) {
	for _, s := range g.Seats {
		if s.Guard == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED {
			continue
		}
		a.say("  %s is guarded since %s: %s\n",
			s.Id, s.LeaveTime.AsTime().Local().Format(time.DateTime), guards[s.Guard])
		if held, err := a.held(g.Name); err == nil && held.Owner != "" && g.PendingSeat == nil {
			a.say("    warledger seat offer %s %s asks the others\n", short(g.Name), s.Id)
		}
	}
}

// waitingOffer is an offer of a seat that waits for this person.
type waitingOffer struct {
	Game    string   `json:"game"`
	Title   string   `json:"title,omitempty"`
	Seat    string   `json:"seat"`
	Offered uint64   `json:"offered"`
	Answer  []string `json:"answer"`
}

type seatOffersCmd struct {
	Game string `arg:"" optional:"" help:"Game; all games that you hold something of if not given."`
}

// Run lists the offers that wait for an answer of a seat held here, or held here last.
func (c seatOffersCmd) Run(a *app) error {
	names, err := c.games(a)
	if err != nil {
		return err
	}
	list := []waitingOffer{}
	for _, name := range names {
		g, mine, err := a.asked(name, unansweredOffer)
		switch {
		case errors.Is(err, warledger.ErrGameNotFound) && c.Game == "": // deleted, and still in the file of tokens
		case err != nil:
			return err
		case len(mine) > 0:
			list = append(list, waitingOffer{g.Name, g.Title, g.PendingSeat.Seat, g.PendingSeat.Offered, mine})
		}
	}
	if a.line.Output == "json" {
		return a.plainJSON(list, true)
	}
	if len(list) == 0 {
		a.say("No offer of a seat waits for your answer.\n")
		return nil
	}
	rows := [][]string{a.heads("GAME", "TITLE", "OFFERED", "RECORD", "ANSWERS")}
	for _, o := range list {
		rows = append(rows, []string{short(o.Game), orDash(o.Title), o.Seat, fmt.Sprint(o.Offered), join(o.Answer)})
	}
	a.table(rows)
	a.say("warledger seat answer GAME yes --record RECORD agrees, no refuses.\n")
	return nil
}

func (c seatOffersCmd) games(a *app) ([]string, error) {
	if c.Game != "" {
		name, err := a.gameName(c.Game)
		return []string{name}, err
	}
	file, err := a.credentials()
	if err != nil {
		return nil, err
	}
	held, err := file.Server(a.line.Server)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(held.Games)), nil
}

func unansweredOffer(g *v1.Game) []string { return g.PendingSeat.GetMissing() }

// asked returns a game, and the seats of this person whose answer is missing. It looks without a token, because the
// server refuses every call with the token of a seat that was freed.
func (a *app) asked(name string, missing func(*v1.Game) []string) (*v1.Game, []string, error) {
	client, err := a.server()
	if err != nil {
		return nil, nil, err
	}
	held, err := a.held(name)
	if err != nil {
		return nil, nil, err
	}
	g, err := client.Game(name, "").WithTokens(nil).Get(a.ctx)
	if err != nil {
		return nil, nil, err
	}
	var mine []string
	for _, seat := range missing(g) {
		if held.Seats[seat] != "" || held.Former[seat] != "" {
			mine = append(mine, seat)
		}
	}
	return g, mine, nil
}

// voter is a handle that answers a question for the seat of --as, or the first of this person's seats whose answer is
// missing. It brings that seat's token alone, also if its holder was put out. It is nil if nobody asks this person.
func (a *app) voter(given string, missing func(*v1.Game) []string) (*warledger.Game, *v1.Game, error) {
	game, err := a.game(given)
	if err != nil {
		return nil, nil, err
	}
	g, mine, err := a.asked(game.Name(), missing)
	if err != nil {
		return nil, nil, err
	}
	seat := a.line.As
	if seat == "" && len(mine) > 0 {
		seat = mine[0]
	}
	if seat == "" {
		return nil, g, nil
	}
	voter, err := a.voting(game.Name(), seat)
	return voter, g, err
}

// voting is a handle with the token of one seat, held now or last.
func (a *app) voting(name, seat string) (*warledger.Game, error) {
	held, err := a.held(name)
	if err != nil {
		return nil, err
	}
	var tokens []string
	if token := cmp.Or(held.Seats[seat], held.Former[seat]); token != "" {
		tokens = append(tokens, token)
	}
	return a.client.Game(name, seat).InLanguage(string(a.line.Lang)).WithTokens(holding(tokens)), nil
}

type seatAnswerCmd struct {
	Game   string `arg:"" help:"Game."`
	Answer string `arg:"" enum:"yes,no" help:"yes or no."`
	asking
}

// Run answers for every seat of this person whose answer is missing, or for that of --as.
func (c seatAnswerCmd) Run(a *app) error {
	name, err := a.gameName(c.Game)
	if err != nil {
		return err
	}
	g, mine, err := a.asked(name, unansweredOffer)
	if err != nil {
		return err
	}
	if a.line.As != "" {
		mine = slices.DeleteFunc(mine, func(seat string) bool { return seat != a.line.As })
	}
	if len(mine) == 0 {
		return usageError{nobodyAsks(g)}
	}
	if err := a.sure(a.offerQuestion(g), c.Answer == "yes", c.Record); err != nil {
		return err
	}
	offered, done := g.PendingSeat, false
	for _, seat := range mine {
		game, err := a.voting(name, seat)
		if err != nil {
			return err
		}
		if g, done, err = game.AnswerSeat(a.ctx, offered, c.Answer == "yes"); err != nil {
			return err
		}
		if c.Answer == "no" {
			break // one refusal decides
		}
	}
	return a.message(g, func() {
		switch {
		case done:
			a.say("All agree: whoever the owner lets in may take %s: warledger join %s %s\n",
				offered.Seat, short(name), offered.Seat)
		case c.Answer == "no":
			a.say("You refused: %s stays guarded.\n", offered.Seat)
		default:
			a.say("You agreed.\n")
			a.offered(g)
		}
	})
}

func nobodyAsks(g *v1.Game) string {
	if p := g.PendingSeat; p != nil {
		return fmt.Sprintf("the offer of %s waits for %s, and not for you", p.Seat, join(p.Missing))
	}
	return "no offer of a seat waits for an answer in " + g.Name
}

// holding are tokens, whatever the game.
func holding(tokens []string) warledger.TokenSource {
	return warledger.TokenFunc(func(context.Context, string) ([]string, error) { return tokens, nil })
}

// putAside sorts out tokens of seats that have become void, and lists the seats. The token of a free seat is kept
// apart, since it answers for the seat and takes it again; others are forgotten.
func (a *app) putAside(name string) (former, gone []string, err error) {
	held, err := a.held(name)
	if err != nil {
		return nil, nil, err
	}
	g, err := a.client.Game(name, "").WithTokens(nil).Get(a.ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range g.Seats {
		token := held.Seats[s.Id]
		if token == "" {
			continue
		}
		_, err := a.client.Game(name, s.Id).WithTokens(holding([]string{token})).Get(a.ctx)
		switch {
		case err == nil:
		case !errors.Is(err, warledger.ErrTokenRevoked):
			return nil, nil, err
		case s.Taken:
			gone = append(gone, s.Id)
		default:
			former = append(former, s.Id)
		}
	}
	if len(former)+len(gone) == 0 {
		return nil, nil, nil
	}
	return former, gone, a.keep(name, false, func(now *credentials.Game) {
		for _, seat := range append(former, gone...) {
			if now.Seats[seat] != held.Seats[seat] {
				continue // another run has taken the seat meanwhile
			}
			if slices.Contains(former, seat) {
				now.PutAside(seat)
			} else {
				delete(now.Seats, seat)
			}
		}
	})
}

// joinRefused adds to a refusal to sit down what the person can do about the seat's guard.
func (a *app) joinRefused(name, seat string, err error) error {
	if !errors.Is(err, warledger.ErrSeatGuarded) {
		return err
	}
	hint := "its owner can ask the others with warledger seat offer %s %s; once all agree, join again"
	if held, heldErr := a.held(name); heldErr == nil && held.Owner != "" {
		hint = "warledger seat offer %s %s asks the others; once all agree, join again"
	}
	return hinted{err, fmt.Sprintf(hint, short(name), seat)}
}

// hinted is an error with what helps in just this case.
type hinted struct {
	error
	hint string
}

// Unwrap returns the error itself.
func (h hinted) Unwrap() error { return h.error }
