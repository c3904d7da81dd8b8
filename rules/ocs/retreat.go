package ocs

import (
	"slices"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// retreatStep is a step of a retreat.
type retreatStep uint8

// The steps, by the numbers of the notation.
const (
	retreatSift retreatStep = iota // what cannot retreat is eliminated
	retreatAsk                     // asks
	groupStep                      // a group goes on: the one step of a retreatGroup
)

// retreat is what a side of a combat owes (OCS 9.12), at the hex of the combat. Each command of its owner moves a group
// that stands in one hex along one path: a retreatGroup inside the retreat.
type retreat struct {
	head
	step    retreatStep
	units   []Unit  // that must still retreat
	enemies []Place // hexes of the enemy units of the combat
	hexes   int     // to retreat
}

func (*retreat) kind() ocsv1.FrameKind { return ocsv1.FrameKind_FRAME_KIND_RETREAT }

func (f *retreat) wire(w *framing) {
	wireStep(w, &f.step)
	w.units(&f.units)
	w.places(&f.enemies)
	wireNumber(w, &f.hexes)
}

func (f *retreat) stepped(to retreatStep) *retreat {
	next := *f
	next.step = to
	return &next
}

// beginRetreat begins the retreat of a side of a combat.
func (p *Position) beginRetreat(x *exec, of *combat, seat rules.Seat, hexes int) {
	f := newFrame[retreat](seat, of.at)
	f.units, f.enemies, f.hexes = p.fighters(of, seat), of.hexes, hexes
	if seat == of.seat {
		f.enemies = []Place{of.at}
	}
	c := p.changed()
	c.push(f)
	tell(x, &event{Changes: c.list})
}

func (f *retreat) asks(*Position) (Ask, rules.Seats) {
	if f.step == retreatAsk {
		return AskRetreat, rules.SeatsOf(f.seat)
	}
	return AskNothing, 0
}

func (f *retreat) proceed(p *Position, x *exec) {
	p.turnAbout(x, f)
	if dead := p.trapped(f); len(dead) > 0 {
		c := p.changed()
		for _, u := range dead {
			c.eliminate(u)
		}
		x.Reveal()
		tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_RetreatFailed{RetreatFailed: &ocsv1.RetreatFailed{
			Seat: seatIDs[f.seat], Units: p.ids(dead), At: p.sc.PlaceID(f.at),
		}}})
		next := *f
		next.units = without(f.units, dead)
		p.goOn(x, &next)
		return
	}
	if len(f.units) > 0 {
		p.goOn(x, f.stepped(retreatAsk))
		return
	}
	p.endFrame(x)
}

// turnAbout puts units that cannot move on the face that is up, and HQs, on their Move face (OCS 9.12b, OCS 13.1c).
func (p *Position) turnAbout(x *exec, f *retreat) {
	c := p.changed()
	for _, u := range f.units {
		if p.units[u].face != MoveFace && (p.shown(u).Movement == 0 || p.counter(u).HQ) &&
			p.counter(u).Faces[MoveFace].Movement > 0 {
			c.unit(u).Face = ocsv1.Face_FACE_MOVE
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list})
	}
}

// trapped are the units that cannot retreat: they have no MA on any face (OCS 9.12b), or nowhere to go.
func (p *Position) trapped(f *retreat) (dead []Unit) {
	for _, u := range f.units {
		if len(p.courses(f, []Unit{u})) == 0 {
			dead = append(dead, u)
		}
	}
	return dead
}

// course is a path of a retreat and what it costs.
type course struct {
	path []Place
	// price is what it costs: nothing, DG that could be avoided, steps, or the whole group.
	price uint8
	// losses are the hexes in which a step is lost, by number of the hex from 1.
	losses []int
	// normal is true if it leads away from the enemy.
	normal bool
}

// Prices of a course.
const (
	courseFree uint8 = iota
	courseDG
	courseSteps
	courseDeath
)

// courses are the paths on which a group may retreat: those that lead away from the enemy, and others that avoid what
// all of those would cost (OCS 9.12c).
func (p *Position) courses(f *retreat, group []Unit) []course {
	var all []course
	path := make([]Place, 0, 4)
	start := p.units[group[0]].place.Hex()
	if start == NoHex {
		return nil
	}
	var extend func(at Hex)
	extend = func(at Hex) {
		if len(path) == f.hexes {
			if c, r := p.course(f, group, slices.Clone(path)); r == nil {
				all = append(all, c)
			}
			return
		}
		for _, n := range p.around(at) {
			if p.distance(start, n) == len(path)+1 && p.mayRetreatInto(group, at, n) == nil {
				path = append(path, Place(n))
				extend(n)
				path = path[:len(path)-1]
			}
		}
	}
	extend(start)
	best := courseDeath + 1
	for _, c := range all {
		if c.normal {
			best = min(best, c.price)
		}
	}
	return slices.DeleteFunc(all, func(c course) bool { return !c.normal && c.price >= best })
}

