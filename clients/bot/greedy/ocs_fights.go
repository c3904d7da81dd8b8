package greedy

import boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"

// What the staff reckons with: others lie under the unit on top of a stack, each level of a hedgehog makes it harder to
// take, and how good the odds must be, at last for what scores.
const (
	beneath   = 1.6
	perLevel  = 0.3
	gunsStock = 16 // tokens that guns leave
)

// fight values combats and barrages and all that is asked in them.
func (c *situation) fight(a *boardv1.Action) float64 {
	target := c.index(last(a.Spaces))
	switch a.Kind {
	case "attack":
		return c.attack(a, target)
	case "pay":
		return 1 + c.strength(a.Pieces)
	case "stocks":
		return 0.5
	case "lead":
		if p := c.pieces[last(a.Pieces)]; p != nil {
			return float64(number(p, "rating"))
		}
	case "lose":
		return c.lose(a)
	case "retreat":
		d := -c.toBase[target] - float64(len(c.foe[target]))
		if c.feared[target] {
			d -= 4
		}
		return d + c.strength(a.Pieces)/10
	case "advance":
		if len(a.Pieces) == 0 {
			return 0
		}
		if c.worth[c.battle] > 0 || c.toGoal[c.battle] < c.toGoal[c.index(c.pieces[a.Pieces[0]].Place)] {
			return 1 + c.strength(a.Pieces)
		}
		return -1
	case "barrage":
		if c.stock <= gunsStock || len(c.foe[target]) == 0 || c.odds(c.beside(target), target) < 1 {
			return -1
		}
		return 1 + c.goalWorth(target) + c.strength(a.Pieces)/100
	}
	return 0
}

// attack values an attack by its odds and by where it leads.
func (c *situation) attack(a *boardv1.Action, target int) float64 {
	odds, worth := min(c.odds(a.Pieces, target), 5), c.goalWorth(target)
	least := c.good
	switch {
	case worth > 0 && c.turn == c.final:
		least = c.last
	case worth > 0:
		least = c.scoring
	}
	if odds < least || c.tried[a.Command] {
		return -1
	}
	return 1 + odds + 2*worth - c.toGoal[target]/4
}

// goalWorth is what taking a hex scores.
func (c *situation) goalWorth(i int) float64 {
	if c.owner[i] == c.seat {
		return 0
	}
	return c.worth[i]
}

// odds are those of an attack, as far as the top of a stack tells.
func (c *situation) odds(pieces []string, target int) float64 {
	return c.strength(pieces) / c.resistance(target)
}

// beside are the units next to a hex.
func (c *situation) beside(i int) (ids []string) {
	for _, n := range c.near[i] {
		for _, p := range c.own[n] {
			ids = append(ids, p.Id)
		}
	}
	return ids
}

// lose prefers a way back to steps, but where the place scores.
func (c *situation) lose(a *boardv1.Action) float64 {
	steps, hexes := float64(amount(a.Command, countIn)), float64(amount(a.Command, retreatIn))
	v := -3*steps - hexes
	if hexes > 0 && len(c.own[c.battle]) > 0 {
		v -= 4 * c.worth[c.battle]
	}
	return v
}

// resistance is what attackers of a hex have to beat, as far as the top of a stack tells.
func (c *situation) resistance(target int) float64 {
	return beneath*powers(c.foe[target])*(1+perLevel*c.hedgehog[target]) + 1
}
