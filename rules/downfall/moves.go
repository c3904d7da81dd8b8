package downfall

import "github.com/warledger/warledger/rules"

// Moves as commands (DF 7.4, DF 12.8). A stack moves like a single unit (DF 10.2), unit by unit: `move` pays 1 CP,
// `follow` moves further units that started in the same hex until something else is done. A `move` of several units is
// the same thing in one command.

// checkMover refuses a unit that can't move.
func (p *Position) checkMover(seat rules.Seat, u Unit) *rules.Refusal {
	switch {
	case u == NoUnit || !p.tab.side(seat).Has(u):
		return p.notYours(u)
	case !p.onMap.Has(u):
		return p.refuseUnit("DF 7.4-c", "refuse.not-on-map", u)
	case u == p.sc.Service:
		return p.refuseUnit("DF 8.8-c", "refuse.immobile-unit", u)
	case p.tab.coastal.Has(u):
		return p.refuseUnit("DF 12.3", "refuse.immobile-unit", u)
	}
	return p.free(u, false)
}

// routes are the ways of a command in either of its shapes.
func (c *Command) routes() []Route {
	if c.Routes != nil {
		return *c.Routes
	}
	return nil
}

// checkMove checks a paid move (DF 7.4-a).
func (p *Position) checkMove(seat rules.Seat, c Command) *rules.Refusal {
	if r := p.afford(p.sc.Chart.CP.Move); r != nil {
		return r
	}
	if c.Routes == nil {
		if r := p.checkMover(seat, c.Unit); r != nil {
			return r
		}
		return p.checkRoute(p.mover(c.Unit, p.mixed(p.place[c.Unit].Hex())), c.Unit, c.Hex)
	}
	return p.checkGroup(seat, c.routes())
}

// checkRoute checks the move of one unit to a destination.
func (p *Position) checkRoute(m mover, u Unit, to Hex) *rules.Refusal {
	start := p.place[u].Hex()
	if start == to {
		return nil // DF 7.4-b: it has acted all the same
	}
	if r := p.checkStack(u, to); r != nil {
		return r
	}
	if m.single || m.mf == 1 {
		return p.walk(m, []Hex{start, to}, 0, false)
	}
	return p.reachable(m, start, to)
}

// checkGroup checks several units, or explicit paths, in the order given: each way as the units before it left the map
// (DF 12.8), units of one hex only (DF 7.4-a), each once.
func (p *Position) checkGroup(seat rules.Seat, routes []Route) *rules.Refusal {
	if len(routes) == 0 {
		return p.refuse("DF 7.4-a", "refuse.no-units")
	}
	q, start, seen := p.Clone(), NoHex, UnitSet(0)
	for i, route := range routes {
		u := route.Unit
		if r := p.checkMover(seat, u); r != nil {
			return r
		}
		if i == 0 {
			start = p.place[u].Hex()
		}
		switch {
		case p.place[u].Hex() != start:
			return p.refuseUnit("DF 7.4-a", "refuse.other-hex", u, "hex", start)
		case seen.Has(u):
			return p.refuseUnit("DF 7.6-a", "refuse.twice", u)
		}
		seen |= bit(u)
		path, r := q.way(p.mover(u, p.mixed(start)), start, route)
		if r != nil {
			return r
		}
		if r := q.checkEnd(u, path); r != nil {
			return r
		}
		q.shadow(u, path)
	}
	return nil
}

// checkEnd checks where a path ends: the limits of stacking count there alone (D-42).
func (p *Position) checkEnd(u Unit, path []Hex) *rules.Refusal {
	end := path[len(path)-1]
	if end == p.place[u].Hex() {
		return nil
	}
	return p.checkStack(u, end)
}

// shadow moves a unit on a copy, as far as later paths can tell.
func (p *Position) shadow(u Unit, path []Hex) {
	if p.tab.japan.Has(u) {
		for _, h := range path {
			if f, ok := p.beachheadIn(h); ok {
				p.beachhead[f] = Removed
			}
			if p.at[h]&p.tab.asco != 0 {
				p.put(p.sc.Service, Removed)
			}
		}
	}
	p.put(u, Place(path[len(path)-1]))
}

// checkFollow checks the move of a further unit of the stack that was paid for last (DF 7.4-b). It has the MF of the
// moment of payment (D-43).
func (p *Position) checkFollow(seat rules.Seat, c Command) *rules.Refusal {
	u := c.Unit
	if c.Routes != nil && len(c.routes()) == 1 {
		u = c.routes()[0].Unit
	}
	if r := p.checkMover(seat, u); r != nil {
		return r
	}
	if !p.followers.Has(u) {
		return p.refuseUnit("DF 7.4-b", "refuse.not-following", u)
	}
	m := p.mover(u, p.followMixed)
	if c.Routes == nil {
		return p.checkRoute(m, u, c.Hex)
	}
	if len(c.routes()) != 1 {
		return p.refuse("DF 7.4-b", "refuse.no-units")
	}
	path, r := p.way(m, p.place[u].Hex(), c.routes()[0])
	if r != nil {
		return r
	}
	return p.checkEnd(u, path)
}

