package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Raid evasion (OCS 21.10b): at the end of the Exploitation Phase the side that is not phasing names rail lines on
// which the trace from an HQ to a source is cut, and the other side shifts its units in Move or Strat mode off them.

// raidCheck is a procedure of the side that names lines.
type raidCheck struct {
	head
	named []Place // hexes that it has named enemies in
}

func (*raidCheck) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_RAID_CHECK }

func (f *raidCheck) wire(w *framing) { w.places(&f.named) }

func (f *raidCheck) asks(*Position) (Ask, rules.Seats) { return AskRaid, rules.SeatsOf(f.seat) }

func (*raidCheck) proceed(p *Position, x *exec) { p.endFrame(x) }

// evasion is a procedure of the other side, which shifts units off a line.
type evasion struct {
	head
	units []Unit // to be shifted
	hq    Unit   // that traces along the line
	from  Place  // its hex
	line  []Place
}

func (*evasion) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_EVASION }

func (f *evasion) wire(w *framing) {
	w.from(&f.from)
	w.enemy(&f.hq)
	w.units(&f.units)
	w.places(&f.line)
}

func (*evasion) proceed(p *Position, x *exec) { p.endFrame(x) }

// evasionRange is how far a unit is shifted at most, in hexes.
const evasionRange = 2

// marched reports whether a unit has moved in this player turn, as far as its phase tells.
func (p *Position) marched(u Unit) bool {
	s := &p.units[u]
	return s.marks.has(ocsv1.UnitMark_UNIT_MARK_MARCHED) || s.marks.has(ocsv1.UnitMark_UNIT_MARK_MOVED) ||
		s.place != s.origin
}

// noteMarches notes which units of the phasing side have moved in a phase that ends.
func (p *Position) noteMarches(x *exec) {
	var list []Unit
	for u := range p.all(p.phasing) {
		if p.marched(u) && !p.has(u, ocsv1.UnitMark_UNIT_MARK_MARCHED) {
			list = append(list, u)
		}
	}
	if len(list) > 0 {
		c := p.changed()
		c.markAll(ocsv1.UnitMark_UNIT_MARK_MARCHED, list)
		tell(x, &event{Changes: c.list})
	}
}

// beginRaids asks the other side for rail lines. It is always asked: that no line is cut may be a secret.
func (p *Position) beginRaids(x *exec) {
	c := p.changed()
	c.push(newFrame[raidCheck](enemy(p.phasing), Nowhere))
	tell(x, &event{Changes: c.list})
}

// slips reports whether a unit is in a mode in which it must evade: Move or Strat; in Combat mode it need not.
func (p *Position) slips(u Unit) bool {
	m := p.mode(u)
	return m == MoveMode || m == StratMode
}

// raiders reports whether enemy pieces in a place look as if they would evade: what lies on top of them is in Move or
// Strat mode. Nothing else of them is known to the side that names the line.
func (p *Position) raiders(seat rules.Seat, at Place) bool {
	top := p.topOf(enemy(seat), at)
	return top != NoUnit && p.slips(top)
}

// lifted is the position without some units, to see what they block.
func (p *Position) lifted(units []Unit) *Position {
	q := p.Clone()
	for _, u := range units {
		s := q.units[u]
		s.place = Waiting
		q.set(u, s)
	}
	return q
}

// liftedRaiders is the position without the raiders of some places.
func (p *Position) liftedRaiders(seat rules.Seat, places []Place) *Position {
	var list []Unit
	for _, at := range places {
		if p.raiders(seat, at) {
			list = slices.AppendSeq(list, p.of(enemy(seat), at))
		}
	}
	return p.lifted(list)
}

// checkRaid says why a rail line may not be named: the HQ must be cut off, the line be one by which it would trace if
// the enemies on it were gone, and enemies be on it in a hex that was not named before.
func (p *Position) checkRaid(seat rules.Seat, c *Command) *rules.Refusal {
	if r := p.checkOwn(seat, c.Unit); r != nil {
		return r
	}
	hq, name := c.Unit, p.unitName(c.Unit)
	switch {
	case !p.counter(hq).HQ || p.units[hq].place.Hex() == NoHex:
		return rules.Refuse("OCS 21.10b", "refuse.no-hq", "unit", name).About(p.id(hq))
	case len(c.Path) == 0:
		return rules.Malformed("the command names no line")
	case p.survey(seat).direct(hq):
		return rules.Refuse("OCS 21.10b", "refuse.not-cut", "unit", name).About(p.id(hq))
	case !slices.ContainsFunc(c.Path,
		func(at Place) bool { return p.raiders(seat, at) && !slices.Contains(inner[*raidCheck](p).named, at) }):
		return rules.Refuse("OCS 21.10b", "refuse.no-raiders", "unit", name).About(p.id(hq)).At(p.placeIDs(c.Path)...)
	}
	if bad := p.liftedRaiders(seat, c.Path).survey(seat).broken(hq, c.Path); bad != Nowhere {
		return rules.Refuse("OCS 21.10b", "refuse.line-broken", "unit", name,
			"hex", p.sc.PlaceID(bad)).About(p.id(hq)).At(p.sc.PlaceID(bad))
	}
	return nil
}

