package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Known puts the same in the place of everything of the other side that a viewer does not see (OCS 4.9a): what lies
// under the top of its stacks is not there, what is on top is at full strength with nothing of what marks do not show,
// dumps in the open are 1 SP and others none, and its numbers are 0. A procedure of the other side, and what it
// interrupts, is left out, so that nothing is concluded from it.
func (p *Position) Known(v rules.Viewer) (*Position, []rules.Text) {
	k, veiled := p.Clone(), false
	for seat := range numSeats {
		if v.Holds(seat) {
			continue
		}
		veiled = true
		p.veilUnits(k, v, seat)
		for i := range k.cells {
			k.cells[i].ground[seat] = p.knownGround(seat, i)
			if k.cells[i].owner == seat {
				k.cells[i].flown, k.cells[i].handled, k.cells[i].shipped = 0, 0, 0
			}
		}
		k.registers[seat], k.limited[seat] = [numRegisters]int32{}, nil
	}
	if !veiled {
		return k, nil
	}
	k.veiled = true
	k.taint = k.taint[:0]
	for _, t := range p.taint {
		if v.Holds(t.seat) {
			k.taint = append(k.taint, t)
		}
	}
	k.motion = nil
	for _, u := range p.motion {
		if v.Holds(p.units[u].seat) {
			k.motion = append(k.motion, u)
		}
	}
	k.frames = k.frames[:0]
	for _, f := range p.frames {
		if !v.Holds(f.base().seat) {
			break
		}
		k.frames = append(k.frames, p.knownFrame(v, f))
	}
	return k, []rules.Text{rules.Say("assume.stacks"), rules.Say("assume.supply")}
}

// veilUnits changes the units of a seat in a copy to what a viewer sees of them.
func (p *Position) veilUnits(k *Position, v rules.Viewer, seat rules.Seat) {
	for i := range p.units {
		u, s := Unit(i), &p.units[i]
		if s.seat != seat {
			continue
		}
		fresh := freshUnit(p.sc, s.counter)
		switch p.sees(v, u) {
		case unseen:
			if i >= p.sc.Fixed {
				fresh.place = Gone
			}
		case topOnly:
			fresh.place, fresh.origin, fresh.face, fresh.marker = p.seenAt(u, topOnly), p.seenAt(u, topOnly),
				s.face, s.marker
			if !p.sc.Counters[s.counter].Kind.Land() { // which side is up shows (OCS 4.8b-E)
				fresh.lost, fresh.points = s.lost, s.points
			}
			if s.marks.has(ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) {
				fresh.marks = 1 << ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY
			}
		default:
			continue
		}
		k.set(u, fresh)
	}
}

// untold reports whether a piece is left out of the notation of what a viewer knows: it is gone, and so are all of its
// kind that were made later. Otherwise these lines would count the pieces that lie hidden (OCS 4.9a).
func (p *Position) untold(u Unit) bool {
	if !p.veiled || int(u) < p.sc.Fixed {
		return false
	}
	return !slices.ContainsFunc(p.units[u:], func(s unit) bool {
		return s.counter == p.units[u].counter && s.place != Gone
	})
}

// knownGround is what is assumed to lie in a place.
func (p *Position) knownGround(seat rules.Seat, i int) uint16 {
	if c := &p.cells[i]; c.ground[seat] > 0 && c.pieces[seat] == 0 {
		return oneSP
	}
	return 0
}

// knownFrame is a procedure of the viewer without enemies that it does not see; what is on top of them leads them.
func (p *Position) knownFrame(v rules.Viewer, f frame) frame {
	switch f := f.(type) {
	case *combat:
		k := *f
		k.defence, k.defenders = p.knownEnemy(v, f.defence), p.knownEnemies(v, f.defenders)
		return &k
	case *airCombat:
		k := *f
		k.defender, k.defenders = p.knownEnemy(v, f.defender), p.knownEnemies(v, f.defenders)
		return &k
	case *evasion:
		k := *f
		k.hq = p.knownEnemy(v, f.hq)
		return &k
	}
	return f
}

// knownEnemy is a unit of the other side, or what lies on top of it if the viewer does not see it.
func (p *Position) knownEnemy(v rules.Viewer, u Unit) Unit {
	if u != NoUnit && p.sees(v, u) == unseen {
		return p.topOf(p.units[u].seat, p.units[u].place)
	}
	return u
}

// knownEnemies are those of some units of the other side that the viewer sees.
func (p *Position) knownEnemies(v rules.Viewer, list []Unit) (seen []Unit) {
	for _, u := range list {
		if p.sees(v, u) != unseen {
			seen = append(seen, u)
		}
	}
	return seen
}
