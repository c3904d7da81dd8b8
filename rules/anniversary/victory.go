package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Victory (AA 3.2). A city belongs to whoever controls its territory (AA 3.2.1).

// checkVictory ends the game after a round if a side has enough cities (AA 3.2.2); false if it goes on.
func (p *Position) checkVictory(x *exec) bool {
	for _, side := range [2]Side{Axis, Allies} {
		if p.citiesOf(side) >= int(p.opt.cities) {
			p.end(x, side, anniversaryv1.GameEnd_GAME_END_CITIES)
			return true
		}
	}
	return false
}

func (p *Position) end(x *exec, winner Side, how anniversaryv1.GameEnd) {
	emit(x, &anniversaryv1.GameEnded{
		Axis: winner == Axis, End: how, Cities: uint32(p.citiesOf(winner)),
	})
}

// seatsOf are the seats of a side.
func seatsOf(side Side) rules.Seats {
	var s rules.Seats
	for w := range NumSeats {
		if w.Side() == side {
			s |= seatOf(w)
		}
	}
	return s
}

// concede records that a seat gives up, or no longer does. When every seat of a side has, the other side wins.
func (p *Position) concede(x *exec, seat rules.Seat, yes bool) {
	w := Power(seat)
	emit(x, &anniversaryv1.ConcessionChanged{Power: protoPower(w), Conceded: yes})
	if all := seatsOf(w.Side()); p.conceded&all == all {
		p.end(x, w.Side().Enemy(), anniversaryv1.GameEnd_GAME_END_CONCESSION)
	}
}