// broken is the first place at which a rail line from an HQ to a source is broken: it begins at a station that the HQ
// draws from, follows the railway through hexes that nothing closes, and ends at a source or an extender that is linked
// (OCS 12.6a). It is Nowhere for a line that holds.
func (s *survey) broken(hq Unit, line []Place) Place {
	p := s.p
	first, last := line[0].Hex(), line[len(line)-1].Hex()
	for i, at := range line {
		h := at.Hex()
		switch {
		case h == NoHex || !s.railOpen(h) || slices.Contains(line[:i], at):
			return at
		case i > 0:
			d, ok := p.sc.Map.DirTo(line[i-1].Hex(), h)
			if !ok || p.sc.Hexes[line[i-1].Hex()].Tracks[d] == 0 {
				return at
			}
		}
	}
	switch {
	case !s.drawn(hq).has(first) || !p.detrains(s.seat, first):
		return line[0]
	case !s.anchors().has(last):
		return line[len(line)-1]
	}
	return Nowhere
}

// anchors are the hexes in which a rail line of the side begins: its sources, and extenders that are linked.
func (s *survey) anchors() hexSet {
	set := s.newSet()
	for _, h := range s.railSources() {
		set.add(h)
	}
	for _, u := range s.network().extenders {
		set.add(s.p.units[u].place.Hex())
	}
	return set
}

// playRaid names a line. Where the HQ stands whose trace is cut becomes known by it. The other side shifts what must
// evade.
func (p *Position) playRaid(x *exec, seat rules.Seat, cmd *Command) {
	next := *inner[*raidCheck](p)
	evade := newFrame[evasion](enemy(seat), Nowhere)
	evade.hq, evade.from, evade.line = cmd.Unit, p.units[cmd.Unit].place, cmd.Path
	for _, at := range cmd.Path {
		if p.raiders(seat, at) && !slices.Contains(next.named, at) {
			next.named = append(slices.Clone(next.named), at)
		}
		for u := range p.of(enemy(seat), at) {
			if p.slips(u) && p.marched(u) {
				evade.units = append(evade.units, u)
			}
		}
	}
	p.goOn(x, &next)
	x.Reveal()
	c := p.changed()
	c.push(evade)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_RaidChecked{RaidChecked: &ocsv1.RaidChecked{
		Seat: seatIDs[seat], From: p.sc.PlaceID(evade.from), Path: p.placeIDs(cmd.Path),
	}}})
}

// listRaid lists for each HQ that is cut off the shortest line that its enemies would open by leaving.
func listRaid(l *lister) {
	p := l.p
	cut := p.survey(l.seat)
	var open *survey
	for _, hq := range p.sc.tab.hqs[l.seat] {
		if l.done || p.units[hq].place.Hex() == NoHex || !l.acts(hq) || cut.direct(hq) {
			continue
		}
		if open == nil {
			var all []Place
			for h := range p.sc.Hexes {
				if p.sc.Hexes[h].Rail && p.cells[h].pieces[enemy(l.seat)] > 0 {
					all = append(all, Place(h))
				}
			}
			open = p.liftedRaiders(l.seat, all).survey(l.seat)
		}
		if line := open.lineTo(hq); line != nil {
			c := only(KindRaid)
			c.Unit, c.Path = hq, line
			l.checked(c)
		}
	}
}

