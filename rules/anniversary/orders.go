package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
)

// Standing orders: what a seat says in advance, so that it is not asked.

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