// playMove moves the first unit for 1 CP and the others along.
func (p *Position) playMove(x *exec, c Command, cost int) {
	routes := c.routes()
	if c.Routes == nil {
		routes = []Route{{Unit: c.Unit, Path: []Hex{c.Hex}}}
	}
	start := p.place[routes[0].Unit].Hex()
	mixed := p.followMixed
	var left UnitSet
	if cost > 0 {
		mixed = p.mixed(start)
		left = p.at[start] & p.mayMove(p.active())
	}
	for i, r := range routes {
		path, refusal := p.way(p.mover(r.Unit, mixed), start, r)
		if refusal != nil {
			return // a unit before it changed the map; Check looked at the same ways
		}
		if i > 0 {
			cost = 0
		}
		p.carry(x, r.Unit, path, func(part []Hex) *event {
			paid := cost
			cost = 0
			if paid == 0 {
				return p.eventMoved(r.Unit, part, 0, 0, false)
			}
			return p.eventMoved(r.Unit, part, paid, left&^bit(r.Unit), mixed)
		})
		if p.over() {
			return
		}
	}
}

// carry takes a unit along a path and settles what happens on the way: what a Japanese unit enters falls at
// once, and the unit goes on (DF 12.6-b, DF 8.5-d). first makes the event of the first part; the game may end in
// the middle (DF 4.13).
func (p *Position) carry(x *exec, u Unit, path []Hex, tell func(part []Hex) *event) {
	from := 0
	for i := range path {
		if i == len(path)-1 || p.tab.japan.Has(u) && p.incident(path[i]) {
			x.Emit(tell(path[from : i+1]))
			p.enterHex(x, setOf(u), path[i])
			from = i
		}
		if p.over() {
			return
		}
	}
	p.leaveCoast(x, setOf(u))
}

// incident reports whether a Japanese unit that enters a hex causes more than its move.
func (p *Position) incident(h Hex) bool {
	if _, beachhead := p.beachheadIn(h); beachhead || p.at[h]&p.tab.asco != 0 {
		return true
	}
	if p.earned&^p.lost == 0 {
		return false
	}
	for i := range p.sc.Chart.Awards {
		if a := &p.sc.Chart.Awards[i]; p.earned&^p.lost&(1<<i) != 0 && contains(a.Hexes, h) {
			return true
		}
	}
	return false
}

// enterHex settles what units find where they have come: Japanese units remove a beachhead (DF 8.5-d, DF 11.7-b) and
// 6/ASCO (DF 12.6-b), and take air bases. Then points are taken and DF 4.13 is looked at.
func (p *Position) enterHex(x *exec, units UnitSet, h Hex) {
	before := p.vp
	if units&p.tab.japan != 0 {
		if p.at[h]&p.tab.asco != 0 {
			p.loseService(x, "DF 12.6-b")
		}
		if f, ok := p.beachheadIn(h); ok {
			p.loseBeachhead(x, f)
		}
	}
	p.airBases(x)
	p.checkDefeat(x, before)
}

// canFollow reports whether a further unit of the stack that was paid for last can go anywhere, so that a phase
// without CP waits for it.
func (p *Position) canFollow() bool {
	if p.followers == 0 {
		return false
	}
	found := false
	p.legalFollow(&lister{yield: func(Command) bool { found = true; return false }})
	return found
}

// legalMoves lists the paid moves of single units to each hex that they can reach.
func (p *Position) legalMoves(seat rules.Seat, out *lister) bool {
	may := p.mayMove(seat)
	if p.sc.Chart.CP.Move > int(p.cp) || may == 0 {
		return true
	}
	var room floodRoom
	f := newFlood(p, &room, seat)
	out.look(p, seat)
	for rest := may; rest != 0; {
		h := p.place[rest.First()].Hex()
		stack := rest & p.at[h]
		rest &^= stack
		if !f.movesOf(stack, h, out) {
			return false
		}
	}
	return true
}

// movesOf lists the paid moves of a stack, or takes them from an earlier list.
func (f *flood) movesOf(stack UnitSet, start Hex, out *lister) bool {
	mixed := f.p.mixed(start)
	if !out.all || out.stacks == nil {
		return f.legalWays(KindMove, stack, start, mixed, out)
	}
	m, key := &out.stacks[f.seat], f.p.stackKey(stack, mixed)
	if moves, ok := m.find(start, key); ok {
		out.list = append(out.list, moves...)
		return true
	}
	from := len(out.list)
	f.legalWays(KindMove, stack, start, mixed, out)
	m.keep(start, key, out.list[from:], f.looked)
	return true
}

// legalFollow lists the ways of the units that may follow.
func (p *Position) legalFollow(out *lister) bool {
	rest := p.followers
	if rest != 0 {
		rest &= p.mayMove(p.active())
	}
	if rest == 0 {
		return true
	}
	var room floodRoom
	f := newFlood(p, &room, p.active())
	if out.reach != nil {
		out.reach.look(p)
	}
	return f.legalWays(KindFollow, rest, p.place[rest.First()].Hex(), p.followMixed, out)
}

// legalWays lists the destinations of units of one hex. Units with the same movement share a search.
func (f *flood) legalWays(k Kind, stack UnitSet, start Hex, mixed bool, out *lister) bool {
	p := f.p
	f.looked.Clear()
	var last mover
	for rest := stack; rest != 0; rest &= rest - 1 {
		u := rest.First()
		m := p.mover(u, mixed)
		if m.mf == 0 {
			continue
		}
		if m != last {
			if out.reach != nil {
				out.reach.search(f, &m, start)
			} else {
				f.from(&m, start)
			}
			f.looked.Or(f.touched)
			f.found.Remove(start)
			last = m
		}
		if !f.eachFit(k, u, out) {
			return false
		}
	}
	return true
}

// eachFit lists a command with each hex found in which a unit from elsewhere may end (DF 10.1).
func (f *flood) eachFit(k Kind, u Unit, out *lister) bool {
	full := &f.p.sides[f.seat].full
	if f.p.tab.art.Has(u) {
		return out.moves(k, u, f.found, full[1])
	}
	return out.moves(k, u, f.found, full[0])
}