// mayRetreatInto says why a group may not retreat from a hex into the next (OCS 9.12): terrain that one of it cannot
// enter, enemies (OCS 9.12f), or for a unit in Strat mode an enemy ZOC (OCS 9.12e, OCS 5.8a).
func (p *Position) mayRetreatInto(group []Unit, from, to Hex) *rules.Refusal {
	at := p.sc.Map.ID(to)
	for _, u := range group {
		s, d := &p.units[u], hex.Dir(0)
		adjacent := false
		if d, adjacent = p.sc.Map.DirTo(from, to); !adjacent {
			return rules.Refuse("OCS 9.12c", "refuse.not-adjacent", "from", p.sc.Map.ID(from), "to", at).At(at)
		}
		foe := enemy(s.seat)
		switch {
		case p.shown(u).Movement == 0 || !p.passes(s.seat, p.shown(u).MP, from, to, d):
			return rules.Refuse("OCS 9.12", "refuse.prohibited", "unit", p.unitName(u), "hex", at).About(p.id(u)).At(at)
		case p.combatIn(foe, Place(to)):
			return rules.Refuse("OCS 9.12f", "refuse.enemy-there", "hex", at).At(at)
		case (p.cells[to].pieces[foe] > 0 || p.anyShip(foe, Place(to))) && !p.attackCapable(u): // OCS 4.8c-A
			return rules.Refuse("OCS 9.12f", "refuse.not-attack-capable", "unit", p.unitName(u)).About(p.id(u)).At(at)
		case s.marker == Strat && p.inZOC(foe, to):
			return rules.Refuse("OCS 9.12e", "refuse.strat-retreats", "unit", p.unitName(u),
				"hex", at).About(p.id(u)).At(at)
		}
	}
	return nil
}

// course works out a path: what is wrong with it, or what it costs (OCS 9.12a, OCS 9.12e). Enemy ZOCs in a retreat are
// never negated.
func (p *Position) course(f *retreat, group []Unit, path []Place) (course, *rules.Refusal) {
	seat, start := p.units[group[0]].seat, p.units[group[0]].place.Hex()
	c := course{path: path, normal: true}
	if len(path) != f.hexes {
		return c, rules.Refuse("OCS 9.12", "refuse.retreat-hexes", "hexes", f.hexes, "n", len(path))
	}
	dg := p.anyDG(group)
	for i, from := 0, start; i < len(path); i++ {
		to := path[i].Hex()
		if to == NoHex || p.distance(start, to) != i+1 {
			return c, rules.Refuse("OCS 9.12c", "refuse.retreat-distance", "hexes", f.hexes).At(p.sc.PlaceID(path[i]))
		}
		if r := p.mayRetreatInto(group, from, to); r != nil {
			return c, r
		}
		switch zoc := p.inZOC(enemy(seat), to); {
		case zoc && dg:
			c.losses, c.price, dg = append(c.losses, i+1), courseSteps, true
		case zoc:
			c.price, dg = max(c.price, courseDG), true
		case i == 1:
			dg = true
		}
		from = to
	}
	end := path[len(path)-1]
	res := p.stacked(seat, end)
	for _, u := range group {
		if p.isCombat(u) {
			res += p.re(u)
		}
	}
	if res > p.limit() {
		return c, rules.Refuse("OCS 9.12", "refuse.retreat-overstacks", "hex", p.sc.PlaceID(end), "limit",
			formatRE(p.limit())).At(p.sc.PlaceID(end))
	}
	if len(c.losses) >= p.capacity(combatants(p, group)) && len(c.losses) > 0 {
		c.price = courseDeath
	}
	for _, at := range f.enemies {
		c.normal = c.normal && p.distance(end.Hex(), at.Hex()) >= 2
	}
	return c, nil
}

func combatants(p *Position, group []Unit) (list []Unit) {
	for _, u := range group {
		if p.isCombat(u) {
			list = append(list, u)
		}
	}
	return list
}

// anyDG reports whether any part of a group is DG (OCS 9.12e).
func (p *Position) anyDG(group []Unit) bool {
	for _, u := range group {
		if p.isCombat(u) && p.units[u].marker == DG {
			return true
		}
	}
	return false
}

