package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// openAsks are the questions whose answers everyone can count. Not among them are those about plans, orders and bombs,
// and the actions of the United States, which depend on them (Part 3).
const openAsks = 1<<AskZones | 1<<AskRemove | 1<<AskLosses | 1<<AskAirSupply | 1<<AskDeclare | 1<<AskSupport |
	1<<AskBombard | 1<<AskFire | 1<<AskBreak | 1<<AskWithdraw | 1<<AskAdvance | 1<<AskExcess

// noChoice is the seat whose question has its only answer given; NoSeat if it is always asked.
func (p *Position) noChoice() rules.Seat {
	if !p.on(ForcedChoices) {
		return rules.NoSeat
	}
	ask, seat := p.ask()
	if openAsks&(1<<ask) == 0 && !(ask == AskActions && seat == Japan) {
		return rules.NoSeat
	}
	if p.ordered(seat, orderForced) == choiceAsk {
		return rules.NoSeat
	}
	return seat
}

// forced says that the only answer is given for a seat.
func (p *Position) forced(x *exec, seat rules.Seat) {
	ask, _ := p.ask()
	emit(x, &downfallv1.ForcedAnswer{Seat: seatIDs[seat], Decision: questions[ask].id})
}
