package service_test

import (
	"crypto/sha256"
	"fmt"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/dice"
)

// mutual asks for mutual dice.
func mutual(r *v1.CreateGameRequest) { r.Dice = logv1.DiceKind_DICE_KIND_MUTUAL }

// hand is a seat's secret for mutual dice: the last link of its chain, and how many there are.
type hand struct {
	game, seat string
	last       dice.Link
	length     uint32
}

// newHand draws a chain for a seat; the same words give the same chain.
func newHand(game, seat, words string, length uint32) *hand {
	return &hand{strings.TrimPrefix(game, "games/"), seat, sha256.Sum256([]byte(game + seat + words)), length}
}

func (h *hand) link(n uint32) dice.Link { return h.last.Back(h.length-n, h.game, h.seat) }

func (h *hand) chain() *logv1.HashChain {
	anchor := h.link(0)
	return &logv1.HashChain{Anchor: anchor[:], Length: h.length}
}

// dicers are the players of a game with mutual dice, with the chains of their seats.
type dicers struct {
	*table
	hands   map[string]*hand
	renewed int
	length  uint32
}

// dicing begins a game with mutual dice and two players, whose chains have the given number of links.
func (h *host) dicing(length uint32, set ...func(*v1.CreateGameRequest)) *dicers {
	h.t.Helper()
	d := &dicers{table: h.create(append([]func(*v1.CreateGameRequest){mutual}, set...)...), hands: map[string]*hand{},
		length: length}
	d.red, d.blue = d.sitDown("red"), d.sitDown("blue")
	return d
}

func (d *dicers) sitDown(seat string) string {
	d.t.Helper()
	words := "first"
	if d.hands[seat] != nil { // nobody takes a chain twice, whose links are known
		words = fmt.Sprint("again ", d.game().Version)
	}
	d.hands[seat] = newHand(d.name, seat, words, d.length)
	out, err := d.games.TakeSeat(as(), &v1.TakeSeatRequest{
		Name: d.name, Seat: seat, Holder: "player " + seat, RequestId: id(), Chain: d.hands[seat].chain(),
	})
	must(d.t, err)
	return out.SeatToken
}

func (d *dicers) token(seat string) string {
	if seat == "red" {
		return d.red
	}
	return d.blue
}

// owed is the answer that a seat owes.
func (d *dicers) owed(g *v1.Game, seat string) *v1.AnswerDiceRequest {
	d.t.Helper()
	for _, o := range g.GetPendingDice().GetOwed() {
		if o.Seat != seat {
			continue
		}
		h := d.hands[seat]
		link := h.link(o.Link)
		req := &v1.AnswerDiceRequest{Name: d.name, Seat: seat, Asked: g.PendingDice.Asked, Link: link[:],
			RequestId: id()}
		if o.Link == h.length {
			d.renewed++
			d.hands[seat] = newHand(d.name, seat, fmt.Sprint("renewed ", d.renewed), d.length)
			req.Chain = d.hands[seat].chain()
		}
		return req
	}
	d.t.Fatalf("%s owes nothing: %v", seat, g.GetPendingDice())
	return nil
}

func (d *dicers) answer(g *v1.Game, seat string) *v1.AnswerDiceResponse {
	d.t.Helper()
	out, err := d.games.AnswerDice(as(d.token(seat)), d.owed(g, seat))
	must(d.t, err)
	return out
}

// answerAll has all seats that owe a link answer.
func (d *dicers) answerAll(g *v1.Game) *v1.Game {
	d.t.Helper()
	for _, seat := range g.GetPendingDice().GetMissing() {
		g = d.answer(g, seat).Game
	}
	return g
}

// rolling plays until a command waits for dice, and returns it; nil if the game ends first.
func (d *dicers) rolling(seed uint64) (*v1.SubmitCommandRequest, *v1.SubmitCommandResponse) {
	d.t.Helper()
	for {
		token := d.tokenOf(d.game().WaitingFor)
		if token == "" {
			return nil, nil
		}
		seed = seed*6364136223846793005 + 1442695040888963407
		req := d.command(d.choice(token, seed))
		out, err := d.games.SubmitCommand(as(token), req)
		must(d.t, err)
		if out.Pending {
			return req, out
		}
	}
}

// choice is one of the legal commands of a seat.
func (d *dicers) choice(token string, seed uint64) string {
	d.t.Helper()
	var choices []string
	for _, a := range d.legal(token).Actions {
		choices = append(choices, a.Command)
	}
	if len(choices) == 0 {
		d.t.Fatalf("nothing is legal in %v", d.game())
	}
	return choices[int(seed>>33)%len(choices)]
}
