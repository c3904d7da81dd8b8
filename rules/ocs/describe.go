package ocs

import (
	"slices"
	"strconv"

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

// describe says what a command does and touches. Its label is the message "do.KIND" with what the command names; a
// chapter may do better by a case here.
func (p *Position) describe(_ rules.Seat, c Command) rules.Description {
	d := rules.Description{Kind: kinds[c.Kind].ID, Pieces: p.ids(c.Units), Forgoes: c.Kind == KindEnd}
	for _, u := range [...]Unit{c.Unit, c.Other} {
		if u != NoUnit {
			d.Pieces = append(d.Pieces, p.id(u))
		}
	}
	if n := len(c.Path); n > 0 {
		d.Spaces = append(d.Spaces, p.sc.PlaceID(c.Path[n-1]))
	}
	for _, at := range [...]Place{c.From, c.At} {
		if at != Nowhere {
			d.Spaces = append(d.Spaces, p.sc.PlaceID(at))
		}
	}
	for _, l := range c.Lines {
		if l.At != Nowhere {
			d.Spaces = append(d.Spaces, p.sc.PlaceID(l.At))
		}
	}
	to := ""
	if len(d.Spaces) > 0 {
		to = d.Spaces[len(d.Spaces)-1]
	}
	d.Label = rules.Say("do."+d.Kind, "units", p.sc.namesOf(d.Pieces), "at", p.sc.placeName(to), "n", c.N, "m", c.M,
		"yes", yesText(c.Yes), "marker", modeText(c.Marker, c.Face), "unit", p.unitName(c.Unit), "other", p.unitName(c.Other), "name", p.sc.named(c.Name),
		"cargo", p.cargoOf(&c))
	return d
}

// cargoOf is what a command loads, unloads or ships: its units, then its tokens.
func (p *Position) cargoOf(c *Command) rules.Words {
	list := make([]rules.Words, 0, len(c.Units)+1)
	for _, u := range c.Units {
		list = append(list, p.sc.nameOf(p.id(u)))
	}
	if c.N > 0 || len(list) == 0 {
		list = append(list, rules.Words{En: strconv.Itoa(c.N) + "T"})
	}
	return rules.Join(list, ", ", "、")
}

// named is the name of something that a command calls by an id: a formation, an entry, a counter; the id itself if it
// is none of these.
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
