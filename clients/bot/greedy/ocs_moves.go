package greedy

import (
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// How far from HQs and dumps units still trust in their supply, and how near to the enemy they fight rather than march.
const (
	tether    = 5
	vicinity  = 3
	keepStock = 12 // tokens that fuel and guns leave for combat
)

// maneuver values moves and what goes with them.
func (c *situation) maneuver(a *boardv1.Action) float64 {
	p := c.pieces[last(a.Pieces)]
	if p == nil {
		return -1
	}
	at := c.index(p.Place)
	switch a.Kind {
	case "move":
		return c.move(a)
	case "mode":
		return c.mode(a, p, at)
	case "overrun":
		if target := c.index(last(a.Spaces)); c.odds(a.Pieces, target) >= 5 {
			return c.odds(a.Pieces, target)
		}
		return -1
	case "fuel":
		return c.fuel(p, at)
	case "release":
		if c.toGoal[at] <= vicinity || c.toFoe[at] <= 2 {
			return 1
		}
		return -1
	case "breakout":
		if c.toBase[at] == beyond {
			return 1
		}
		return -1
	case "leave":
		return c.leave
	}
	return -1 // fuel for all of a formation or HQ costs more than a few units need
}

// move values a march by how much better its end is than its beginning.
func (c *situation) move(a *boardv1.Action) float64 {
	from, to, load := c.index(c.pieces[a.Pieces[0]].Place), c.index(last(a.Spaces)), 0.0
	gain := 0.0
	for _, id := range a.Pieces {
		p := c.pieces[id]
		gain += c.desire(p, to) - c.desire(p, from)
		load += size(p)
	}
	gain *= (1 + 0.1*float64(len(a.Pieces))) / float64(len(a.Pieces))
	first := c.pieces[a.Pieces[0]]
	if printed(first, "strength") == "" {
		return gain - 0.5
	}
	if load > c.room(to) {
		return -1 // what is too many is lost
	}
	if worth := c.worth[from]; worth > 0 && c.owner[from] == c.seat && len(c.own[from]) <= len(a.Pieces) {
		gain -= 8 * worth // a place that scores keeps a guard
	}
	return gain - 0.5
}

// desire says how good a hex is for a piece.
func (c *situation) desire(p *boardv1.Piece, i int) float64 {
	if printed(p, "strength") == "" {
		return c.carry(p, i)
	}
	d := -1.5 * c.toGoal[i]
	switch base := c.toBase[i]; {
	case base == beyond:
		d -= 12 // surrounded
	case base > tether:
		d -= 2 * (base - tether)
	}
	if p.Kind == "headquarters" || power(p) < 3 { // guns and staffs stay behind others
		if c.feared[i] && len(c.own[i]) < 2 {
			d -= 6
		}
		return d/3 - max(0, 2-c.toFoe[i])
	}
	if c.goal[i] > 0 && len(c.foe[i]) == 0 {
		d += 5 + 4*c.goal[i]
	}
	if i < len(c.near)-1 && len(c.own[i]) == 0 && c.feared[i] && power(p) < 5 {
		d -= 2 // alone before the enemy
	}
	return d
}

// carry brings loads to the front and takes empty transports to the dumps behind.
func (c *situation) carry(p *boardv1.Piece, i int) float64 {
	if p.Kind != "transport" || c.feared[i] {
		return -5
	}
	if tokensOf(printed(p, "load")) >= 4 {
		return -c.toGoal[i] / 2
	}
	return 0
}

// mode has units that are near the enemy fight, those far from it march, and holds one that is
// neither back as a reserve.
func (c *situation) mode(a *boardv1.Action, p *boardv1.Piece, at int) float64 {
	if c.turn == 0 || printed(p, "strength") == "" {
		return -1
	}
	near, marching := c.toFoe[at] <= vicinity+1, marked(p, "move")
	switch {
	case strings.Contains(a.Command, "marker=strat"):
		return -1
	case strings.Contains(a.Command, "marker=reserve"):
		if c.reserves < c.held && !c.feared[at] && near && power(p) >= 6 && c.worth[at] == 0 &&
			strings.Contains(a.Command, "face=combat") && c.turn < c.final {
			return 0.2
		}
		return -1
	case marked(p, "dg"), marked(p, "reserve") && near:
		return -1
	case strings.Contains(a.Command, "face=combat"):
		if near && marching {
			return 30
		}
	case !near && !marching:
		return 30
	}
	return -1
}

// fuel is for units that have somewhere to go and cannot go there without.
func (c *situation) fuel(p *boardv1.Piece, at int) float64 {
	acts := c.phase == "movement" || strings.HasSuffix(c.phase, "movement") && marked(p, "exploitation", "released")
	if !acts || c.marches[p.Id] || printed(p, "strength") == "" || c.stock <= keepStock || c.toGoal[at] < 2 {
		return -1
	}
	return 0.3 + power(p)/100
}
