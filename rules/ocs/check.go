package ocs

import (
	"github.com/warledger/warledger/rules"
)

// ruleOf finds how a kind of command is handled: in the table of its chapters.
func ruleOf(k Kind) commandRule {
	for _, table := range [...]func(Kind) (commandRule, bool){sequenceCommand, movementCommand, combatCommand, supplyCommand, worksCommand, airCommand, optionCommand, seaCommand, landingCommand} {
		if r, ok := table(k); ok {
			return r
		}
	}
	return commandRule{}
}

// check says why a command may not be carried out now; nil if it may.
func (p *Position) check(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Kind == KindNone || c.Kind >= numKinds {
		return rules.Malformed("the command has no kind")
	}
	if seat >= numSeats || p.over() {
		return notAsked(seat)
	}
	if r := p.sound(c); r != nil {
		return r
	}
	if !kinds[c.Kind].Offer {
		if a, seats := p.ask(); !c.Kind.answers(a) || !seats.Has(seat) {
			return notAsked(seat)
		}
	}
	if _, ok := p.top().(*correction); ok {
		if r := p.checkCorrection(seat, c); r != nil {
			return r
		}
	}
	if c.Kind < KindSweep {
		if r := p.landOnly(c); r != nil {
			return r
		}
	}
	if p.together {
		if r := p.checkQuiet(seat, c); r != nil {
			return r
		}
	}
	return ruleOf(c.Kind).check(p, seat, c)
}

// checkQuiet says what a simultaneous turn rules out: combat (OCS 2.4-2), and moves into hexes with anything of the enemy's (OCS 2.4-3). The segments of
// barrage and attack are not played in it.
func (p *Position) checkQuiet(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Kind == KindOverrun {
		return rules.Refuse("OCS 2.4-2", "refuse.quiet-combat")
	}
	if c.Kind == KindSweep || c.Kind == KindHipShoot || c.Kind == KindAirdrop && p.enemyHolds(seat, c.At) {
		return rules.Refuse("OCS 2.4-3", "refuse.quiet-flight")
	}
	for _, at := range c.Path {
		if p.enemyHolds(seat, at) {
			id := p.sc.PlaceID(at)
			return rules.Refuse("OCS 2.4-3", "refuse.quiet-move", "hex", id).At(id)
		}
	}
	return nil
}

// landOnly checks that a command of the land war names no air unit or ship.
func (p *Position) landOnly(c *Command) *rules.Refusal {
	for _, u := range append([]Unit{c.Unit, c.Other}, c.Units...) {
		if u != NoUnit && !p.counter(u).Kind.Land() {
			return rules.Malformed("unit %s is no land unit", p.id(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
		}
	}
	for _, l := range c.Lines {
		for _, u := range [...]Unit{l.Unit, l.By} {
			if u != NoUnit && !p.counter(u).Kind.Land() && !(u == l.Unit && p.isCraft(u)) { // landing craft pay (OCS 18.4c)
				return rules.Malformed("unit %s is no land unit", p.id(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
			}
		}
	}
	return nil
}

// enemyHolds reports whether a place has enemy pieces, supply or facilities in it (OCS 4.4c).
func (p *Position) enemyHolds(seat rules.Seat, at Place) bool {
	if !at.onMap() {
		return false
	}
	c, foe := p.cell(at), enemy(seat)
	port := at.Hex() != NoHex && p.sc.Hexes[at.Hex()].Port > 0
	return c.pieces[foe] > 0 || c.ground[foe] > 0 || p.anyShip(foe, at) || c.owner == foe && (c.hedgehog > 0 || c.base > 0 || port)
}

// sound checks that a command names units and places that there are, whoever made it.
func (p *Position) sound(c *Command) *rules.Refusal {
	units := append([]Unit{c.Unit, c.Other}, c.Units...)
	places := append([]Place{c.From, c.At}, c.Path...)
	for _, l := range c.Lines {
		units, places = append(units, l.Unit, l.By), append(places, l.At)
	}
	for _, u := range units {
		if u != NoUnit && int(u) >= len(p.units) {
			return rules.Malformed("the command names a unit that is not in the game").For(rules.ReasonUnknownPiece)
		}
	}
	for _, at := range places {
		if at != Nowhere && p.sc.PlaceID(at) == "" {
			return rules.Malformed("the command names a place that is not on the map").For(rules.ReasonUnknownSpace)
		}
	}
	return nil
}

func notAsked(seat rules.Seat) *rules.Refusal {
	name := "-"
	if seat < numSeats {
		name = "@seat." + seatIDs[seat]
	}
	return rules.Refuse("OCS 2.1", "refuse.not-asked", "seat", name).For(rules.ReasonNotYourDecision)
}
