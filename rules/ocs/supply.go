package ocs

import (
	"math"
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// The Supply Phase (OCS 12.6): restocking, then trace, then feeding of what can't trace, then markers and attrition. A
// side is asked in every Supply Phase, since it is a secret whether it has anything to decide.

// restocking is a procedure of a side that restocks (OCS 12.10e).
type restocking struct{ head }

func (*restocking) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_RESTOCK }

func (*restocking) wire(*framing) {}

// asks always asks: whether anything can be restocked is the side's secret.
func (f *restocking) asks(*Position) (Ask, rules.Seats) { return AskRestock, rules.SeatsOf(f.seat) }

func (*restocking) proceed(p *Position, x *exec) { p.endFrame(x) }

// feeding is a procedure of a side that feeds what can't trace (OCS 12.6c).
type feeding struct {
	head
	fed    []Unit
	chosen []through
}

// through is what its owner has a formation trace through (OCS 12.6f): an HQ, or a source.
type through struct {
	formation int16
	hq        Unit // NoUnit for a source
	at        Hex  // NoHex for an HQ
}

func (*feeding) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_FEEDING }

func (f *feeding) wire(w *framing) {
	w.units(&f.fed)
	wireItems(w, &f.chosen, math.MaxInt, func(t *through) { w.through(t) })
}

// through is what a formation traces through: three numbers, the formation, 1 for a source, and the HQ or source.
func (w *framing) through(t *through) {
	bySource, which := t.hq == NoUnit, int(t.hq)
	if bySource {
		which = int(t.at)
	}
	wireNumber(w, &t.formation)
	w.flag(&bySource)
	wireNumber(w, &which)
	switch {
	case !w.reads:
	case bySource:
		t.hq, t.at = NoUnit, Hex(which)
	default:
		t.hq, t.at = Unit(which), NoHex
	}
	if w.reads && (bySource && which >= len(w.p.sc.Hexes) || !bySource && which >= len(w.p.units)) {
		w.f.fail("a formation traces through number %d", which)
	}
}

func (f *feeding) asks(*Position) (Ask, rules.Seats) { return AskFeed, rules.SeatsOf(f.seat) }

func (*feeding) proceed(p *Position, x *exec) { p.endFrame(x) }

// beginSupply begins the procedures of the side whose Supply Phase it is, or of both in a simultaneous turn (OCS 2.4).
func (p *Position) beginSupply(x *exec) {
	for seat := int(numSeats) - 1; seat >= 0; seat-- {
		if !p.together && rules.Seat(seat) != p.phasing {
			continue
		}
		c := p.changed()
		c.push(newFrame[feeding](rules.Seat(seat), Nowhere))
		c.push(newFrame[restocking](rules.Seat(seat), Nowhere))
		tell(x,
			&event{Changes: c.list,
				Fact: &ocsv1.Event_SupplyPhaseBegan{SupplyPhaseBegan: &ocsv1.SupplyPhaseBegan{Seat: seatIDs[seat]}}})
	}
}

// checkDone says why a step of the Supply Phase may not end. Units may be left unfed though there is supply for them
// (OCS 12.6d-i).
func (p *Position) checkDone(seat rules.Seat, _ *Command) *rules.Refusal {
	s := p.survey(seat)
	switch p.top().(type) {
	case *restocking:
		return s.checkRestocked()
	case *raidCheck:
		return nil // OCS 21.10b: nobody need name a line
	}
	for f := range p.sc.Formations {
		if p.sc.Formations[f].Seat == seat && s.undecided(int16(f)) {
			return rules.Refuse("OCS 12.6f", "refuse.choose-provider", "formation", p.sc.Formations[f].Name)
		}
	}
	return nil
}

// playDone ends it.
func (p *Position) playDone(x *exec, seat rules.Seat, _ *Command) {
	switch p.top().(type) {
	case *restocking:
		p.endRestock(x, seat)
	case *raidCheck:
		p.endFrame(x)
	default:
		p.judge(x, seat)
	}
}

func listDone(l *lister) { l.checked(only(KindDone)) }

