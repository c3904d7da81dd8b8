package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Referee is the rules of Anniversary in their own types, for code that plays them without the service.
type Referee struct{}

var _ rules.Referee[*Position, Command, *event] = Referee{}

// seatInfos are the seats, by number; colours as the pieces suggest.
var seatInfos = []rules.SeatInfo{
	{ID: "germany", Side: "axis", Key: "seat.germany", Color: "#5a5a5a"},
	{ID: "japan", Side: "axis", Key: "seat.japan", Color: "#e6b937"},
	{ID: "italy", Side: "axis", Key: "seat.italy", Color: "#8a5a2b"},
	{ID: "soviet-union", Side: "allies", Key: "seat.soviet-union", Color: "#af2828"},
	{ID: "united-kingdom", Side: "allies", Key: "seat.united-kingdom", Color: "#c8a978"},
	{ID: "united-states", Side: "allies", Key: "seat.united-states", Color: "#4f7a28"},
}

// NewEvent is an empty event to decode into.
func (Referee) NewEvent() *event { return &event{} }

// New is the position before the first event: units and control as the scenario has them (AA 1.3.3, AA 1.3.4), nobody's turn.
func (Referee) New(s rules.Scenario, o rules.Options) *Position {
	return setup(s.(*Scenario), newOptions(o))
}

// Waiting is the set of seats that must decide.
func (Referee) Waiting(p *Position) rules.Seats {
	_, seats := p.ask()
	return seats
}

// Ending says how the game ended; nil while it goes on.
func (Referee) Ending(p *Position) *rules.Ending { return p.ending() }

// Turn is the round.
func (Referee) Turn(p *Position) int { return int(p.round) }

// Step takes the next automatic step.
func (Referee) Step(x *exec) bool {
	p := x.Pos
	if p.over() {
		return false
	}
	if a, _ := p.ask(); a != AskNothing {
		return false
	}
	p.stepOn(x)
	return true
}

// Decisions says what the game waits for, and the offers of every seat.
func (Referee) Decisions(p *Position) []rules.Decision {
	if p.over() {
		return nil
	}
	return p.decisions()
}

// CommandAudience is who may see the command itself: standing orders are their seat's secret.
func (Referee) CommandAudience(_ *Position, seat rules.Seat, c Command) rules.Audience {
	if c.Kind == KindStanding {
		return rules.OnlySeats(seat)
	}
	return rules.Everyone
}

// giveOrders records standing orders. Only their seat sees them, but for the consents, which decide what allies may do (AA 8.1.12).
func (p *Position) giveOrders(x *exec, seat rules.Seat, s *Standing) {
	o := &anniversaryv1.StandingOrders{
		Retreat: uint32(s.Retreat), Submarines: anniversaryv1.SubmarineOrder(s.Submarines), Bombard: s.Bombard, Divert: s.Divert, Agree: s.Agree,
		Carriers: anniversaryv1.Consent(s.Carriers), Transports: anniversaryv1.Consent(s.Transports),
	}
	for _, u := range s.Losses {
		o.Losses = append(o.Losses, protoUnit(u))
	}
	if had := &p.orders[seat]; had.carriers != s.Carriers || had.transports != s.Transports {
		x.Emit(fact(&anniversaryv1.ConsentsChanged{
			Power: protoPower(Power(seat)), Carriers: o.Carriers, Transports: o.Transports,
		}))
	}
	x.EmitTo(rules.OnlySeats(seat), fact(&anniversaryv1.OrdersGiven{Power: protoPower(Power(seat)), Orders: o}))
}

func checkStanding(s *Standing) *rules.Refusal {
	if s == nil || len(s.Losses) > int(NumUnits)+1 || s.Submarines > subsSubmerge || s.Carriers > AskFirst || s.Transports > AskFirst {
		return rules.Malformed("standing orders that can't be read")
	}
	seen := uint32(0)
	for _, u := range s.Losses {
		if u > Hull || u.in(seen|1<<Complex|1<<AAGun) {
			return rules.Malformed("an order of loss names each type that can be lost at most once")
		}
		seen |= 1 << u
	}
	return nil
}