// checkRetreat says why units may not retreat along a path.
func (p *Position) checkRetreat(seat rules.Seat, c *Command) *rules.Refusal {
	f := inner[*retreat](p)
	if r := p.checkStack(seat, c.Units); r != nil {
		return r
	}
	must := false
	for _, u := range c.Units {
		if slices.Contains(f.units, u) {
			must = true
		} else if !p.mayAccompany(f, u) {
			return rules.Refuse("OCS 9.12d", "refuse.does-not-retreat", "unit", p.unitName(u)).About(p.id(u))
		}
	}
	if !must {
		return rules.Refuse("OCS 9.12d", "refuse.does-not-retreat",
			"unit", p.unitName(c.Units[0])).About(p.ids(c.Units)...)
	}
	way, r := p.course(f, c.Units, c.Path)
	if r != nil {
		return r
	}
	if !way.normal &&
		!slices.ContainsFunc(p.courses(f, c.Units), func(o course) bool { return slices.Equal(o.path, c.Path) }) {
		return rules.Refuse("OCS 9.12c", "refuse.towards-enemy",
			"hex", p.sc.PlaceID(c.Path[len(c.Path)-1])).At(p.sc.PlaceID(c.Path[len(c.Path)-1]))
	}
	return p.checkRetreatLosses(c, way)
}

// checkRetreatLosses checks the steps that a retreat into enemy ZOCs costs (OCS 9.12e): one for each such hex that a
// group enters of which a part is DG. In the first one only those that are DG already may lose it; that is their
// owner's choice.
func (p *Position) checkRetreatLosses(c *Command, way course) *rules.Refusal {
	group := combatants(p, c.Units)
	total, r := p.checkLines(c.Lines, group)
	if r != nil {
		return r
	}
	need := min(len(way.losses), p.capacity(group))
	if total != need {
		return rules.Refuse("OCS 9.12e", "refuse.retreat-losses", "need", need, "n", total)
	}
	fresh, most := 0, len(way.losses)
	for _, l := range c.Lines {
		if p.units[l.Unit].marker != DG {
			fresh += l.Count
		}
	}
	if most > 0 && way.losses[0] == 1 {
		most--
	}
	if fresh > most && p.anyDG(group) {
		return rules.Refuse("OCS 9.12e", "refuse.retreat-loss-dg")
	}
	return nil
}

// mayAccompany reports whether a unit that was not in the combat may go with others: a combat unit or an organic truck
// that can move, which never retreats alone (OCS 9.12d, OCS 13.2g-E).
func (p *Position) mayAccompany(f *retreat, u Unit) bool {
	if !p.isCombat(u) && !p.organic(u) || p.shown(u).Movement == 0 {
		return false
	}
	for _, o := range p.frames {
		if o, ok := o.(*combat); ok && o.at == f.at &&
			(slices.Contains(o.attackers, u) || slices.Contains(o.defenders, u)) {
			return false // it has retreated already
		}
	}
	return true
}

// playRetreat sends a group on its way.
func (p *Position) playRetreat(x *exec, seat rules.Seat, cmd *Command) {
	f := inner[*retreat](p).stepped(retreatSift)
	f.units = without(f.units, cmd.Units)
	from := p.units[cmd.Units[0]].place
	group := newFrame[retreatGroup](seat, f.at)
	group.units, group.path = cmd.Units, cmd.Path
	total := 0
	for i, u := range cmd.Units {
		if n := steps(cmd.Lines, u); n > 0 {
			group.losses = append(group.losses, make([]int, i+1-len(group.losses))...)
			group.losses[i] = n
			total += n
		}
	}
	p.goOn(x, f)
	c := p.changed()
	c.push(group)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsRetreated{UnitsRetreated: &ocsv1.UnitsRetreated{
		Seat: seatIDs[seat], Units: p.ids(cmd.Units), Path: p.placeIDs(append([]Place{from}, cmd.Path...)),
		Steps: uint32(total),
	}}})
}

// listRetreat lists the paths of all units that stand together, of those with each unit that may go with them, and of
// each alone.
func listRetreat(l *lister) {
	p, f := l.p, inner[*retreat](l.p)
	for _, at := range p.hexesOf(f.units) {
		var stack []Unit
		for _, u := range f.units {
			if p.units[u].place == at {
				stack = append(stack, u)
			}
		}
		l.courses(f, stack)
		if len(stack) > 1 {
			for _, u := range stack {
				l.courses(f, []Unit{u})
			}
		}
		for u := range p.of(l.seat, at) {
			if !slices.Contains(f.units, u) && p.mayAccompany(f, u) {
				l.courses(f, append(slices.Clone(stack), u))
			}
		}
	}
}

// courses lists the paths of a group, with losses to those that are DG, the first of them first.
func (l *lister) courses(f *retreat, group []Unit) {
	p := l.p
	for _, way := range p.courses(f, group) {
		c := only(KindRetreat)
		c.Units, c.Path = group, way.path
		need := len(way.losses)
		for _, dg := range [...]bool{true, false} {
			for _, u := range combatants(p, group) {
				if n := min(need, p.stepsLeft(u)); n > 0 && (p.units[u].marker == DG) == dg {
					c.Lines = append(c.Lines, Line{Unit: u, At: Nowhere, Count: n, By: NoUnit, Terrain: -1})
					need -= n
				}
			}
		}
		l.checked(c)
	}
}
