package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Phase 5: Noncombat Move. Before it, defending fighters that lost their carrier find a place (AA 9.12.1); after it,
// air units without one are destroyed.

func (p *Position) askNoncombat() (Ask, rules.Seats) {
	if p.step != 0 {
		return AskNothing, 0
	}
	if w := p.homelessPower(); w != NoPower {
		z := p.homelessZone(w)
		if p.ordersOf(w).divert || p.refuges(w, z).Len() < 2 {
			return AskNothing, 0
		}
		return AskDivert, seatOf(w)
	}
	return AskNoncombat, seatOf(p.power)
}

// homeless counts a power's fighters over a sea zone that no carrier of its side holds: own carriers first, what is
// left of allies' goes to the powers in order.
func (p *Position) homeless(w Power, z Space) int {
	side := w.Side()
	t := &p.tallies[z][side]
	over := int(t.fighters) - deckSize*int(t.carriers)
	if over <= 0 {
		return 0
	}
	// Those without an own carrier go first, from the last power on.
	for v := China; ; v-- {
		f, c := p.count(keyOf(z, v, Fighter)), p.count(keyOf(z, v, Carrier))
		if v.Side() == side {
			n := min(over, max(0, f-c*deckSize))
			if v == w {
				return n
			}
			over -= n
		}
		if v == Germany {
			return 0
		}
	}
}

// homelessPower is the next enemy power with fighters to divert; NoPower if none.
func (p *Position) homelessPower() Power {
	for _, z := range p.sc.Zones {
		t := &p.tallies[z][p.side().Enemy()]
		if t.fighters <= deckSize*t.carriers {
			continue
		}
		for w := range NumPowers {
			if w.Side() != p.side() && p.homeless(w, z) > 0 {
				return w
			}
		}
	}
	return NoPower
}

func (p *Position) homelessZone(w Power) Space {
	for _, z := range p.sc.Zones {
		if p.homeless(w, z) > 0 {
			return z
		}
	}
	return NoSpace
}

// refuges are the spaces one step away where a fighter may land: friendly to its owner now, or with room on a carrier
// (AA 9.12.1, AA 15.7.3).
func (p *Position) refuges(w Power, z Space) SpaceSet {
	var set SpaceSet
	for _, s := range p.sc.Near[z] {
		if p.refuge(w, s) {
			set.Add(s)
		}
	}
	return set
}

func (p *Position) refuge(w Power, s Space) bool {
	if !p.sc.IsSea(s) {
		return p.owner[s].Side() == w.Side()
	}
	return p.freeDecks(w, s) > 0
}

// checkDivert: fighters that must, to where they may.
func (p *Position) checkDivert(c *Command) *rules.Refusal {
	w := p.homelessPower()
	n := Space(p.sc.Len())
	switch {
	case c.From >= n || c.To >= n || c.N == 0:
		return rules.Malformed("diverted fighters need a number and where they come from and go to")
	case c.Power != w && c.Power != NoPower:
		return rules.Refuse("AA 9.12.1", "refuse.not-homeless", "space", p.name(c.From))
	case p.homeless(w, c.From) < int(c.N):
		return p.refuseAt("AA 9.12.1", "refuse.not-homeless", c.From, "n", int(c.N), "homeless", p.homeless(w, c.From))
	case !p.sc.Around[c.From].Has(c.To) || !p.refuge(w, c.To):
		return p.refuseAt("AA 9.12.1", "refuse.no-refuge", c.To, "from", p.name(c.From))
	case p.sc.IsSea(c.To) && p.freeDecks(w, c.To) < int(c.N):
		return p.refuseAt("AA 12.3.4", "refuse.no-deck", c.To)
	}
	return nil
}

func (p *Position) divert(x *exec, w Power, from, to Space, n int) {
	k := keyOf(from, w, Fighter)
	emit(x, &anniversaryv1.FightersDiverted{
		Power: protoPower(w), Changes: p.changes([]change{{k, k.moveTo(to), uint16(n)}}),
	})
}

// stepDivert diverts where there is no choice, and destroys fighters without a refuge.
func (p *Position) stepDivert(x *exec) {
	w := p.homelessPower()
	z := p.homelessZone(w)
	n := p.homeless(w, z)
	for s := range p.refuges(w, z).Each {
		if p.sc.IsSea(s) {
			n = min(n, p.freeDecks(w, s))
		}
		if p.ordersOf(w).divert {
			x.Reveal()
		}
		p.divert(x, w, z, s, n)
		return
	}
	x.Emit(p.eventAirLost([]change{{before: keyOf(z, w, Fighter), n: uint16(n)}}, "AA 9.12.1"))
}