// provider is what units of a formation trace through: an HQ, or a source that they reach themselves.
type provider struct {
	hq     Unit
	at     Hex
	served []Unit
}

// members are the combat units of a formation that need a line.
func (s *survey) members(formation int16) (list []Unit) {
	for _, u := range s.p.sc.Formations[formation].Units {
		if s.p.isCombat(u) && s.p.units[u].place.onMap() && !s.excused(u) {
			list = append(list, u)
		}
	}
	return list
}

// providers are what at least one of some units traces through, HQs first.
func (s *survey) providers(members []Unit) (list []provider) {
	for _, hq := range s.p.sc.tab.hqs[s.seat] {
		list = s.provides(list, provider{hq: hq, at: NoHex}, members)
	}
	ends := s.network().ends
	for h := range s.p.sc.Hexes {
		if ends.has(Hex(h)) {
			list = s.provides(list, provider{hq: NoUnit, at: Hex(h)}, members)
		}
	}
	return list
}

func (s *survey) provides(list []provider, p provider, members []Unit) []provider {
	for _, u := range members {
		if s.traceBy(p.hq, p.at, u) {
			p.served = append(p.served, u)
		}
	}
	if len(p.served) == 0 {
		return list
	}
	return append(list, p)
}

// traceBy reports whether a unit traces through an HQ, or itself to a source. An HQ serves itself if it reaches a
// source.
func (s *survey) traceBy(hq Unit, at Hex, u Unit) bool {
	switch {
	case hq == NoUnit:
		return s.p.units[u].place.Hex() != NoHex && s.drawn(u).has(at)
	case hq == u:
		return s.direct(hq)
	}
	return s.through(hq, u)
}

// undecided reports whether a formation has not one provider for all, and its owner has not chosen which one it uses
// (OCS 12.6f).
func (s *survey) undecided(formation int16) bool {
	_, chosen := s.chosen(formation)
	if chosen {
		return false
	}
	members := s.members(formation)
	list := s.providers(members)
	return len(list) > 0 && !servesAll(list, members)
}

// servesAll reports whether one of some providers serves all members.
func servesAll(list []provider, members []Unit) bool {
	for _, p := range list {
		if len(p.served) == len(members) {
			return true
		}
	}
	return false
}

// chosen is what the owner chose for a formation in this Supply Phase.
func (s *survey) chosen(formation int16) (provider, bool) {
	f := inner[*feeding](s.p)
	if f == nil || f.seat != s.seat {
		return provider{}, false
	}
	for _, t := range f.chosen {
		if t.formation == formation {
			return provider{hq: t.hq, at: t.at}, true
		}
	}
	return provider{}, false
}

// inSupply reports whether a combat unit traces in the Supply Phase: an independent unit or a division by itself, a
// unit of a formation through what all of it traces through (OCS 13.7a), or else through what its owner chose, while
// the rest eats or is out of supply (OCS 12.6f, OCS 13.7a-i).
func (s *survey) inSupply(u Unit) bool {
	f := s.p.counter(u).Formation
	if f < 0 || s.excused(u) {
		return s.traces(u)
	}
	if c, ok := s.chosen(f); ok {
		return s.traceBy(c.hq, c.at, u)
	}
	members := s.members(f)
	return servesAll(s.providers(members), members)
}

// checkProvide says why a formation may not trace through an HQ or a source (OCS 12.6f).
func (p *Position) checkProvide(seat rules.Seat, c *Command) *rules.Refusal {
	return p.survey(seat).checkProvide(c)
}

func (s *survey) checkProvide(c *Command) *rules.Refusal {
	p := s.p
	f, known := p.sc.form[c.Name]
	if !known || p.sc.Formations[f].Seat != s.seat || (c.Unit == NoUnit) == (c.At.Hex() == NoHex) {
		return rules.Malformed("the command names no formation of yours with an HQ or a hex")
	}
	if !s.undecided(f) {
		return rules.Refuse("OCS 12.6f", "refuse.no-choice", "formation", p.sc.Formations[f].Name)
	}
	for _, x := range s.providers(s.members(f)) {
		if x.hq == c.Unit && x.at == c.At.Hex() {
			return nil
		}
	}
	return rules.Refuse("OCS 12.6f", "refuse.provides-nothing", "formation", p.sc.Formations[f].Name)
}

