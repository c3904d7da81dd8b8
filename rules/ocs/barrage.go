package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Barrage by artillery (OCS 10.0, OCS 10.1, OCS 13.4), and what follows every barrage of units.

// barrageStep is a step of a barrage of units.
type barrageStep uint8

// The steps, by the numbers of the notation.
const (
	barrageChoose  barrageStep = iota // asks for the terrain of the target
	barrageSuffers                    // asks for losses
	barrageEnd
)

// barrage is a barrage of units. It belongs to the owner of the target, who chooses its terrain and its losses.
type barrage struct {
	head
	step     barrageStep
	strength int   // total, rounded
	terrain  int16 // that was chosen, or noTerrain
	steps    int   // to lose
	air      bool  // from the air (OCS 10.2)
	near     bool  // all its air units came from near (OCS 14.7c)
	blind    bool  // no spotter helps (OCS 14.1e-A)
	far      bool  // an air unit came from far (OCS 21.4-A)
	siege    bool  // only siege guns fire (a special rule)
	naval    bool  // by ships (OCS 18.3b)
}

func (*barrage) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_BARRAGE }

func (f *barrage) wire(w *framing) {
	wireStep(w, &f.step)
	wireNumber(w, &f.strength)
	w.keep()
	w.terrain(&f.terrain)
	wireNumber(w, &f.steps)
	if f.step != barrageChoose { // the result is known, even if it is 0
		w.keep()
	}
	w.flag(&f.air)
	w.flag(&f.near)
	w.flag(&f.blind)
	w.flag(&f.far)
	w.flag(&f.siege)
	w.flag(&f.naval)
}

func (f *barrage) stepped(to barrageStep) *barrage {
	next := *f
	next.step = to
	return &next
}

// Targets of a barrage (OCS 10.0f), by the numbers of the contract.
const (
	targetUnits = int(ocsv1.BarrageTarget_BARRAGE_TARGET_UNITS)
	targetPort  = int(ocsv1.BarrageTarget_BARRAGE_TARGET_PORT)
)

// maxPortHits is the most damage that a port has (OCS 10.0c-B).
const maxPortHits = 4

// checkBarrage says why units may not barrage a hex.
func (p *Position) checkBarrage(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkBarrage(c)
}

func (s *survey) checkBarrage(c *Command) *rules.Refusal {
	p := s.p
	if len(c.Units) == 0 || c.At.Hex() == NoHex {
		return rules.Malformed("a barrage names units and a hex")
	}
	if r := p.mayBeBarraged(s.seat, c.At, c.Choice); r != nil {
		return r
	}
	for i, u := range c.Units {
		if slices.Contains(c.Units[:i], u) {
			return rules.Malformed("unit %s is named twice", p.id(u))
		}
		if r := p.mayBarrage(s.seat, u, c.At); r != nil {
			return r
		}
	}
	for _, l := range c.Lines { // OCS 10.1b-A
		if first := c.Lines[0]; l.By != first.By || l.By == NoUnit && s.sourceOf(l) != s.sourceOf(first) {
			return rules.Refuse("OCS 10.1b-A", "refuse.several-sources")
		}
	}
	return s.checkPayment(c.Lines, c.Units, p.barrageCost(c), "OCS 10.1b")
}

// sourceOf is the place of a line of a payment.
func (s *survey) sourceOf(l Line) Place {
	if l.At == Nowhere && l.Unit != NoUnit {
		return s.p.units[l.Unit].place
	}
	return l.At
}

// mayBeBarraged says why a hex is no target of a kind, by artillery or ships (OCS 10.0e): once a phase (OCS 10.0e-A),
// for one kind of target (OCS 10.0f).
func (p *Position) mayBeBarraged(seat rules.Seat, target Place, kind int) *rules.Refusal {
	at, cell := p.sc.PlaceID(target), p.cell(target)
	switch {
	case kind == targetShips: // OCS 18.3g
		return rules.Refuse("OCS 18.3g", "refuse.no-ship-guns", "hex", at).At(at)
	case cell.marks.has(ocsv1.HexMark_HEX_MARK_BARRAGED):
		return rules.Refuse("OCS 10.0e-A", "refuse.hex-barraged", "hex", at).At(at)
	case kind == targetPort:
		if p.sc.Hexes[target].Port == 0 || cell.owner != enemy(seat) {
			return rules.Refuse("OCS 10.0c", "refuse.no-port", "hex", at).At(at)
		}
	case kind == targetBase:
		if !p.ownBase(enemy(seat), target) {
			return rules.Refuse("OCS 10.0c-A", "refuse.no-enemy-base", "hex", at).At(at)
		}
	case !p.combatIn(enemy(seat), target): // dumps and transports are no targets (OCS 10.0d)
		return rules.Refuse("OCS 10.0", "refuse.no-defender", "hex", at).At(at)
	}
	return nil
}

