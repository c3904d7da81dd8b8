package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Breakdown regiments are taken off divisions and absorbed again (OCS 20.0). Their values are in the scenario: 1 RE, 1
// step, independent (OCS 20.0f).

// checkDetach says why a division may not detach a breakdown regiment (OCS 20.0a): at the start of its movement,
// retreat or advance, never the last step; of a kind that it may have (OCS 20.0g), rated no higher than it is (OCS
// 20.0b).
func (p *Position) checkDetach(seat rules.Seat, c *Command) *rules.Refusal {
	u := c.Unit
	if r := p.checkOwn(seat, u); r != nil {
		return r
	}
	kind, ok := p.sc.kinds[c.Name]
	if !ok || p.sc.Counters[kind].Kind != Breakdown {
		return rules.Malformed("%.40q is no breakdown regiment", c.Name)
	}
	s, info := &p.units[u], p.counter(u)
	switch {
	case !p.breaksInto(u, kind):
		return rules.Refuse("OCS 20.0g", "refuse.no-breakdown", "unit", p.unitName(u),
			"other", p.sc.Counters[kind].Name).About(p.id(u))
	case p.sc.Counters[kind].Faces[s.face].Rating > p.shown(u).Rating:
		return rules.Refuse("OCS 20.0b", "refuse.breakdown-rating", "unit", p.unitName(u),
			"other", p.sc.Counters[kind].Name).About(p.id(u))
	case int(s.lost)+1 >= int(info.Steps):
		return rules.Refuse("OCS 20.0a", "refuse.last-step", "unit", p.unitName(u)).About(p.id(u))
	case !p.setsOut(u):
		return rules.Refuse("OCS 20.0a", "refuse.sets-out", "unit", p.unitName(u)).About(p.id(u))
	case !p.sc.Counters[kind].Faces[s.face].Exists:
		return rules.Refuse("OCS 5.5c", "refuse.no-combat-face", "unit", p.sc.Counters[kind].Name)
	case p.spare(kind) >= maxUnits:
		return rules.Malformed("there are too many pieces")
	}
	return nil
}

// setsOut reports whether a unit is at the start of its movement, or of the retreat or advance that is asked for (OCS
// 20.0a).
func (p *Position) setsOut(u Unit) bool {
	if ask, _ := p.ask(); ask == AskRetreat || ask == AskAdvance {
		return slices.Contains(setting(p.top()), u)
	}
	return !p.has(u, ocsv1.UnitMark_UNIT_MARK_MOVED) && !p.has(u, ocsv1.UnitMark_UNIT_MARK_DONE)
}

// setting are the units that a retreat or an advance is asked of.
func setting(f frame) []Unit {
	switch f := f.(type) {
	case *retreat:
		return f.units
	case *combat:
		return f.attackers
	}
	return nil
}

// joined is the retreat or combat that is asked about, with another unit.
func (p *Position) joined(u Unit) frame {
	if f := inner[*retreat](p); f != nil {
		next := *f
		next.units = append(slices.Clone(f.units), u)
		return &next
	}
	next := *inner[*combat](p)
	next.attackers = append(slices.Clone(next.attackers), u)
	return &next
}

// breaksInto reports whether a unit is a division that a kind of breakdown regiment may come from.
func (p *Position) breaksInto(u Unit, kind uint16) bool {
	info, b := p.counter(u), &p.sc.Counters[kind]
	return info.Division && info.Steps > 1 && info.Seat == b.Seat && slices.Contains(b.Of, p.units[u].counter)
}

// playDetach marks a step loss on the division and puts the regiment into its hex, in the same mode with the same
// markers and what it has spent (OCS 20.0c). It costs no MP (OCS 20.0e).
func (p *Position) playDetach(x *exec, seat rules.Seat, cmd *Command) {
	kind := p.sc.kinds[cmd.Name]
	id := p.spareID(kind)
	c := p.changed()
	p.detach(c, cmd.Unit, kind)
	p.breakdownTold(x, c, seat, p.id(cmd.Unit), id, false)
	p.follows(x, cmd.Unit, id)
}

// follows puts a regiment that has just been detached among those that its division retreats, advances or moves with.
func (p *Position) follows(x *exec, division Unit, id string) {
	u, fresh, ok := p.unitByID(id)
	if !ok || fresh {
		return
	}
	if slices.Contains(setting(p.top()), division) {
		p.goOn(x, p.joined(u))
	}
	if p.inMotion(division) {
		c := p.changed()
		c.motion(append(slices.Clone(p.motion), u))
		tell(x, &event{Changes: c.list})
	}
}

// detach changes a division and makes a regiment of it.
func (p *Position) detach(c *changes, u Unit, kind uint16) {
	s := &p.units[u]
	c.unit(u).Lost = proto.Uint32(uint32(s.lost) + 1)
	k := c.create(kind, s.place)
	k.Face, k.Marker, k.Stocks, k.Fuel = ocsv1.Face(s.face), ocsv1.Marker(s.marker), ocsv1.Stocks(s.stocks),
		ocsv1.Fuel(s.fuel)
	k.SpentTwelfths, k.Origin, k.Supplied = proto.Uint32(uint32(s.spent)), proto.String(p.sc.PlaceID(s.origin)),
		ocsv1.Supplied(s.checked)
	for mark := ocsv1.UnitMark(1); mark < numUnitMarks; mark++ {
		if s.marks.has(mark) && mark != ocsv1.UnitMark_UNIT_MARK_TOP && mark != grouped {
			k.Set = append(k.Set, mark)
		}
	}
}

