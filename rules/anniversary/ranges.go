package anniversary

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Suggested colours of ranges: where units get, how far aircraft fly, and what they could attack.
const (
	moveColor   = "#1f5fa8"
	flyColor    = "#4a7fb5"
	attackColor = "#b3261e"
)

// ranges are what stacks could attack in combat moves of their power (AA 8.1.1), its transports included; where they
// could move without combat (AA 12.1.1); how far aircraft fly; and from where the powers could attack a space. They are
// worked out as if the power's turn began, unless it is making its combat moves. All units are open, so everyone is
// told the same.
func (p *Position) ranges(v rules.Viewer, of rules.Ranged, lang rules.Lang) []*boardv1.Layer {
	r := &ranger{d: drawer{p, v, lang}, moves: map[Power][2][]Command{}}
	for _, id := range of.Pieces {
		if g, ok := p.stackByID(id); ok {
			r.stack(g)
		}
	}
	if s := p.sc.SpaceByID(of.Space); s != NoSpace {
		r.threats(s)
	}
	return r.finish()
}

// stackByID finds the group of a stack on the board.
func (p *Position) stackByID(id string) (Group, bool) {
	for s := range Space(p.sc.Len()) {
		found, ok := Group{}, false
		p.eachPiece(s, func(g Group, variant int) {
			if !ok && p.pieceID(p.sc.SpaceID(s), g.Power(), g.Unit(), variant) == id {
				found, ok = g, true
			}
		})
		if ok {
			return found, true
		}
	}
	return Group{}, false
}

// ranger collects ranges by key. The range of several stacks is what any of them reaches.
type ranger struct {
	d      drawer
	layers []*boardv1.Layer
	sets   []*SpaceSet
	// moves are the combat moves and the others of each power that was asked about.
	moves map[Power][2][]Command
}

// set returns the set of a range. The first call for a key adds a layer of that name.
func (r *ranger) set(key, color string, name rules.Text) *SpaceSet {
	for i, l := range r.layers {
		if l.GetKey() == key {
			return r.sets[i]
		}
	}
	r.layers = append(r.layers, &boardv1.Layer{Key: key, Color: color, Name: catalogue.Format(r.d.lang, name)})
	r.sets = append(r.sets, new(SpaceSet))
	return r.sets[len(r.sets)-1]
}

// finish writes the sets into the layers.
func (r *ranger) finish() []*boardv1.Layer {
	for i, l := range r.layers {
		for s := range r.sets[i].Each {
			l.Spaces = append(l.Spaces, r.d.sc.SpaceID(s))
		}
	}
	return r.layers
}

// commands are the combat moves of a power, and its moves without combat, as if its turn began.
func (r *ranger) commands(w Power) (fight, other []Command) {
	if known, ok := r.moves[w]; ok {
		return known[0], known[1]
	}
	q := r.d.moving(w)
	l := &lister{p: q, seat: w.Seat(), yield: func(c Command) bool {
		fight = append(fight, c)
		return true
	}}
	l.combatMoves()
	q.phase = PhaseNoncombat
	l = &lister{p: q, seat: w.Seat(), f: rules.Filter{Kind: kinds[KindMove].ID}, yield: func(c Command) bool {
		other = append(other, c)
		return true
	}}
	l.noncombatMoves()
	r.moves[w] = [2][]Command{fight, other}
	return fight, other
}

// stack adds the ranges of a stack.
func (r *ranger) stack(g Group) {
	p, w := r.d.Position, g.Power()
	if g.Unit() == Complex {
		return
	}
	move := r.set("move", moveColor, rules.Say("range.move"))
	attack := r.set("attack", attackColor, rules.Say("range.attack"))
	fight, other := r.commands(w)
	for _, c := range fight {
		if to := c.aim(); uses(&c, g) && p.against(w, to) {
			attack.Add(to)
		}
	}
	for _, c := range other {
		if uses(&c, g) && (c.Power == NoPower || c.Power == w) {
			move.Add(c.To)
		}
	}
	if !g.Unit().In(scenario.AirUnits) {
		return
	}
	fly := r.set("fly", flyColor, rules.Say("range.fly"))
	for s := range Space(p.sc.Len()) {
		if s != g.At() && p.flight(w, g.At(), s) <= p.moves(w, g.Unit()) {
			fly.Add(s)
		}
	}
}

// aim is the space that a combat move attacks; NoSpace if it attacks none.
func (c *Command) aim() Space {
	switch c.Kind {
	case KindMove, KindJoin, KindRaid, KindDrop:
		return c.To
	case KindShip:
		return c.Target
	}
	return NoSpace
}

// against reports whether there is something for a power to fight for in a space.
func (p *Position) against(w Power, s Space) bool {
	foe := w.Side().Enemy()
	return s != NoSpace && (p.owner[s].Side() == foe || p.tallies[s][foe].any > 0)
}

// uses reports whether units like those of a group take part in a move.
func uses(c *Command, g Group) bool {
	switch c.Kind {
	case KindRaid, KindDrop: // a bomber, and the infantry that it drops (AA 6.3.7)
		return c.From == g.At() && (g.Unit() == Bomber || c.Kind == KindDrop && g.Unit() == Infantry)
	case KindJoin:
		return c.To == g.At() && g.Unit() == Fighter
	case KindShip:
		if c.From == g.At() && g.Unit() == Transport && c.Power == g.Power() {
			return true
		}
	}
	for _, it := range c.items() {
		from := c.From
		if it.At != NoSpace {
			from = it.At
		}
		if from == g.At() && it.Unit == g.Unit() {
			return true
		}
	}
	return false
}

// threats adds where the units of each power are that could attack a space. A power that has none is left out.
func (r *ranger) threats(at Space) {
	p := r.d.Position
	for w := range NumPowers {
		var from SpaceSet
		fight, _ := r.commands(w)
		for _, c := range fight {
			if c.aim() != at || !p.against(w, at) {
				continue
			}
			if c.Kind == KindJoin {
				from.Add(at)
				continue
			}
			from.Add(c.From)
			for _, it := range c.items() {
				if it.At != NoSpace {
					from.Add(it.At)
				}
			}
		}
		if !from.Empty() {
			*r.set("attackers-"+scenario.PowerIDs[w], p.sc.Powers[w].Color,
				rules.Say("range.attackers", "power", powerName(w), "space", spaceName(p.sc, at))) = from
		}
	}
}
