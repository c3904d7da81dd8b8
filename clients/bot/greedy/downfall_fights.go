package greedy

import (
	"math"
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// assault judges attacks by what they should cost and bring.
func (f *front) assault(a *boardv1.Action) float64 {
	switch a.Kind {
	case "land":
		h := last(a.Spaces)
		if steps(f.foe[h]) > 3 {
			return -5
		}
		return 8 + supported(a)
	case "declare":
		return 6 + 0.2*supported(a)
	case "also":
		return 4 + steps(f.pieces(a.Pieces))/4
	}
	target := last(a.Spaces)
	attackers, defenders := f.pieces(a.Pieces), f.foe[target]
	if len(defenders) == 0 {
		return 25 // a beachhead or 6/ASCO alone
	}
	bonus := supported(a)
	kill, loss := hits(attackers, bonus-f.slope(a.Spaces[0], target)), hits(defenders, 0)
	if f.seat == "japan" {
		loss = hits(defenders, 1.5) // their guns and aircraft
		for _, p := range defenders {
			if marked(p, "oos", "mixed", "coast") {
				kill++ // every step lost so costs a point
			}
		}
	}
	value := f.kill*min(kill, steps(defenders)) - f.loss*min(loss, steps(attackers)) - 0.4
	if f.seat == "us" && slices.ContainsFunc(attackers, costly) {
		value -= 8 * beyondOne(defenders) // a point is worth more than any enemy
	}
	if kill >= steps(defenders) {
		value += f.clear
	}
	if _, wanted := f.goals[target]; wanted || f.heads[target] {
		value += 1.5
		if f.seat == "us" && f.turn >= huntDays {
			value += f.hunted // every hunted unit that is left may cost the point for linked beachheads
		}
	} else if f.seat == "us" && f.turn >= huntDays && f.far(f.toHead, target) > 2 {
		value -= 1.5 // who is in nobody's way can be left alone
	}
	if a.Kind == "consecutive" {
		value -= 1
	}
	if f.seat == "us" {
		value -= f.patience
		if f.far(f.toHead, target) <= 1 {
			value += f.relief * steps(defenders)
		}
	}
	return value
}

// beyondOne is how many hits beyond the first, which can be taken back, a stack scores on average.
func beyondOne(stack []*boardv1.Piece) float64 {
	none := 1.0
	for _, p := range stack {
		none *= math.Pow(max(0, 1-strength(p)/10), float64(p.Steps))
	}
	return hits(stack, 0) - 1 + none
}

// slope is what the ground takes from an attack.
func (f *front) slope(from, target string) float64 {
	if f.rivers[[2]string{from, target}] {
		return f.hard[target] + 1
	}
	return f.hard[target]
}

// refit judges replacements and the drop.
func (f *front) refit(a *boardv1.Action) float64 {
	switch a.Kind {
	case "recover":
		if f.turn == lastDay {
			return -1
		}
		if f.far(f.toFoe, last(a.Spaces)) > 2 {
			return 1
		}
		return f.recover
	case "rebuild":
		return 1.5
	case "stepup":
		return 1
	case "drop":
		return 5
	}
	return -1 // cancel
}

// fight judges the decisions within a combat.
func (f *front) fight(a *boardv1.Action) float64 {
	switch a.Kind {
	case "shot", "bombard":
		target := f.units[last(a.Pieces)]
		if target == nil {
			return 0
		}
		v := 1 + strength(target)/10
		if target.Steps == 1 {
			v++
		}
		return v
	case "support":
		return supported(a)
	case "stay", "press":
		return 1
	case "retreat", "abort":
		return f.giveWay(a)
	case "advance":
		return f.advance(a)
	case "withdraw":
		return -f.far(f.toGoal, last(a.Spaces)) / 10
	}
	return 0 // hold, eliminate
}

// costly are the states of supply in which every step lost costs a point.
func costly(p *boardv1.Piece) bool { return marked(p, "oos", "coast", "air", "mixed") }

// giveWay says whether the US takes a step back: never from a beachhead that somebody can still hold, and from an
// attack only if nothing much can come of it any more, since a command point brings the step back as well.
func (f *front) giveWay(a *boardv1.Action) float64 {
	p := f.units[a.Pieces[0]]
	if p == nil {
		return 0
	}
	if a.Kind == "abort" {
		if costly(p) || hits(f.attackers, 1) < 0.4 {
			return 2
		}
		return 0.1*strength(p) - 2
	}
	if f.heads[p.Place] && guards(f.own[p.Place], nil) > 0 {
		return -5
	}
	return 1.2 + 0.1*strength(p)
}

func (f *front) advance(a *boardv1.Action) float64 {
	stack := f.pieces(a.Pieces)
	if len(stack) == 0 {
		return 0
	}
	h := last(a.Spaces)
	if f.seat == "japan" {
		return steps(stack)
	}
	value := steps(stack)/4 - hits(f.around(h), 0)/3
	if _, wanted := f.goals[h]; wanted {
		value += 3
	}
	from := stack[0].Place
	if f.held[from] && len(f.own[from]) == len(stack) {
		value -= f.keeping(from)
	}
	if f.heads[from] && guards(f.own[from], nil)-guards(stack, nil) < f.need[from] {
		value -= 10
	}
	return value
}
