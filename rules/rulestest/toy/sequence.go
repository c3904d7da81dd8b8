package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

//go:generate go run ../../../internal/facts

// exec carries out a command or a step. Events name units and hexes by id and state the outcome, so that
// folding them needs no rules.
type exec = rules.Exec[*State, *toyv1.Event]

// question is what the game waits for.
type question uint8

// The questions.
const (
	askNothing question = iota
	askPlan             // both seats at once
	askAct              // the active seat
	askLoss             // the seat that was hit
	askPursuit          // the seat that attacked
)

var questionNames = [...]string{askPlan: "plan", askAct: "act", askLoss: "loss", askPursuit: "pursuit"}

// asked is what the game waits for and whom it asks.
func (p *State) asked() (question, rules.Seats) {
	if p.phase == PhaseOver || p.first == rules.NoSeat {
		return askNothing, 0
	}
	if p.phase == PhasePlan {
		var open rules.Seats
		for seat := Red; seat < numSeats; seat++ {
			if p.seats[seat].plan == hex.None {
				open |= rules.SeatsOf(seat)
			}
		}
		if open == 0 {
			return askNothing, 0
		}
		return askPlan, open
	}
	if f := p.attack(); f != nil {
		switch {
		case f.step == stepHit && p.canRetreat(f):
			return askLoss, rules.SeatsOf(p.sc.units[f.target].seat)
		case f.step == stepRetreated && p.options.On(optionPursuit):
			return askPursuit, rules.SeatsOf(p.sc.units[f.unit].seat)
		}
		return askNothing, 0
	}
	if p.begun && p.alive(Red) && p.alive(Blue) {
		return askAct, rules.SeatsOf(p.active)
	}
	return askNothing, 0
}

// stepOn takes the next automatic step: the rest of an attack, or the next part of the turn (TY 3.1).
func stepOn(x *exec) {
	p := x.Pos
	if f := p.attack(); f != nil {
		stepAttack(x, *f)
		return
	}
	for seat := Red; seat < numSeats; seat++ {
		if !p.alive(seat) { // TY 5.6
			finish(x, rules.SeatsOf(rival(seat)), levelElimination)
			return
		}
	}
	switch {
	case p.first == rules.NoSeat:
		rollInitiative(x)
	case p.phase == PhasePlan, p.active == rules.NoSeat && p.scored && p.turn < p.lastTurn():
		emit(x, &toyv1.TurnBegan{Turn: uint32(p.turn + 1)})
	case p.active != rules.NoSeat:
		emit(x, &toyv1.PlayerTurnBegan{Seat: about.SeatID(p.active)})
	case !p.scored:
		score(x)
	default:
		reckon(x)
	}
}

// rollInitiative decides who moves first (TY 1.3).
func rollInitiative(x *exec) {
	roll := x.Roll(6, "initiative")
	seat := Red
	if roll > 3 {
		seat = Blue
	}
	emit(x, &toyv1.InitiativeWon{Seat: about.SeatID(seat), Roll: uint32(roll)})
}

// endPlayerTurn carries out the command to end a player turn.
func endPlayerTurn(x *exec) { emit(x, &toyv1.PlayerTurnEnded{Seat: about.SeatID(x.Pos.active)}) }

// score adds the points of a turn (TY 7.1).
func score(x *exec) {
	var points [numSeats]int
	for _, holder := range x.Pos.holders {
		if holder != rules.NoSeat {
			points[holder]++
		}
	}
	emit(x, &toyv1.Scored{Red: uint32(points[Red]), Blue: uint32(points[Blue])})
}

// planPoints is what a plan is worth that was fulfilled (TY 7.2).
const planPoints = 3

// reckon turns plans face up and ends the game (TY 7.2, TY 7.3).
func reckon(x *exec) {
	x.Reveal()
	for seat := Red; seat < numSeats; seat++ {
		plan, points := x.Pos.seats[seat].plan, 0
		if o, ok := x.Pos.sc.outpostAt(plan); ok && x.Pos.holders[o] == seat {
			points = planPoints
		}
		emit(x, &toyv1.PlanRevealed{Seat: about.SeatID(seat), Hex: x.Pos.hexID(plan), Points: uint32(points)})
	}
	switch red, blue := x.Pos.seats[Red].score, x.Pos.seats[Blue].score; {
	case red > blue:
		finish(x, rules.SeatsOf(Red), levelPoints)
	case blue > red:
		finish(x, rules.SeatsOf(Blue), levelPoints)
	default:
		finish(x, 0, levelDraw)
	}
}

// Levels of the result.
const (
	levelPoints      = "points"
	levelDraw        = "draw"
	levelElimination = "elimination"
	levelAgreed      = "agreed"
	levelConceded    = "conceded"
)

var levels = []string{levelPoints, levelDraw, levelElimination, levelAgreed, levelConceded}

func finish(x *exec, winners rules.Seats, level string) {
	m := &toyv1.GameEnded{Level: level}
	for seat := range winners.Each {
		m.Winners = append(m.Winners, about.SeatID(seat))
	}
	emit(x, m)
}

// offer carries out what may be said at any time (TY 7.4).
func offer(x *exec, seat rules.Seat, k Kind) {
	switch k {
	case KindDraw:
		emit(x, &toyv1.DrawOffered{Seat: about.SeatID(seat)})
	case KindAccept:
		finish(x, 0, levelAgreed)
	case KindConcede:
		finish(x, rules.SeatsOf(rival(seat)), levelConceded)
	}
}

// checkOffer says why an offer may not be made (TY 7.4).
func (p *State) checkOffer(seat rules.Seat, k Kind) *rules.Refusal {
	switch {
	case k == KindDraw && p.seats[seat].offersDraw:
		return rules.Refuse("TY 7.4", "refuse.offered", "seat", seatText(seat))
	case k == KindAccept && !p.seats[rival(seat)].offersDraw:
		return rules.Refuse("TY 7.4", "refuse.no_offer")
	}
	return nil
}

// Ending says how the game ended; nil while it goes on.
func (p *State) Ending() *rules.Ending {
	if p.phase != PhaseOver {
		return nil
	}
	return &rules.Ending{
		Winners: p.end.winners, Level: p.end.level, Text: endText(p.end.winners, p.end.level),
		Scores: map[rules.Seat]int{Red: int(p.seats[Red].score), Blue: int(p.seats[Blue].score)},
	}
}
