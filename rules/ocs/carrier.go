package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Carriers (OCS 18.2). The air units that bear the name of a carrier are aboard it while they do not fly: their place
// is Aboard, so that they go where it goes (OCS 18.2d). They return to it alone, and only while it has room.

// damagedRefits is how many air units a damaged carrier refits in a phase (OCS 18.2c).
const damagedRefits = 2

// deck are the air units aboard a carrier.
func (p *Position) deck(carrier Unit) (list []Unit) {
	for _, u := range p.sc.tab.planes[p.units[carrier].seat] {
		if p.carrierOf(u) == carrier {
			list = append(list, u)
		}
	}
	return list
}

// deckOf is the place of the carrier of an air unit, if it floats and has room for one more, Nowhere
// otherwise (OCS 18.2a).
func (p *Position) deckOf(u Unit) Place {
	on := p.sc.homeOf(u)
	if on == NoUnit || !p.units[on].place.onMap() {
		return Nowhere
	}
	others := len(p.deck(on))
	if p.carrierOf(u) == on {
		others--
	}
	if others >= p.counter(on).Ship.Planes {
		return Nowhere
	}
	return p.units[on].place
}

// embark puts an air unit aboard its carrier, if it is one of a carrier's group: moving it to the place of its base
// has been said already.
func (p *Position) embark(c *changes, u Unit) {
	if on := p.sc.homeOf(u); on != NoUnit {
		m := c.unit(u)
		m.Place, m.Aboard = proto.String(p.sc.PlaceID(Aboard)), proto.String(p.id(on))
	}
}

// waitingDeck are the inactive air units of a carrier that wait for the choice of its owner: a damaged one refits two,
// and there are more (OCS 18.2c).
func (p *Position) waitingDeck(carrier Unit) (list []Unit) {
	for _, u := range p.deck(carrier) {
		if !p.active(u) {
			list = append(list, u)
		}
	}
	return list
}

// refitDecks refits the air units of carriers without supply (OCS 18.2b): all of them, of a damaged one two at most.
// Where there are more the owner chooses, see checkRefitAboard.
func (p *Position) refitDecks(x *exec) {
	for seat := range numSeats {
		if !p.acts(seat) && p.phasing != seat {
			continue
		}
		for _, on := range p.carriers(seat) {
			if list := p.waitingDeck(on); len(list) > 0 && (p.units[on].lost == 0 || len(list) <= damagedRefits) {
				p.refitDeck(x, seat, on, list)
			}
		}
	}
}

// carriers are the carriers of a seat that float.
func (p *Position) carriers(seat rules.Seat) (list []Unit) {
	for _, u := range p.sc.tab.fleet[seat] {
		if p.carries(u) && p.units[u].place.onMap() {
			list = append(list, u)
		}
	}
	return list
}

func (p *Position) refitDeck(x *exec, seat rules.Seat, on Unit, list []Unit) {
	c := p.changed()
	for _, u := range list {
		m := c.unit(u)
		m.Unset = append(m.Unset, ocsv1.UnitMark_UNIT_MARK_INACTIVE)
	}
	c.mark(on, ocsv1.UnitMark_UNIT_MARK_DECK_USED)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_AirRefitted{AirRefitted: &ocsv1.AirRefitted{
		Seat: seatIDs[seat], At: p.sc.PlaceID(p.units[on].place), Units: p.ids(list),
	}}})
}

// mayEndRefit says why the Aircraft Refit Phase may not end: carriers refit by themselves, so that the owner of a
// damaged one has to choose (OCS 18.2c).
func (p *Position) mayEndRefit(seat rules.Seat) *rules.Refusal {
	if p.segment != SegRefit {
		return nil
	}
	for _, on := range p.carriers(seat) {
		if p.choosesDeck(on) {
			return rules.Refuse("OCS 18.2c", "refuse.deck-choice", "unit", p.unitName(on),
				"n", damagedRefits).About(p.id(on))
		}
	}
	return nil
}

// choosesDeck reports whether the owner of a damaged carrier has to choose which air units it refits.
func (p *Position) choosesDeck(on Unit) bool {
	return p.units[on].lost > 0 && !p.has(on, ocsv1.UnitMark_UNIT_MARK_DECK_USED) &&
		len(p.waitingDeck(on)) > damagedRefits
}

// checkRefitAboard says why air units of a damaged carrier may not be refitted: two of them, chosen
// together (OCS 18.2c).
func (p *Position) checkRefitAboard(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Units) == 0 {
		return rules.Malformed("a refit names air units")
	}
	on := p.carrierOf(c.Units[0])
	for i, u := range c.Units {
		switch {
		case p.units[u].seat != seat || !p.isPlane(u) || p.carrierOf(u) == NoUnit || p.carrierOf(u) != on ||
			slices.Contains(c.Units[:i], u):
			return rules.Refuse("OCS 18.2c", "refuse.not-on-deck", "unit", p.unitName(u)).About(p.id(u))
		case p.active(u):
			return rules.Refuse("OCS 18.2b", "refuse.is-active", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if !p.choosesDeck(on) || len(c.Units) != damagedRefits {
		return rules.Refuse("OCS 18.2c", "refuse.deck-choice", "unit", p.unitName(on),
			"n", damagedRefits).About(p.id(on))
	}
	return nil
}

func (p *Position) playRefitAboard(x *exec, seat rules.Seat, cmd *Command) {
	p.refitDeck(x, seat, p.carrierOf(cmd.Units[0]), cmd.Units)
}

// listRefitAboard lists each pair of air units of a damaged carrier.
func listRefitAboard(l *lister) {
	p := l.p
	for _, on := range p.carriers(l.seat) {
		if !p.choosesDeck(on) {
			continue
		}
		list := p.waitingDeck(on)
		for i, u := range list {
			for _, v := range list[i+1:] {
				c := only(KindRefitAboard)
				c.Units = []Unit{u, v}
				l.checked(c)
			}
		}
	}
}

// carriersIn are the carriers of a seat in a place.
func (p *Position) carriersIn(seat rules.Seat, at Place) (list []Unit) {
	for _, u := range p.carriers(seat) {
		if p.units[u].place == at {
			list = append(list, u)
		}
	}
	return list
}

// showsDeck reports whether the enemy of a seat sees that a carrier is in a hex: by an active air unit on it, for a
// carrier is an air base of its air units (OCS 18.2d).
func (p *Position) showsDeck(seat rules.Seat, at Place) bool {
	top := p.topPlane(seat, at)
	return top != NoUnit && p.carrierOf(top) != NoUnit
}
