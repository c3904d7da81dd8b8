package downfall

import "github.com/warledger/warledger/rules"

// Row writes a command in numbers.
func (p *Position) Row(seat rules.Seat, c Command, row []int16) {
	u, h := c.Unit, c.Hex
	var target Unit = NoUnit
	count, units := int(c.Count), c.Units
	detail := c.Detail
	switch c.Kind {
	case KindShot:
		target = c.Other
		h = p.place[target].Hex()
	case KindBombard, KindTarget, KindBomb:
		u, target = NoUnit, c.Unit
	case KindLand:
		h = p.ownPlan(seat, p.ixHex)
		units = p.tab.landing
	case KindDrop:
		u, h = p.sc.Infantry11, p.ownPlan(seat, p.dropHex)
	case KindSupport, KindAdvance:
		h = p.fight.target
	case KindDeclare:
		h = p.decl.target
	case KindHold:
		u = p.fight.shooter
	case KindZones, KindRemove, KindPlan:
		count = int(c.Detail & 0xFF)
	}
	row[rules.RowKind] = int16(c.Kind) - 1
	row[rules.RowPiece], row[rules.RowTarget] = pieceNumber(u), pieceNumber(target)
	row[rules.RowFrom], row[rules.RowTo] = int16(p.space(Place(c.From))), int16(p.space(Place(h)))
	if c.From == NoHex && int(u) < len(p.sc.Units) {
		row[rules.RowFrom] = int16(p.space(p.place[u]))
	}
	if u == NoUnit && units != 0 {
		row[rules.RowPiece] = pieceNumber(units.First())
	}
	row[rules.RowCount], row[rules.RowCost] = int16(count), int16(p.price(c))
	if c.Routes != nil {
		units, detail = p.rowRoutes(*c.Routes, row)
	}
	if units == 0 && int(u) < len(p.sc.Units) {
		units = bit(u)
	}
	p.rowUnits(units, row)
	for i := range 4 {
		row[rowBits+i] = int16(units >> (16 * i))
		row[rowDetail+i] |= int16(detail >> (16 * i))
	}
}

// ownPlan is a planned hex for the seat that planned it; NoHex for the other, to which it is a secret.
func (p *Position) ownPlan(seat rules.Seat, h Hex) Hex {
	if seat != US {
		return NoHex
	}
	return h
}

func pieceNumber(u Unit) int16 {
	if u == NoUnit {
		return -1
	}
	return int16(u)
}

// rowRoutes writes where units withdraw to, and gives the units.
func (p *Position) rowRoutes(routes []Route, row []int16) (units UnitSet, detail uint64) {
	for i := range routes {
		units |= bit(routes[i].Unit)
		if i < 4 {
			row[rowDetail+i] = int16(p.space(Place(routes[i].end())))
		}
	}
	if len(routes) > 0 {
		row[rules.RowPiece] = pieceNumber(routes[0].Unit)
		row[rules.RowTo] = row[rowDetail]
	}
	return units, 0
}

// rowUnits writes how many units take part and how strong they are.
func (p *Position) rowUnits(units UnitSet, row []int16) {
	strength := 0
	for rest := units; rest != 0; rest &= rest - 1 {
		if u := rest.First(); int(u) < len(p.sc.Units) {
			strength += p.sc.Units[u].Strength[min(int(p.steps[u]), 2)]
		}
	}
	row[rowUnits], row[rowStrength] = int16(units.Len()), rules.Short(strength)
}