// checkEndNoncombat: air units that can land must have (AA 12.3.1), and carriers that can save fighters must come
// (AA 12.5.3, AA 8.3.8).
func (p *Position) checkEndNoncombat() *rules.Refusal {
	for _, g := range p.groups {
		w := g.Power()
		if w != p.power && !(w == China && p.chinaPlays()) || !g.Unit().In(scenario.AirUnits) ||
			g.Has(Done) && !p.sc.IsSea(g.At()) {
			continue
		}
		if !p.sc.IsSea(g.At()) && p.wasFriendly(g.At()) {
			continue
		}
		left := p.moves(w, g.Unit()) - int(g.Used())
		if !p.sc.IsSea(g.At()) && p.canReachHome(w, g.At(), left) ||
			g.Unit() == Bomber && p.canReachHome(w, g.At(), left) {
			return p.refuseAt("AA 12.3.1", "refuse.must-land", g.At(), "unit", unitName(g.Unit()), "n", int(g.N))
		}
	}
	for _, z := range p.sc.Zones {
		d := p.decksAt(p.power, z, false)
		if d.used <= d.own+d.allied {
			continue
		}
		for _, g := range p.at(z) {
			if g.Power() == p.power && g.Unit() == Fighter && !g.Has(Done) &&
				p.canReachHome(p.power, z, p.moves(p.power, Fighter)-int(g.Used())) && !p.waits(z) {
				return p.refuseAt("AA 12.3.1", "refuse.must-land", z, "unit", unitName(Fighter),
					"n", d.used-d.own-d.allied)
			}
		}
	}
	if could, are := p.rescued(p.power), p.landed(p.power); could > are {
		return rules.Refuse("AA 12.5.3", "refuse.carrier-must-come", "n", could-are)
	}
	return nil
}

// waits reports whether fighters over a zone may wait for a new carrier.
func (p *Position) waits(z Space) bool {
	if p.pool[p.power][Carrier] == 0 {
		return false
	}
	for _, s := range p.sc.LandNear[z] {
		if p.roomAt(p.power, s) > 0 {
			return true
		}
	}
	return false
}

// canReachHome reports whether territory that was friendly is within reach.
func (p *Position) canReachHome(w Power, s Space, left int) bool {
	if w == China {
		return p.canReturn(China, Fighter, s, left, &proof{})
	}
	return int(p.home[s]) <= left
}

// strand destroys air units without a landing place (AA 12.3.7) and marks those that wait for a new carrier (AA
// 12.3.5); false if none exist.
func (p *Position) strand(x *exec) bool {
	var lost, wait []change
	for _, g := range p.groups {
		if w := g.Power(); g.Unit().In(scenario.AirUnits) && (w == p.power ||
			w == China && p.chinaPlays()) && !p.sc.IsSea(g.At()) && !p.wasFriendly(g.At()) {
			lost = append(lost, change{before: g.Key, n: g.N})
		} else if g.Unit() == Bomber && w == p.power && p.sc.IsSea(g.At()) {
			lost = append(lost, change{before: g.Key, n: g.N})
		}
	}
	carriers := int(p.pool[p.power][Carrier])
	var ports [MaxSpaces]uint8
	for _, z := range p.sc.Zones {
		d := p.decksAt(p.power, z, false)
		over := d.used - d.own - d.allied
		if over <= 0 {
			continue
		}
		places := p.promised(z, over, &carriers, &ports)
		for _, g := range p.at(z) {
			if g.Power() != p.power || g.Unit() != Fighter || over <= 0 || g.Has(Waiting) {
				continue
			}
			n := min(int(g.N), over)
			over -= n
			waiting := min(n, places)
			places -= waiting
			wait = append(wait, change{g.Key, g.mark(Waiting), uint16(waiting)})
			if n > waiting {
				lost = append(lost, change{before: g.Key, n: uint16(n - waiting)})
			}
		}
	}
	if len(p.changes(wait)) > 0 {
		x.Emit(p.eventMoved(p.power, false, nil, wait, NoSpace, false))
	}
	if len(lost) > 0 {
		x.Emit(p.eventAirLost(lost, "AA 12.3.7"))
	}
	return len(lost) > 0
}

// promised is how many of so many fighters new carriers in a zone can take, and counts the carriers.
func (p *Position) promised(z Space, over int, carriers *int, ports *[MaxSpaces]uint8) int {
	places := 0
	for _, s := range p.sc.LandNear[z] {
		for places < over && *carriers > 0 && p.roomAt(p.power, s) > int(ports[s]) {
			ports[s]++
			*carriers--
			places += deckSize
		}
	}
	return min(places, over)
}

// drown destroys fighters whose new carrier did not come; false if none exist (AA 12.3.7).
func (p *Position) drown(x *exec) bool {
	var lost []change
	for _, z := range p.sc.Zones {
		d := p.decksAt(p.power, z, false)
		over := d.used - d.own - d.allied
		for _, g := range p.at(z) {
			if g.Power() == p.power && g.Unit() == Fighter && over > 0 {
				n := min(int(g.N), over)
				over -= n
				lost = append(lost, change{before: g.Key, n: uint16(n)})
			}
		}
	}
	if len(lost) == 0 {
		return false
	}
	x.Emit(p.eventAirLost(lost, "AA 12.3.7"))
	return true
}
