package greedy

import (
	"math"
	"slices"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// prepare judges set-up, the weapons and supply.
func (f *front) prepare(a *boardv1.Action) float64 {
	h := last(a.Spaces)
	switch a.Kind {
	case "place":
		return -far(f.toFoe, h) - 3*float64(max(0, len(f.own[h])-1))
	case "plan": // early, on an empty shore with few enemies around
		return -3*steps(f.foe[h]) - steps(f.around(h)) + far(f.toFoe, h) - math.Abs(planTurn(a.Command)-6)/2
	case "zones":
		return float64(len(a.Spaces)) // guns for every coast
	case "orders":
		if a.Command == "orders" {
			return 1
		}
		return 0
	case "bombs":
		return f.bombs(a)
	case "target":
		return f.bombValue(h)
	case "losses":
		return f.lossValue(a)
	case "supply":
		lacking := 0.0
		for _, p := range f.own[h] {
			if marked(p, "oos", "coast", "air") {
				lacking++
			}
		}
		return lacking - 1.5
	}
	return 0
}

func planTurn(command string) float64 {
	fields := strings.Fields(command)
	n, _ := strconv.Atoi(fields[len(fields)-1])
	return float64(n)
}

// bombValue is what a bomb in a hex is worth: steps in it, less the friends that it would pin.
func (f *front) bombValue(h string) float64 {
	value := min(3, steps(f.foe[h]))
	if f.spared[h] {
		value -= 10 // what a bomb has hit scores no more (DF 6.10-c)
	}
	for _, n := range f.near[h] {
		value -= 0.7 * float64(len(f.own[n]))
	}
	if d := far(f.toGoal, h); d <= 1 {
		value++
	}
	return value
}

func (f *front) bombs(a *boardv1.Action) float64 {
	n, _ := strconv.Atoi(last(strings.Fields(a.Command)))
	worth := 0
	for h := range f.foe {
		if f.bombValue(h) >= 3 {
			worth++
		}
	}
	if n > min(worth, 1) {
		return -float64(n)
	}
	return float64(n)
}

func (f *front) lossValue(a *boardv1.Action) float64 {
	v := 0.0
	for _, p := range f.pieces(a.Pieces) {
		if strings.Contains(a.Command, p.Id+":2") || p.Steps == 1 {
			v += 1 + strength(p)/10
		}
	}
	return v
}

// maneuver judges moves by where they lead and what they leave behind.
func (f *front) maneuver(a *boardv1.Action) float64 {
	p := f.units[a.Pieces[0]]
	to := last(a.Spaces)
	if p.Kind == "service" {
		return 7 - far(f.toHead, to)/2 // close to the beachhead that supplies it
	}
	if a.Kind == "enter" {
		return 4 + strength(p)/5 - far(f.toGoal, to)/10
	}
	value := 0.4 * (far(f.toGoal, p.Place) - far(f.toGoal, to))
	if f.seat == "us" && f.turn <= 7 {
		value *= 2 // the first week is for towns
	}
	if f.seat == "us" {
		value += f.holding(p, to)
	} else {
		value += f.gathering(p, to)
	}
	if a.Kind == "follow" {
		value += 0.2 // it costs nothing
	}
	return value - 0.3
}

// holding is the care of the US: guard beachheads, take goals, stay out of what would be thrown back, and keep to the supply line.
func (f *front) holding(p *boardv1.Piece, to string) float64 {
	value := 0.0
	if f.heads[p.Place] && guards(f.own[p.Place], p) < f.need[p.Place] {
		value -= 12
	}
	if f.heads[to] && guards(f.own[to], nil) < f.need[to] {
		value += 6
	}
	if f.held[p.Place] && len(f.own[p.Place]) == 1 && !f.held[to] {
		value -= 4
	}
	if _, wanted := f.goals[to]; wanted {
		value += 3
	}
	strong := append(slices.Clone(f.own[to]), p)
	if danger := hits(f.around(to), 0) - steps(strong)/2; danger > 0 {
		value -= 1.5 * danger
	}
	for _, other := range f.own[to] {
		if other.Formation != p.Formation && mixes(other) && mixes(p) {
			value -= 4
		}
	}
	if p.Kind == "artillery" && guards(f.own[to], nil) == 0 {
		value -= 5
	}
	if far(f.toHead, to) > 7 {
		value -= 3
	}
	return value
}

// mixes reports whether a unit cares which corps it stacks with.
func mixes(p *boardv1.Piece) bool { return p.Formation != "us-reserve" && p.Formation != "us-none" }

// guards are the steps of line units in a stack, without one that leaves.
func guards(stack []*boardv1.Piece, without *boardv1.Piece) float64 {
	n := 0.0
	for _, p := range stack {
		if p != without && p.Kind != "artillery" {
			n += float64(p.Steps)
		}
	}
	return n
}

// threat is how many steps a beachhead needs around now.
func (f *front) threat(head string) float64 {
	away, near := f.distances(map[string]int{head: 0}), 0.0
	reach := 4.0
	if f.turn <= 2 {
		reach = 3 // towns come first for as long as nobody is close
	}
	for h, stack := range f.foe {
		if far(away, h) <= reach {
			near += steps(stack)
		}
	}
	return min(6, max(2, near/2))
}

// gathering is the craft of Japan: come together next to the weakest beachhead, do not trickle in.
func (f *front) gathering(p *boardv1.Piece, to string) float64 {
	value := 0.0
	for _, n := range f.near[to] {
		if f.heads[n] {
			value += 1.5 - 0.3*steps(f.foe[n])
			if len(f.foe[n]) == 0 {
				value += 4
			}
		}
	}
	if f.heads[to] {
		value += 20 // an empty beachhead falls
	}
	friends := len(f.own[to])
	value += 0.4 * float64(min(friends, 2))
	if p.Kind == "coastal" {
		value -= 5
	}
	return value
}

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
	kill, loss := hits(attackers, bonus-f.hard(target)), hits(defenders, 0)
	if f.seat == "japan" {
		loss = hits(defenders, 1.5) // their guns and aircraft
		for _, p := range defenders {
			if marked(p, "oos", "mixed", "coast") {
				kill++ // every step lost so costs a point
			}
		}
	}
	value := 1.2*min(kill, steps(defenders)) - 0.8*min(loss, steps(attackers)) - 0.4
	if kill >= steps(defenders) {
		value += 1.5
	}
	if _, wanted := f.goals[target]; wanted || f.heads[target] {
		value += 1.5
	}
	if a.Kind == "consecutive" {
		value -= 1
	}
	return value
}

// hard is what the ground takes from an attack, roughly.
func (f *front) hard(string) float64 { return 1 }

// refit judges replacements and the drop.
func (f *front) refit(a *boardv1.Action) float64 {
	switch a.Kind {
	case "recover":
		return 2
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
		return -far(f.toGoal, last(a.Spaces)) / 10
	}
	return 0 // hold, eliminate
}

// giveWay says whether the US takes a step back: never from a beachhead that somebody can still hold.
func (f *front) giveWay(a *boardv1.Action) float64 {
	p := f.units[a.Pieces[0]]
	if a.Kind == "retreat" && p != nil && f.heads[p.Place] && guards(f.own[p.Place], nil) > 0 {
		return -5
	}
	v := 1.2 + 0.1*strength(p)
	if a.Kind == "abort" && steps(f.own[p.GetPlace()]) > 2 {
		v -= 0.5
	}
	return v
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
	if f.heads[stack[0].Place] && guards(f.own[stack[0].Place], nil)-guards(stack, nil) < f.need[stack[0].Place] {
		value -= 10
	}
	return value
}
