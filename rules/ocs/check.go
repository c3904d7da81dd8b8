package ocs

import (
	"github.com/warledger/warledger/rules"
)

// commandRule is how a kind of command is checked, carried out and listed. Check is the only place where its legality
// is decided; play is called only after it passed; list yields what passes it, see lister.
type commandRule struct {
	check func(*Position, rules.Seat, *Command) *rules.Refusal
	play  func(*Position, *exec, rules.Seat, *Command)
	list  func(*lister)
}

// free is the check of a kind that whoever is asked may always give.
func free(*Position, rules.Seat, *Command) *rules.Refusal { return nil }

// chapters are the tables of commands of the chapters of the rulebook. The commands of the war on land name land units
// only (OCS 3.0).
func chapters() [9]chapter {
	return [...]chapter{
		{sequenceCommand, true}, {movementCommand, true}, {combatCommand, true}, {supplyCommand, true},
		{worksCommand, true},
		{airCommand, false}, {optionCommand, false}, {seaCommand, false}, {landingCommand, false},
	}
}

// chapter is the commands of some chapters, and whether they name land units only.
type chapter struct {
	command  func(Kind) (commandRule, bool)
	landOnly bool
}

// ruleOf finds how a kind of command is handled: in the table of its chapters, which say whether it names land units
// only.
func ruleOf(k Kind) (r commandRule, landOnly bool) {
	for _, c := range chapters() {
		if r, ok := c.command(k); ok {
			return r, c.landOnly
		}
	}
	return commandRule{}, false
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
		switch a, seats := p.ask(); {
		case !seats.Has(seat):
			return notAsked(seat)
		case !c.Kind.answers(a):
			return refuseAsked("refuse.asked-else", seat)
		}
	}
	if _, ok := p.top().(*correction); ok {
		if r := p.checkCorrection(seat, c); r != nil {
			return r
		}
	}
	rule, landOnly := ruleOf(c.Kind)
	if landOnly && !(c.Kind == KindOrders && c.Choice == orderGrounded) {
		if r := p.landOnly(c); r != nil {
			return r
		}
	}
	if p.together {
		if r := p.checkQuiet(seat, c); r != nil {
			return r
		}
	}
	return rule.check(p, seat, c)
}

// checkQuiet says what a simultaneous turn rules out: combat (OCS 2.4-2), and moves into hexes with anything of the
// enemy's (OCS 2.4-3). The segments of barrage and attack are not played in it.
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
			// landing craft pay (OCS 18.4c)
			if u != NoUnit && !p.counter(u).Kind.Land() && !(u == l.Unit && p.isCraft(u)) {
				return rules.Malformed("unit %s is no land unit", p.id(u)).For(rules.ReasonUnknownPiece).About(p.id(u))
			}
		}
	}
	return nil
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

func notAsked(seat rules.Seat) *rules.Refusal { return refuseAsked("refuse.not-asked", seat) }

// refuseAsked refuses a command that answers nothing of what the seat is asked.
func refuseAsked(key string, seat rules.Seat) *rules.Refusal {
	name := "-"
	if seat < numSeats {
		name = "@seat." + seatIDs[seat]
	}
	return rules.Refuse("OCS 2.1", key, "seat", name).For(rules.ReasonNotYourDecision)
}
