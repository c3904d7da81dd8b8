package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// noChoice is the seat whose question has its only answer given; NoSeat if it is always asked. Everyone can count the
// answers to every question of this game: only standing orders are hidden, and those answer questions themselves.
func (p *Position) noChoice() rules.Seat {
	if !p.opt.has(optForced) {
		return rules.NoSeat
	}
	ask, seats := p.ask()
	if ask == AskNothing || seats.Len() != 1 {
		return rules.NoSeat
	}
	for seat := range seats.Each {
		if !p.orders[seat].ask {
			return seat
		}
	}
	return rules.NoSeat
}

// forced says that the only answer is given for a seat.
func (p *Position) forced(x *exec, seat rules.Seat) {
	ask, _ := p.ask()
	emit(x, &anniversaryv1.ForcedAnswer{Power: protoPower(Power(seat)), Decision: questions[ask].id})
}
