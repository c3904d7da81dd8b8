package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// checkPlan: a plan names an outpost (TY 2.2).
func (p *State) checkPlan(to hex.Index) *rules.Refusal {
	if _, ok := p.sc.outpostAt(to); !ok {
		id := p.hexID(to)
		return rules.Refuse("TY 2.2", "refuse.plan", "hex", id).At(id)
	}
	return nil
}

// plan records a plan (TY 2.1). That it was made is public, what it is is not.
func plan(x *exec, seat rules.Seat, to hex.Index) {
	x.EmitTo(rules.OnlySeats(seat), fact(&toyv1.PlanMade{Seat: about.SeatID(seat), Hex: x.Pos.hexID(to)}))
	emit(x, &toyv1.PlanSealed{Seat: about.SeatID(seat)})
}

// checkScout: once in a game (TY 2.3).
func (p *State) checkScout(seat rules.Seat) *rules.Refusal {
	if p.seats[seat].scouted {
		return rules.Refuse("TY 2.3", "refuse.scouted", "seat", seatText(seat))
	}
	return nil
}

// scout rolls in secret and may learn the other seat's plan (TY 2.3). The record says that something may have
// been revealed whether or not it was, for it is public and the answer is not; and there is a report in any
// case, for the same reason.
func scout(x *exec, seat rules.Seat) {
	x.Reveal()
	emit(x, &toyv1.Scouted{Seat: about.SeatID(seat)})
	found := ""
	if x.RollTo(rules.OnlySeats(seat), 6, "scouting") >= 4 {
		found = x.Pos.hexID(x.Pos.seats[rival(seat)].plan)
	}
	x.EmitTo(rules.OnlySeats(seat), fact(&toyv1.ScoutReported{Seat: about.SeatID(seat), Hex: found}))
}
