package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
)

//go:generate go run ../../../internal/facts

// Makers of events. An event names units and hexes by id and says what came of it, so that folding it needs no rules.

func initiativeWon(seat rules.Seat, roll int) *toyv1.Event {
	return fact(&toyv1.InitiativeWon{Seat: about.SeatID(seat), Roll: uint32(roll)})
}

func planMade(seat rules.Seat, hex string) *toyv1.Event {
	return fact(&toyv1.PlanMade{Seat: about.SeatID(seat), Hex: hex})
}

func planSealed(seat rules.Seat) *toyv1.Event {
	return fact(&toyv1.PlanSealed{Seat: about.SeatID(seat)})
}

func turnBegan(turn uint8) *toyv1.Event {
	return fact(&toyv1.TurnBegan{Turn: uint32(turn)})
}

func playerTurnBegan(seat rules.Seat) *toyv1.Event {
	return fact(&toyv1.PlayerTurnBegan{Seat: about.SeatID(seat)})
}

func moved(unit, from, to string) *toyv1.Event {
	return fact(&toyv1.Moved{Unit: unit, From: from, To: to})
}

func attackBegan(unit, target string) *toyv1.Event {
	return fact(&toyv1.AttackBegan{Unit: unit, Target: target})
}

func attackRolled(roll, modifier int, result toyv1.AttackResult) *toyv1.Event {
	return fact(&toyv1.AttackRolled{Roll: uint32(roll), Modifier: int32(modifier), Result: result})
}

func stepLost(unit string, left int) *toyv1.Event {
	return fact(&toyv1.StepLost{Unit: unit, Left: uint32(left)})
}

func retreated(unit, from, to string) *toyv1.Event {
	return fact(&toyv1.Retreated{Unit: unit, From: from, To: to})
}

func pursued(unit, to string) *toyv1.Event {
	return fact(&toyv1.Pursued{Unit: unit, To: to})
}

func attackEnded() *toyv1.Event {
	return fact(&toyv1.AttackEnded{})
}

func scouted(seat rules.Seat) *toyv1.Event {
	return fact(&toyv1.Scouted{Seat: about.SeatID(seat)})
}

func scoutReported(seat rules.Seat, hex string) *toyv1.Event {
	return fact(&toyv1.ScoutReported{Seat: about.SeatID(seat), Hex: hex})
}

func rallied(unit string, steps int) *toyv1.Event {
	return fact(&toyv1.Rallied{Unit: unit, Steps: uint32(steps), Supply: uint32(steps)})
}

func outpostTaken(hex string, seat rules.Seat) *toyv1.Event {
	return fact(&toyv1.OutpostTaken{Hex: hex, Seat: about.SeatID(seat)})
}

func playerTurnEnded(seat rules.Seat) *toyv1.Event {
	return fact(&toyv1.PlayerTurnEnded{Seat: about.SeatID(seat)})
}

func scored(red, blue int) *toyv1.Event {
	return fact(&toyv1.Scored{Red: uint32(red), Blue: uint32(blue)})
}

func planRevealed(seat rules.Seat, hex string, points int) *toyv1.Event {
	return fact(&toyv1.PlanRevealed{Seat: about.SeatID(seat), Hex: hex, Points: uint32(points)})
}

func drawOffered(seat rules.Seat) *toyv1.Event {
	return fact(&toyv1.DrawOffered{Seat: about.SeatID(seat)})
}

func gameEnded(winners rules.Seats, level string) *toyv1.Event {
	m := &toyv1.GameEnded{Level: level}
	for seat := range winners.Each {
		m.Winners = append(m.Winners, about.SeatID(seat))
	}
	return fact(m)
}
