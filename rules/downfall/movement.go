package downfall

import (
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/hex"
)

// Chapter 12: movement. Beachheads and 6/ASCO never move; what bounds naval and air markers is their use (DF 12.5).
// What a unit may do on the way is in mover; what a move does is in moves.go.

// mover is how a stack moves: units of a hex that have the same movement factors.
type mover struct {
	seat rules.Seat
	mf   int
	// single: one hex of any terrain, rivers ignored (DF 9.5-e, DF 12.7).
	single bool
}

// mover is how a unit moves that is paid for now. Step losses don't change it, and MF are never kept (DF 12.1-b).
func (p *Position) mover(u Unit, mixed bool) mover {
	switch {
	case p.tab.japan.Has(u):
		return mover{seat: Japan, mf: p.japanMF(u)}
	case mixed, p.supply[u] == Coast, p.supply[u] == OOS: // DF 10.5-a, DF 9.6-a (D-39), DF 9.5-e
		return mover{seat: US, mf: 1, single: true}
	}
	return mover{seat: US, mf: min(p.sc.Chart.USMF, maxMF)} // DF 12.4
}

// japanMF are the MF of the turn by the kamikaze row (DF 12.2); coastal divisions have none, ever (DF 12.3).
func (p *Position) japanMF(u Unit) int {
	if p.tab.coastal.Has(u) {
		return 0
	}
	return min(int(p.jpMF), maxMF)
}

// closed reports whether a hex can't be entered: one with enemy units (DF 12.6-a). Japanese units may enter one with
// nothing but a beachhead or 6/ASCO (DF 12.6-b).
func (m *mover) closed(p *Position, h Hex) bool {
	if m.seat == Japan {
		return p.at[h]&p.tab.us&^p.tab.asco != 0
	}
	return p.at[h]&p.tab.japan != 0
}

// stops reports whether a unit that enters a hex must stop there: enemy ZOC, which friendly units don't
// cancel (DF 11.5, DF 8.2-e).
func (m *mover) stops(p *Position, h Hex) bool { return p.zoc[enemy(m.seat)][h] != 0 }

// price is what a step costs: 1 for Japan (DF 12.2) and for units that move a single hex (DF 12.7); for the US the
// terrain and a river (DF 12.4).
// side is the direction of the hexside as seen from other, which is either of the two hexes.
func (m *mover) price(p *Position, to, other Hex, side int) int {
	if m.seat == Japan || m.single {
		return 1
	}
	return p.sc.entry(other, hex.Dir(side), p.terrain(to))
}

// walk checks a path step by step from its first hex, at a cost already paid: adjacent hexes without a sea hexside (DF
// 12.6-c), no enemy (DF 12.6-a), no step out of enemy ZOC just entered (DF 11.5), within the MF (DF 12.1-a).
func (p *Position) walk(m mover, path []Hex, cost int, entered bool) *rules.Refusal {
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		dir, adjacent := p.sc.Map.DirTo(from, to)
		switch {
		case !adjacent:
			return p.refuseHex("DF 12.1-a", "refuse.not-adjacent", to, "from", from)
		case p.sc.Ground[from][dir] == NoHex:
			return p.refuseHex("DF 12.6-c", "refuse.sea", to, "from", from)
		case (i > 1 || entered) && m.stops(p, from):
			return p.refuseHex("DF 11.5", "refuse.zoc", from)
		case m.closed(p, to):
			return p.refuseHex("DF 12.6-a", "refuse.enemy", to)
		}
		cost += m.price(p, to, from, int(dir))
	}
	if cost > m.mf {
		return p.tooFar(m, cost)
	}
	return nil
}

// tooFar says by which rule a way is too long.
func (p *Position) tooFar(m mover, cost int) *rules.Refusal {
	rule := "DF 12.4"
	switch {
	case m.seat == Japan:
		rule = "DF 12.2"
	case m.single:
		rule = "DF 12.7"
	}
	return p.refuse(rule, "refuse.mf", "need", cost, "max", m.mf)
}

// way is the path of a route from a start: as given, or the cheapest to its destination.
func (p *Position) way(m mover, start Hex, r Route) ([]Hex, *rules.Refusal) {
	if len(r.Path) == 0 {
		return nil, p.refuse("DF 12.1-a", "refuse.no-path")
	}
	if len(r.Path) > 1 || r.Path[0] == start {
		path := r.Path
		if path[0] != start {
			path = append([]Hex{start}, path...)
		}
		return path, p.walk(m, path, 0, false)
	}
	return p.cheapest(m, start, r.Path[0])
}

// cheapest is the cheapest way to a hex, always the same one of several.
func (p *Position) cheapest(m mover, start, to Hex) ([]Hex, *rules.Refusal) {
	if p.firstStep(&m, start, to) == 1 {
		return []Hex{start, to}, nil // no way is as cheap
	}
	var room floodRoom
	f := newFlood(p, &room, m.seat)
	f.towards(&m, start, to)
	if !f.found.Has(to) {
		return nil, p.unreachable(m, start, to)
	}
	return f.trail(&m, 0, to), nil
}

// firstStep is what the step to an adjacent hex costs as the first one of a move; 0 if there is no such step,
// or too few MF for it.
func (p *Position) firstStep(m *mover, from, to Hex) int {
	for d, n := range p.sc.Ground[from] {
		if n != to || n == NoHex {
			continue
		}
		if cost := m.price(p, to, from, d); cost <= m.mf && !m.closed(p, to) {
			return cost
		}
	}
	return 0
}

// reachable is cheapest without the way.
func (p *Position) reachable(m mover, start, to Hex) *rules.Refusal {
	if p.firstStep(&m, start, to) > 0 {
		return nil
	}
	var room floodRoom
	f := newFlood(p, &room, m.seat)
	f.towards(&m, start, to)
	if !f.found.Has(to) {
		return p.unreachable(m, start, to)
	}
	return nil
}

// unreachable says why a destination is out of reach.
func (p *Position) unreachable(m mover, start, to Hex) *rules.Refusal {
	switch {
	case m.closed(p, to):
		return p.refuseHex("DF 12.6-a", "refuse.enemy", to)
	case m.mf == 0:
		return p.refuse("DF 12.3", "refuse.immobile").At(p.sc.HexID(start))
	}
	r := p.tooFar(m, p.sc.Map.Distance(start, to))
	r.Text = rules.Say("refuse.reach", "hex", p.sc.HexName(to), "max", m.mf)
	return r.At(p.sc.HexID(to))
}