func (p *Position) breakdownTold(x *exec, c *changes, seat rules.Seat, division, regiment string, absorbed bool) {
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BreakdownChanged{BreakdownChanged: &ocsv1.BreakdownChanged{
		Seat: seatIDs[seat], Unit: division, Other: regiment, Absorbed: absorbed,
	}}})
}

func listDetach(l *lister) {
	p := l.p
	for kind := p.sc.Fixed; kind < len(p.sc.Counters); kind++ {
		if b := &p.sc.Counters[kind]; b.Kind != Breakdown || b.Seat != l.seat {
			continue
		}
		for u := range p.all(l.seat) {
			if l.acts(u) && p.breaksInto(u, uint16(kind)) {
				c := only(KindDetach)
				c.Unit, c.Name = u, p.sc.Counters[kind].ID
				l.checked(c)
			}
		}
	}
}

// checkAbsorb says why a division may not absorb a breakdown regiment (OCS 20.0d): it has lost steps, is rated no
// higher than the regiment (OCS 20.0b), and both have the same mode and markers (OCS 20.0c).
func (p *Position) checkAbsorb(seat rules.Seat, c *Command) *rules.Refusal {
	if c.Unit == NoUnit || c.Other == NoUnit {
		return rules.Malformed("the command does not name two units").For(rules.ReasonUnknownPiece)
	}
	if r := p.checkStack(seat, []Unit{c.Unit, c.Other}); r != nil {
		return r
	}
	return p.absorbs(c.Unit, c.Other)
}

// absorbs says why a division may not absorb a regiment that it is stacked with.
func (p *Position) absorbs(u, b Unit) *rules.Refusal {
	s, o := &p.units[u], &p.units[b]
	oos := ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY
	switch {
	case p.counter(b).Kind != Breakdown || !p.breaksInto(u, o.counter):
		return rules.Refuse("OCS 20.0g", "refuse.no-breakdown", "unit", p.unitName(u),
			"other", p.unitName(b)).About(p.id(u), p.id(b))
	case s.lost == 0:
		return rules.Refuse("OCS 20.0d", "refuse.undamaged", "unit", p.unitName(u)).About(p.id(u))
	case s.marker != o.marker || s.face != o.face || s.stocks != o.stocks || s.marks.has(oos) != o.marks.has(oos):
		return rules.Refuse("OCS 20.0c", "refuse.other-mode", "unit", p.unitName(u),
			"other", p.unitName(b)).About(p.id(u), p.id(b))
	case p.shown(u).Rating > p.shown(b).Rating:
		return rules.Refuse("OCS 20.0b", "refuse.absorb-rating", "unit", p.unitName(u),
			"other", p.unitName(b)).About(p.id(u), p.id(b))
	}
	return nil
}

// playAbsorb gives the step back. The division has spent what the regiment has, if that is more (OCS 20.0e).
func (p *Position) playAbsorb(x *exec, seat rules.Seat, cmd *Command) {
	p.absorb(x, seat, cmd.Unit, cmd.Other)
}

func (p *Position) absorb(x *exec, seat rules.Seat, u, b Unit) {
	c := p.changed()
	k := c.unit(u)
	k.Lost = proto.Uint32(uint32(p.units[u].lost) - 1)
	c.spend(u, max(p.units[u].spent, p.units[b].spent))
	for _, m := range [...]ocsv1.UnitMark{ocsv1.UnitMark_UNIT_MARK_MOVED, ocsv1.UnitMark_UNIT_MARK_DONE} {
		if p.has(b, m) {
			k.Set = append(k.Set, m)
		}
	}
	c.eliminate(b)
	if p.inMotion(u) || p.inMotion(b) {
		var going []Unit
		for _, v := range p.motion {
			if v != b {
				going = append(going, v)
			}
		}
		c.motion(going)
	}
	p.breakdownTold(x, c, seat, p.id(u), p.id(b), true)
}

func listAbsorb(l *lister) {
	p := l.p
	for b := p.sc.Fixed; b < len(p.units); b++ {
		o := &p.units[b]
		if o.seat != l.seat || !o.place.onMap() || p.sc.Counters[o.counter].Kind != Breakdown {
			continue
		}
		for u := range p.of(l.seat, o.place) {
			if p.units[u].lost > 0 && (l.acts(u) || l.acts(Unit(b))) {
				c := only(KindAbsorb)
				c.Unit, c.Other = u, Unit(b)
				l.checked(c)
			}
		}
	}
}

// absorbAll lets reduced divisions absorb the breakdown regiments that they are stacked with at the end of a phase, in
// the order of the units, as far as their owner has not chosen before (OCS 20.0d).
func (p *Position) absorbAll(x *exec) {
	if !p.endsPhase() {
		return
	}
	for b := p.sc.Fixed; b < len(p.units); b++ {
		if p.units[b].place.onMap() && p.sc.Counters[p.units[b].counter].Kind == Breakdown {
			p.absorbOne(x, Unit(b))
		}
	}
}

func (p *Position) absorbOne(x *exec, b Unit) {
	seat := p.units[b].seat
	for u := range p.of(seat, p.units[b].place) {
		if p.absorbs(u, b) == nil {
			x.Reveal() // that something happens tells that there was something
			p.absorb(x, seat, u, b)
			return
		}
	}
}
