package ocs

import (
	"testing"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest"
)

func TestBattery(t *testing.T) {
	rulestest.Proves(t, ruleset, "OCS 4.9", "OCS 4.9a")
	rulestest.Battery(t, short{ruleset}, rulestest.Config{
		Games: 1, Choices: 1, Commands: 20000, Sample: 80, Listed: 10, Secrets: true, Pick: brisk, Hide: hide,
		Parted: dumpsDiffer,
		Open:   func(string) bool { return true }, // what the opponent may not know is what hide changes
	})
}

// short offers the short scenarios only.
type short struct{ rules.Ruleset }

func (s short) ScenarioDocuments() []rules.Document {
	var list []rules.Document
	for _, d := range s.Ruleset.ScenarioDocuments() {
		if d.ID == "proving-ground" || d.ID == "crimea-ishun" {
			list = append(list, d)
		}
	}
	return list
}

// brisk plays at random and ends a segment sooner than it would come up among thousands of moves.
func brisk(g rules.Game, _ rules.Seat, list rules.Listing, below func(n uint32) uint32) int {
	if below(12) == 0 {
		for i := range list.Len() {
			if g.FormatCommand(list.At(i)) == "end" {
				return i
			}
		}
	}
	for {
		i := int(below(uint32(list.Len())))
		if g.FormatCommand(list.At(i)) != "concede" {
			return i
		}
	}
}

// hide gives positions that differ from a game's only in what a viewer may not know of the other side: amounts of
// supply, steps lost, internal stocks, fuel, loads, which units lie under the top one of a stack (OCS 4.9a), and which
// of them are under a formation marker that does not show (OCS 13.7b).
func hide(g rules.Game, v rules.Viewer) []rules.Game {
	return hidden(g, v, otherSupply, otherStates, otherUnder, otherMarkers)
}

// dumpsDiffer reports whether a dump of the other side lies in the open in one of two positions only. Whoever spends or
// destroys a number of tokens empties the smaller of two dumps, and everyone sees that it is gone (OCS 4.9a).
func dumpsDiffer(a, b rules.Game, v rules.Viewer) bool {
	sc := a.Scenario().(*Scenario)
	p, errP := parsePosition(sc, a.Notation())
	q, errQ := parsePosition(sc, b.Notation())
	if errP != nil || errQ != nil {
		return false
	}
	for seat := range numSeats {
		for i := range p.cells {
			if !v.Holds(seat) && p.knownGround(seat, i) != q.knownGround(seat, i) {
				return true
			}
		}
	}
	return false
}

// hidden gives positions that some changes make.
func hidden(g rules.Game, v rules.Viewer, changes ...func(*Position, rules.Seat) bool) []rules.Game {
	sc := g.Scenario().(*Scenario)
	var list []rules.Game
	for seat := range numSeats {
		if v.Holds(seat) {
			continue
		}
		for _, change := range changes {
			p, err := parsePosition(sc, g.Notation())
			if err != nil || !change(p, seat) {
				continue
			}
			if other, err := ruleset.ParsePosition(sc, p.format()); err == nil {
				list = append(list, other)
			}
		}
	}
	return list
}

// otherSupply changes what lies on the ground and on transports.
func otherSupply(p *Position, seat rules.Seat) bool {
	some := false
	for i := range p.cells {
		// small ones are soon used up, which shows when what lies on them leaves
		if n := &p.cells[i].ground[seat]; *n >= 4*oneSP {
			*n += 3
			some = true
		}
	}
	for u := range p.units {
		if s := p.units[u]; s.seat == seat && s.place.onMap() && s.load > oneSP {
			s.load--
			p.set(Unit(u), s)
			some = true
		}
	}
	return some
}

// otherStates changes what is not seen of units.
func otherStates(p *Position, seat rules.Seat) bool {
	some := false
	for u := range p.all(seat) {
		s := p.units[u]
		if !p.isCombat(u) {
			continue
		}
		s.stocks = stocksLow
		if p.counter(u).Steps > 1 {
			s.lost = 1 - min(s.lost, 1)
		}
		some = some || s != p.units[u]
		p.set(u, s)
	}
	return some
}

// otherMarkers puts units of formations under markers that lie hidden, or takes them away.
func otherMarkers(p *Position, seat rules.Seat) bool {
	some := false
	for u := range p.all(seat) {
		s, f := p.units[u], p.counter(u).Formation
		top := p.topOf(seat, s.place)
		if !p.opt.formationFog || f < 0 || top == u ||
			p.has(top, ocsv1.UnitMark_UNIT_MARK_GROUPED) && p.counter(top).Formation == f {
			continue
		}
		s.marks ^= 1 << ocsv1.UnitMark_UNIT_MARK_GROUPED
		p.set(u, s)
		some = true
	}
	return some
}

// otherUnder exchanges two units that lie under others, of equal weight so that nothing else comes of it. Both have
// stayed where they are in this phase: everyone sees who moves.
func otherUnder(p *Position, seat rules.Seat) bool {
	if p.turn == 0 { // modes that must be corrected are told in set-up (OCS Intro-IV-B), wherever their units lie
		return false
	}
	var under []Unit
	for u := range p.all(seat) {
		if p.isCombat(u) && p.units[u].place.Hex() != NoHex && p.topOf(seat, p.units[u].place) != u && !p.hasZOC(u) &&
			!p.attackCapable(u) {
			under = append(under, u)
		}
	}
	for i, a := range under {
		for _, b := range under[i+1:] {
			x, y := p.units[a], p.units[b]
			if x.place == y.place || p.re(a) != p.re(b) || x.origin != x.place || y.origin != y.place {
				continue
			}
			x.place, y.place = y.place, x.place
			x.origin, y.origin = x.place, y.place
			p.set(a, x)
			p.set(b, y)
			return p.topOf(seat, x.place) != a && p.topOf(seat, y.place) != b
		}
	}
	return false
}
