package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Godzilla (OCS 21.10a): a side proposes to put a stack into the dead pile that is out of supply and blocks its lines,
// and the owner agrees or not. What the proposer may know decides whether it may propose; whether all units of the
// stack are fit for it is found when the owner agrees, so that a proposal tells nothing. Whether they are few, far in
// the rear and there to block is for the owner to say.

// godzilla is a procedure of the owner, at the hex of the stack.
type godzilla struct{ head }

func (*godzilla) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_GODZILLA }

func (*godzilla) wire(*framing) {}

func (f *godzilla) asks(*Position) (Ask, rules.Seats) { return AskGodzilla, rules.SeatsOf(f.seat) }

func (*godzilla) proceed(p *Position, x *exec) { p.endFrame(x) }

// checkGodzilla says why a stack may not be proposed: what lies on top of it is a combat unit with an Out of Supply
// marker, and it was not proposed before in this phase.
func (p *Position) checkGodzilla(seat rules.Seat, c *Command) *rules.Refusal {
	if r := offered(p.opt.godzilla, "OCS 21.10a", optGodzilla); r != nil {
		return r
	}
	if c.At.Hex() == NoHex {
		return rules.Malformed("the command names no hex").For(rules.ReasonUnknownSpace)
	}
	at, top := p.sc.PlaceID(c.At), p.topOf(enemy(seat), c.At)
	switch {
	case top == NoUnit || !p.isCombat(top):
		return rules.Refuse("OCS 21.10a", "refuse.nobody-there", "hex", at).At(at)
	case !p.has(top, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY):
		return rules.Refuse("OCS 21.10a", "refuse.prey-supplied", "unit", p.unitName(top)).About(p.id(top)).At(at)
	case p.cell(c.At).marks.has(ocsv1.HexMark_HEX_MARK_GODZILLA):
		return rules.Refuse("OCS 21.10a", "refuse.was-proposed", "hex", at).At(at)
	}
	return nil
}

// playGodzilla proposes it.
func (p *Position) playGodzilla(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	m := c.hex(cmd.At)
	m.Set = append(m.Set, ocsv1.HexMark_HEX_MARK_GODZILLA)
	c.push(newFrame[godzilla](enemy(seat), cmd.At))
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GodzillaProposed{GodzillaProposed: &ocsv1.GodzillaProposed{
		Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At),
	}}})
}

func listGodzilla(l *lister) {
	if !l.p.opt.godzilla {
		return
	}
	for h := range l.p.sc.Hexes {
		if l.p.combatIn(enemy(l.seat), Place(h)) {
			c := only(KindGodzilla)
			c.At = Place(h)
			l.checked(c)
		}
	}
}

// checkGodzillaAnswer says why the owner may not agree: each combat unit of the stack must be out of supply and out of
// the range of every HQ of its side.
func (p *Position) checkGodzillaAnswer(seat rules.Seat, c *Command) *rules.Refusal {
	if !c.Yes {
		return nil
	}
	at, s := p.top().base().at, p.survey(seat)
	for _, u := range p.combatUnits(seat, at) {
		if !p.has(u, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) {
			return rules.Refuse("OCS 21.10a", "refuse.prey-supplied", "unit", p.unitName(u)).About(p.id(u))
		}
		for _, hq := range p.sc.tab.hqs[seat] {
			if s.ranges(hq, at) {
				return rules.Refuse("OCS 21.10a", "refuse.prey-in-range", "unit", p.unitName(u),
					"hq", p.unitName(hq)).About(p.id(u), p.id(hq))
			}
		}
	}
	return nil
}

// ranges reports whether a place is in the throw range of an HQ (OCS 12.3b), whomever it serves.
func (s *survey) ranges(hq Unit, at Place) bool {
	h := &s.p.units[hq]
	switch {
	case !h.place.onMap() || h.marker == Strat:
		return false
	case h.place == at:
		return true
	}
	return h.place.Hex() != NoHex && s.thrown(hq).has(at.Hex())
}

// playGodzillaAnswer answers, and lets Godzilla eat: the combat units of the hex go into the dead pile.
func (p *Position) playGodzillaAnswer(x *exec, seat rules.Seat, cmd *Command) {
	at := p.top().base().at
	c := p.changed()
	c.pop()
	tell(x, &event{Changes: c.list})
	fact := &ocsv1.GodzillaAnswered{Seat: seatIDs[seat], At: p.sc.PlaceID(at), Yes: cmd.Yes}
	c = p.changed()
	if cmd.Yes {
		prey := p.combatUnits(seat, at)
		for _, u := range prey {
			c.eliminate(u)
		}
		fact.Units = p.ids(prey)
		x.Reveal() // the dead pile is open
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_GodzillaAnswered{GodzillaAnswered: fact}})
}