// lineTo is the shortest rail line from a station that an HQ draws from to where rail lines begin; nil if it
// has none.
func (s *survey) lineTo(hq Unit) []Place {
	p, ends, anchors := s.p, s.drawn(hq), s.anchors()
	back := make([]Hex, p.sc.Map.Len())
	var todo []Hex
	seen := s.newSet()
	for h := range p.sc.Hexes {
		if ends.has(Hex(h)) && s.railOpen(Hex(h)) && p.detrains(s.seat, Hex(h)) {
			seen.add(Hex(h))
			todo, back[h] = append(todo, Hex(h)), NoHex
		}
	}
	for len(todo) > 0 {
		h := todo[0]
		todo = todo[1:]
		if anchors.has(h) {
			var line []Place
			for ; h != NoHex; h = back[h] {
				line = append(line, Place(h))
			}
			slices.Reverse(line)
			return line
		}
		for d, n := range p.sc.Map.Neighbors(h) {
			if n != NoHex && !seen.has(n) && p.sc.Hexes[h].Tracks[hex.Dir(d)] != 0 && s.railOpen(n) {
				seen.add(n)
				todo, back[n] = append(todo, n), h
			}
		}
	}
	return nil
}

// asks asks the owner while one of the units can be shifted. One that has nowhere to go stays.
func (f *evasion) asks(p *Position) (Ask, rules.Seats) {
	w := p.walk(f.seat)
	for _, u := range f.units {
		if len(w.refuges(f, u)) > 0 {
			return AskEvade, rules.SeatsOf(f.seat)
		}
	}
	return AskNothing, 0
}

// refuges are the hexes within two that a unit could enter and in which it cuts the line no more, all other units that
// evade left aside.
func (w *walker) refuges(f *evasion, u Unit) (list []Place) {
	p := w.p
	from := p.units[u].place.Hex()
	if from == NoHex || p.allowance(u) == 0 || p.has(u, ocsv1.UnitMark_UNIT_MARK_EXTENDER) {
		return nil
	}
	reached := []Hex{from}
	for begin, n := 0, 0; n < evasionRange; n++ {
		end := len(reached)
		for ; begin < end; begin++ {
			for d, to := range p.around(reached[begin]) {
				if w.entry(u, to) == noObstacle && p.passes(w.seat, p.shown(u).MP, reached[begin], to, d) &&
					!slices.Contains(reached, to) {
					reached = append(reached, to)
				}
			}
		}
	}
	q := p.lifted(f.units)
	for _, h := range reached[1:] {
		if p.isCombat(u) && p.stacked(w.seat, Place(h))+p.re(u) > p.limit() {
			continue
		}
		s := q.units[u]
		s.place = Place(h)
		q.set(u, s)
		if q.survey(enemy(w.seat)).broken(f.hq, f.line) == Nowhere {
			list = append(list, Place(h))
		}
	}
	return list
}

// checkEvade says why a unit may not be shifted to a hex.
func (p *Position) checkEvade(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*evasion](p)
	if c.Unit == NoUnit || c.At.Hex() == NoHex {
		return rules.Malformed("the command names no unit or no hex")
	}
	if !slices.Contains(f.units, c.Unit) {
		return rules.Refuse("OCS 21.10b", "refuse.need-not-evade", "unit", p.unitName(c.Unit)).About(p.id(c.Unit))
	}
	if !slices.Contains(p.walk(seat).refuges(f, c.Unit), c.At) {
		return rules.Refuse("OCS 21.10b", "refuse.no-evasion", "unit", p.unitName(c.Unit), "hex", p.sc.PlaceID(c.At),
			"n", evasionRange).
			About(p.id(c.Unit)).At(p.sc.PlaceID(c.At))
	}
	return nil
}

// playEvade shifts it, at no cost in MP or fuel.
func (p *Position) playEvade(x *exec, seat rules.Seat, cmd *Command) {
	next := *inner[*evasion](p)
	next.units = without(next.units, []Unit{cmd.Unit})
	p.goOn(x, &next)
	c := p.changed()
	from := p.units[cmd.Unit].place
	c.move(cmd.Unit, cmd.At)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitEvaded{UnitEvaded: &ocsv1.UnitEvaded{
		Seat: seatIDs[seat], Unit: p.id(cmd.Unit), From: p.sc.PlaceID(from), At: p.sc.PlaceID(cmd.At),
	}}})
	p.occupy(x, seat, []Unit{cmd.Unit}, []Place{cmd.At})
}

// listEvade lists every hex for each unit.
func listEvade(l *lister) {
	f, w := inner[*evasion](l.p), l.p.walk(l.seat)
	for _, u := range f.units {
		for _, at := range w.refuges(f, u) {
			c := only(KindEvade)
			c.Unit, c.At = u, at
			l.give(c)
		}
	}
}