// mayBarrage says why one unit may not barrage a hex.
func (p *Position) mayBarrage(seat rules.Seat, u Unit, target Place) *rules.Refusal {
	s, id := &p.units[u], p.id(u)
	switch {
	case s.seat != seat || !s.place.onMap():
		return rules.Refuse("OCS 10.1", "refuse.not-yours",
			"unit", p.unitName(u)).For(rules.ReasonUnknownPiece).About(id)
	case !p.counter(u).Artillery: // OCS 10.0e-D, OCS 10.0e-F
		return rules.Refuse("OCS 10.0e-D", "refuse.no-artillery", "unit", p.unitName(u)).About(id)
	case p.shown(u).Barrage == 0:
		return rules.Refuse("OCS 10.0", "refuse.no-strength", "unit", p.unitName(u)).About(id)
	case s.marker == Reserve || s.marker == Strat:
		return rules.Refuse("OCS 13.4a", "refuse.barrage-mode", "unit", p.unitName(u)).About(id)
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_BARRAGED):
		return rules.Refuse("OCS 10.0e-B", "refuse.has-barraged", "unit", p.unitName(u)).About(id)
	case p.opt.artilleryOpportunityFire && p.segment == SegReactionBarrage:
		// OCS 21.9: hedgehogs are no hindrance (OCS 21.9c)
		if m := p.mode(u); m != CombatMode && m != MoveMode {
			return rules.Refuse("OCS 21.9a", "refuse.reaction-fire", "unit", p.unitName(u)).About(id)
		}
	case p.segment != SegArtilleryBarrage && !s.marks.has(ocsv1.UnitMark_UNIT_MARK_RELEASED):
		// OCS 5.7b-B, OCS 11.0a, OCS 21.9b
		return rules.Refuse("OCS 10.0e-E", "refuse.gun-not-released", "unit", p.unitName(u)).About(id)
	}
	from := s.place.Hex()
	if p.counter(u).RailOnly && !p.onOwnRail(seat, from) { // a special rule
		return rules.Refuse("OCS 10.1", "refuse.rail-gun", "unit", p.unitName(u)).About(id)
	}
	if n := p.distanceTo(from, target.Hex()); n < 1 || n > p.shown(u).Range { // whatever the weather and the terrain
		return rules.Refuse("OCS 10.1a", "refuse.range", "unit", p.unitName(u), "range", p.shown(u).Range,
			"n", n).About(id).At(p.sc.PlaceID(target))
	}
	return nil
}

// barrageStrength is the total of firing units: halves of DG units are kept until it is rounded, once (OCS 4.2, OCS
// 5.10b-A). Being out of supply changes nothing (OCS 10.1b-B).
func (p *Position) barrageStrength(units []Unit) int {
	sum := whole(0)
	for _, u := range units {
		f := whole(p.shown(u).Barrage)
		if p.units[u].marker == DG {
			f = f.Times(half)
		}
		sum = sum.Plus(f)
	}
	return sum.Round()
}

// strengthColumn is the column of a barrage table for a strength.
func strengthColumn(columns []*ocsv1.StrengthColumn, strength int) int {
	for i, c := range columns {
		if c.GetMax() == 0 || strength <= int(c.GetMax()) {
			return i
		}
	}
	return len(columns) - 1
}

// barrageColumns are the columns of the table for a kind of target (OCS 10.0c).
func (p *Position) barrageColumns(kind int) []*ocsv1.StrengthColumn {
	if kind == targetPort || kind == targetBase {
		return p.sc.Charts.GetFacility().GetColumns()
	}
	return p.sc.Charts.GetBarrage().GetColumns()
}

// barrageCost is what a barrage costs: the price of the column before shifts (OCS 10.1b).
func (p *Position) barrageCost(c *Command) int {
	columns := p.barrageColumns(c.Choice)
	return int(columns[strengthColumn(columns, p.barrageStrength(c.Units))].GetCostT())
}

