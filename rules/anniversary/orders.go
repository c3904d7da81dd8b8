package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Standing orders: what a seat says in advance, so that it is not asked.

// giveOrders records standing orders. Only their seat sees them, but for the consents, which decide what allies may do
// (AA 8.1.12).
func (p *Position) giveOrders(x *exec, seat rules.Seat, s *standing) {
	o, power := s.message(), protoPower(Power(seat))
	if had := &p.orders[seat]; had.carriers != s.carriers || had.transports != s.transports {
		emit(x, &anniversaryv1.ConsentsChanged{Power: power, Carriers: o.Carriers, Transports: o.Transports})
	}
	x.EmitTo(rules.OnlySeats(seat), fact(&anniversaryv1.OrdersGiven{Power: power, Orders: o}))
}

func checkStanding(s *standing) *rules.Refusal {
	if s == nil || int(s.n) > len(s.losses) || s.subs > subsSubmerge || s.carriers > AskFirst ||
		s.transports > AskFirst {
		return rules.Malformed("standing orders that can't be read")
	}
	seen := uint32(0)
	for _, u := range s.losses[:s.n] {
		if u > Hull || u.In(seen|1<<Complex|1<<AAGun) {
			return rules.Malformed("an order of loss names each type that can be lost at most once")
		}
		seen |= 1 << u
	}
	return nil
}