// playProvide notes the choice.
func (p *Position) playProvide(x *exec, seat rules.Seat, cmd *Command) {
	next := *inner[*feeding](p)
	next.chosen = append(slices.Clone(next.chosen), through{p.sc.form[cmd.Name], cmd.Unit, cmd.At.Hex()})
	c := p.changed()
	c.frame(&next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_ProviderChosen{ProviderChosen: &ocsv1.ProviderChosen{
		Seat: seatIDs[seat], Formation: cmd.Name, Unit: p.id(cmd.Unit), At: p.sc.PlaceID(cmd.At),
	}}})
}

// listProvide lists one provider for each set of units that can be covered.
func listProvide(l *lister) {
	p, s := l.p, l.p.survey(l.seat)
	for f := range p.sc.Formations {
		if p.sc.Formations[f].Seat != l.seat || !s.undecided(int16(f)) {
			continue
		}
		list := s.providers(s.members(int16(f)))
		for i, x := range list {
			if slices.ContainsFunc(list[:i], func(b provider) bool { return slices.Equal(b.served, x.served) }) {
				continue
			}
			c := only(KindProvide)
			c.Name, c.Unit = p.sc.Formations[f].ID, x.hq
			if x.hq == NoUnit {
				c.At = Place(x.at)
			}
			if s.checkProvide(&c) == nil {
				l.give(c)
			}
		}
	}
}

// judge ends the checking of a side: markers come and go (OCS 12.8a), and what was found is kept for the breakout (OCS
// 12.8e-C). Units that trace or were fed lose their marker. Transports have no supply of their own (OCS 13.2b); what
// they could trace is noted for an immediate breakout.
func (p *Position) judge(x *exec, seat rules.Seat) {
	s, f := p.survey(seat), inner[*feeding](p)
	c := p.changed()
	fact := &ocsv1.SupplyChecked{Seat: seatIDs[seat]}
	for u := range p.all(seat) {
		result := ocsv1.Supplied_SUPPLIED_OUT
		switch {
		case !p.isCombat(u):
			if s.traces(u) {
				result = ocsv1.Supplied_SUPPLIED_TRACED
			}
		case slices.Contains(f.fed, u):
			result = ocsv1.Supplied_SUPPLIED_FED
			fact.Fed++
		case s.inSupply(u):
			result = ocsv1.Supplied_SUPPLIED_TRACED
			fact.Traced++
		default:
			fact.Out = append(fact.Out, p.id(u))
		}
		p.judged(c, u, result)
	}
	for u := range p.units {
		// OCS 12.6g
		if s := &p.units[u]; s.seat == seat && s.place == Aboard && p.afloat(Unit(u)) &&
			p.counter(Unit(u)).Kind.Land() {
			p.judged(c, Unit(u), ocsv1.Supplied_SUPPLIED_TRACED)
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_SupplyChecked{SupplyChecked: fact}})
	p.endFrame(x)
}

// judged notes the result of one unit. Only a combat unit that neither traces nor was fed is out of supply (OCS
// 12.6d); air units and air bases (OCS 15.0d) and ships (OCS 12.9d, OCS 18.1a) are never judged, HQs are as any combat
// unit (OCS 12.9b). Internal stocks neither change nor matter (OCS 12.10f).
func (p *Position) judged(c *changes, u Unit, result ocsv1.Supplied) {
	const oos = ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY
	out := p.isCombat(u) && result == ocsv1.Supplied_SUPPLIED_OUT
	if p.units[u].checked == uint8(result) && p.has(u, oos) == out {
		return
	}
	m := c.unit(u)
	m.Supplied = result
	switch {
	case out && !p.has(u, oos):
		m.Set = append(m.Set, oos)
	case !out && p.has(u, oos):
		m.Unset = append(m.Unset, oos)
	}
}

// reachableTokens is how many tokens can be given to a unit by draw or throw (OCS 9.5b).
func (p *Position) reachableTokens(u Unit) int {
	return p.survey(p.units[u].seat).inReach([]Unit{u}, false)
}