// playBarrage pays and fires. Internal stocks never pay for it (OCS 10.1b-C).
func (p *Position) playBarrage(x *exec, seat rules.Seat, cmd *Command) {
	strength := p.barrageStrength(cmd.Units)
	c := p.changed()
	for _, u := range cmd.Units {
		c.mark(u, ocsv1.UnitMark_UNIT_MARK_BARRAGED)
	}
	p.survey(seat).pay(c, cmd.Lines, cmd.Units)
	p.tellPaid(x, c, seat, cmd.Units, paid(cmd.Lines), false)

	f := newFrame[barrage](enemy(seat), cmd.At)
	f.strength, f.siege = strength, p.siegeGuns(cmd.Units)
	c = p.changed()
	h := c.hex(cmd.At)
	h.Set = append(h.Set, ocsv1.HexMark_HEX_MARK_BARRAGED)
	if cmd.Choice <= targetUnits {
		p.chooseOnly(f)
		c.push(f)
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BarrageFired{BarrageFired: &ocsv1.BarrageFired{
		Seat: seatIDs[seat], At: p.sc.PlaceID(cmd.At), Target: ocsv1.BarrageTarget(max(cmd.Choice, targetUnits)),
		Strength: uint32(strength),
	}}})
	switch cmd.Choice {
	case targetPort:
		p.hitPort(x, seat, cmd.At, strength)
	case targetBase:
		p.hitBase(x, seat, cmd.At, strength)
	}
}

// hitPort resolves a barrage of a port (OCS 10.0c-B): one die, no shifts.
func (p *Position) hitPort(x *exec, seat rules.Seat, at Place, strength int) {
	chart := p.sc.Charts.GetFacility()
	die := x.Roll(6, "facility")
	hits := int(chart.GetRows()[die-1].GetCells()[strengthColumn(chart.GetColumns(), strength)].GetHits())
	total := min(int(p.cell(at).hits)+hits, maxPortHits)
	c := p.changed()
	c.hex(at).PortHits = proto.Uint32(uint32(total))
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_PortBarraged{PortBarraged: &ocsv1.PortBarraged{
		Seat: seatIDs[seat], At: p.sc.PlaceID(at), Die: uint32(die), Hits: uint32(hits), Total: uint32(total),
	}}})
}

// asks asks the owner of the target.
func (f *barrage) asks(p *Position) (Ask, rules.Seats) {
	switch {
	case f.step == barrageChoose && len(p.unchosen(f)) > 0:
		return AskTerrain, rules.SeatsOf(f.seat)
	case f.step == barrageSuffers && p.combatIn(f.seat, f.at):
		return AskLosses, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

func (f *barrage) proceed(p *Position, x *exec) {
	if f.step == barrageChoose {
		p.resolveBarrage(x, f)
		return
	}
	c := p.changed()
	if p.clearedBeach(f.at) && !p.combatIn(f.seat, f.at) { // OCS 18.6b-C
		m := c.hex(f.at)
		m.Set = append(m.Set, ocsv1.HexMark_HEX_MARK_CLEARED)
	}
	c.pop()
	tell(x, &event{Changes: c.list})
}

// listBarrage lists for each target the barrage of each unit alone and of all that may, each with one payment.
func listBarrage(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	guns := p.guns(l.seat)
	if len(guns) == 0 {
		return
	}
	for h := range p.sc.Hexes {
		for _, kind := range [...]int{targetUnits, targetPort, targetBase} {
			target := Place(h)
			if kind == targetBase && !p.sc.Flies { // an air base matters only where air units fly
				continue
			}
			if l.done || !l.aims(target) || p.mayBeBarraged(l.seat, target, kind) != nil {
				continue
			}
			var all []Unit
			for _, u := range guns {
				if p.mayBarrage(l.seat, u, target) == nil {
					all = append(all, u)
					l.barrage(s, []Unit{u}, target, kind)
				}
			}
			if len(all) > 1 {
				l.barrage(s, all, target, kind)
			}
		}
	}
}

// guns are the artillery units of a seat on the map.
func (p *Position) guns(seat rules.Seat) (list []Unit) {
	for u := range p.all(seat) {
		if p.counter(u).Artillery && p.units[u].place.Hex() != NoHex {
			list = append(list, u)
		}
	}
	return list
}

// barrage gives a barrage with the first source that can pay for all of it.
func (l *lister) barrage(s *survey, units []Unit, target Place, kind int) {
	c := only(KindBarrage)
	c.Units, c.At, c.Choice = units, target, kind
	cost := l.p.barrageCost(&c)
	options := s.options(units, false)
	for _, first := range options {
		var same []Line
		for _, o := range options {
			if o.By == first.By && (o.By != NoUnit || o.At == first.At) {
				same = append(same, o)
			}
		}
		if c.Lines = gather(same, cost); c.Lines != nil {
			if s.checkBarrage(&c) == nil {
				l.give(c)
			}
			return
		}
	}
}
