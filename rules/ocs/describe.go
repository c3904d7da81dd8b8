package ocs

import (
	"slices"

	"github.com/warledger/warledger/rules"
)

// names reports whether a command names a unit. It must agree with the pieces of describe.
func (c *Command) names(u Unit) bool {
	return u != NoUnit && (c.Unit == u || c.Other == u || slices.Contains(c.Units, u))
}

// touches reports whether a command aims at a place. It must agree with the spaces of describe.
func (c *Command) touches(at Place) bool {
	if at == Nowhere {
		return false
	}
	if n := len(c.Path); n > 0 && c.Path[n-1] == at || c.From == at || c.At == at {
		return true
	}
	return slices.ContainsFunc(c.Lines, func(l Line) bool { return l.At == at })
}

// Describe says what a command does and touches: those who pay first, the target last.
func (p *Position) Describe(seat rules.Seat, c Command) rules.Description {
	d := rules.Description{Kind: kinds[c.Kind].ID, Pieces: p.ids(c.Units), Forgoes: c.Kind == KindEnd}
	d.Idle = p.idle(c.Kind)
	for _, u := range [...]Unit{c.Unit, c.Other} {
		if u != NoUnit {
			d.Pieces = append(d.Pieces, p.id(u))
		}
	}
	for _, l := range c.Lines {
		if l.At != Nowhere {
			d.Spaces = append(d.Spaces, p.sc.PlaceID(l.At))
		}
	}
	if c.From != Nowhere {
		d.Spaces = append(d.Spaces, p.sc.PlaceID(c.From))
	}
	if at := c.target(); at != Nowhere && at != c.From {
		d.Spaces = append(d.Spaces, p.sc.PlaceID(at))
	}
	d.Cost = p.costOf(&c)
	if n, ok := p.marchCost(seat, &c); ok {
		d.Cost = rules.Say("cost.mp", "n", formatCost(n))
	}
	p.label(seat, &c, &d)
	return d
}

// idle reports whether a kind of command leads to nothing now: fuel where nothing moves is for a phase that ends, or
// can be bought as well where it is used.
func (p *Position) idle(k Kind) bool {
	switch k {
	case KindFuel, KindFuelHQ, KindFuelFormation, KindFuelIndependents:
		ask, _ := p.ask()
		return moveAsks&(1<<ask) == 0
	}
	return false
}

// target is the place that a command aims at, Nowhere for one that aims at none.
func (c *Command) target() Place {
	switch {
	case c.At != Nowhere:
		return c.At
	case len(c.Path) > 0:
		return c.Path[len(c.Path)-1]
	}
	return c.From
}

// named is the name of something that a command calls by an id: a formation, an entry, a counter; the id itself if it
// is not among these.
func (s *Scenario) named(id string) rules.Words {
	if f, ok := s.form[id]; ok {
		return s.Formations[f].Name
	}
	if n, ok := s.kinds[id]; ok {
		return s.Counters[n].Name
	}
	for seat := range numSeats {
		if i := s.Seats[seat].entry(id); i >= 0 {
			return s.placeName(s.PlaceID(s.Seats[seat].Entries[i].At))
		}
	}
	return rules.Words{En: id}
}

func yesText(yes bool) string {
	if yes {
		return "@yes"
	}
	return "@no"
}

// modeText is a reference to the name of a mode.
func modeText(m Marker, f Face) string {
	if m > NoMarker && int(m) < len(markerIDs) {
		return "@mode." + markerIDs[m]
	}
	if f == MoveFace {
		return "@mode.move"
	}
	return "@mode.combat"
}
