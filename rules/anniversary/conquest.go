package anniversary

import anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"

// Capture and liberation (AA 10). Nothing else changes who controls a territory: it stays controlled when all units
// have left it (AA 2.6.2, AA 8.1.11).

// capture gives a territory that a power took to whom it belongs now, with guns and complex, the treasury of an enemy
// capital, and what reverts when a capital is liberated. Value and victory city follow at once (AA 3.2.1, AA 10.1.1,
// AA 10.1.2, AA 10.1.8), but no IPCs do (AA 10.1.3) except the treasury of a captured capital, which is taken like any
// territory (AA 10.3.1); liberating one seizes nothing (AA 10.3.7). Tokens of research stay with their power (AA
// 6.2.11).
func (p *Position) capture(x *exec, s Space, w Power) {
	owner, rule := p.heir(s, w)
	e := &anniversaryv1.TerritoryTaken{
		Territory: p.sc.SpaceID(s), By: protoPower(w), From: protoPower(p.owner[s]), To: protoPower(owner), Rule: rule,
	}
	list := p.gunsTo(nil, s, owner, func(k Key) bool { return k.Power().Side() != w.Side() })
	switch capital := p.sc.Spaces[s].Capital; {
	case capital >= NumSeats:
	case capital.Side() != w.Side():
		// AA 10.3.2, never from another holder, not for China, which has no purse
		if p.owner[s] == capital && w < NumSeats {
			e.Seized = uint32(p.ipc[capital])
		}
	default:
		list = p.revert(e, list, capital)
	}
	e.Changes = p.changes(list)
	emit(x, e)
}

// heir is who controls a territory that a power takes, and the paragraph that says so.
func (p *Position) heir(s Space, w Power) (Power, string) {
	c := &p.sc.ChinaRules
	switch {
	case w.Side() == Allies && c.Territories.Has(s):
		if w == China {
			return China, "AA 5.3.4"
		}
		return China, "AA 5.5.1"
	case w == China:
		return c.For, "AA 5.3.3" // also while London is lost
	}
	orig := p.originally(s, w.Side())
	switch {
	case orig == w:
		return w, "AA 10.2.4"
	case orig == NoPower || orig.Side() != w.Side():
		return w, "AA 10.1.1"
	case p.sc.Spaces[s].Capital == orig:
		return orig, "AA 10.3.4"
	case p.capitalLost(orig):
		return w, "AA 10.2.3"
	}
	return orig, "AA 10.2.1"
}

// originally is the original controller of a territory as far as a side is concerned (AA 2.9.1): in 1942 the power of a
// set-up marker for its own side (AA 2.9.3), unless printed symbols alone count (AA 16.3.4).
func (p *Position) originally(s Space, side Side) Power {
	if m := p.sc.Marker[s]; m != NoPower && m.Side() == side && !p.opt.has(optPrinted) {
		return m
	}
	return p.sc.Original[s]
}

// gunsTo adds guns in a territory that go to a power (AA 10.1.5, AA 10.2.2, AA 15.4.4, AA 15.4.6); they stay where
// they are this turn (AA 10.1.6). China keeps its guns as others do (AA 5.5.3).
func (p *Position) gunsTo(list []change, s Space, w Power, whose func(Key) bool) []change {
	for _, g := range p.at(s) {
		if g.Unit() == AAGun && g.Power() != w && whose(g.Key) {
			list = append(list, change{g.Key, g.ownedBy(w).mark(Captured), g.N})
		}
	}
	return list
}

// revert gives the owner of a liberated capital what is originally his and held by allies, with the complexes (AA
// 10.3.5). Guns stay with who has them (AA 10.3.6), but those captured this turn go to whoever controls the territory
// at its end (AA 15.4.6, AA 10.2.3).
func (p *Position) revert(e *anniversaryv1.TerritoryTaken, list []change, w Power) []change {
	for s := range p.sc.Land {
		o := p.owner[s]
		if o == NoPower || o == w || o.Side() != w.Side() || p.originally(s, w.Side()) != w {
			continue
		}
		e.Reverted = append(e.Reverted, &anniversaryv1.Transfer{Territory: p.sc.SpaceID(s), To: protoPower(w)})
		list = p.gunsTo(list, s, w, func(k Key) bool { return k.Has(Captured) })
	}
	return list
}
