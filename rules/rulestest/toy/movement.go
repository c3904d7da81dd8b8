package toy

import (
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// checkMove: one hex, once, before attacking (TY 4.1), into an empty hex (TY 4.2) of land (TY 4.3).
func (p *State) checkMove(seat rules.Seat, u Unit, to hex.Index) *rules.Refusal {
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	unit, name := &p.units[u], p.name(u)
	switch {
	case unit.moved:
		return rules.Refuse("TY 4.1", "refuse.moved", "unit", name).About(p.id(u))
	case unit.fought:
		return rules.Refuse("TY 4.1", "refuse.fought_no_move", "unit", name).About(p.id(u))
	}
	toID := p.hexID(to)
	if d := p.sc.board.Distance(unit.at, to); d != 1 {
		return rules.Refuse("TY 4.1", "refuse.too_far", "to", toID, "from", p.hexID(unit.at), "distance", d).At(toID)
	}
	return p.checkEnter(to)
}

// checkEnter says why no unit may enter a hex.
func (p *State) checkEnter(to hex.Index) *rules.Refusal {
	id := p.hexID(to)
	if p.sc.terrain[to] == water {
		return rules.Refuse("TY 4.3", "refuse.water", "to", id).At(id)
	}
	if other := p.unitAt(to); other != noUnit {
		return rules.Refuse("TY 4.2", "refuse.occupied", "to", id,
			"other", p.name(other)).At(id).About(p.id(other))
	}
	return nil
}

// checkOwn: a seat commands its own units.
func (p *State) checkOwn(seat rules.Seat, u Unit) *rules.Refusal {
	if p.owns(seat, u) {
		return nil
	}
	return rules.Refuse("", "refuse.not_own", "unit", p.name(u), "seat", seatText(seat)).
		For(rules.ReasonUnknownPiece).About(p.id(u))
}

// move moves a unit (TY 4.1).
func move(x *exec, u Unit, to hex.Index) {
	emit(x, &toyv1.Moved{Unit: x.Pos.id(u), From: x.Pos.hexID(x.Pos.units[u].at), To: x.Pos.hexID(to)})
	take(x, u)
}

// take gives a unit the outpost that it is in (TY 4.4).
func take(x *exec, u Unit) {
	p := x.Pos
	seat := p.sc.units[u].seat
	if o, ok := p.sc.outpostAt(p.units[u].at); ok && p.holders[o] != seat {
		emit(x, &toyv1.OutpostTaken{Hex: p.hexID(p.units[u].at), Seat: about.SeatID(seat)})
	}
}
