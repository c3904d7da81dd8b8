package greedy

import (
	"slices"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// maneuver judges moves by where they lead and what they leave behind.
func (f *front) maneuver(a *boardv1.Action) float64 {
	p := f.units[a.Pieces[0]]
	to := last(a.Spaces)
	if p.Kind == "service" {
		return f.basing(to)
	}
	if a.Kind == "enter" {
		return f.ashore + strength(p)/5 - f.far(f.toGoal, to)/10 + f.entry*f.exposed(to, nil)
	}
	value := f.pull * (f.far(f.toGoal, p.Place) - f.far(f.toGoal, to))
	if f.seat == "us" && (f.turn <= townDays || f.turn >= rushDays && f.open) {
		value *= 2 // the first week is for towns, the last for what is still to be taken
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

// basing judges where and when 6/ASCO lands: behind guards or far from the enemy, close to the beachhead that supplies
// it. Near the end it can't be choosy any more.
func (f *front) basing(to string) float64 {
	away := min(6, f.far(f.toFoe, to))
	value := 4 + away/2 - f.far(f.toHead, to)/2
	if guards(f.own[to], nil) > 0 {
		return value + 3
	}
	if away < 5 && f.turn < baseDays {
		return -1
	}
	return value
}

// holding is the care of the US: guard beachheads, take goals, stay out of what would be thrown back, and
// keep to the supply line.
func (f *front) holding(p *boardv1.Piece, to string) float64 {
	value := 0.0
	if f.heads[p.Place] {
		value -= f.exposed(p.Place, p)
	}
	if f.heads[to] {
		value += f.back * f.exposed(to, nil)
	}
	if f.held[p.Place] && len(f.own[p.Place]) == 1 {
		value -= f.keeping(p.Place)
	}
	value += f.hurry(p, to)
	if later, wanted := f.goals[to]; wanted {
		value += f.goal + f.due*f.counted()
		if later == 0 && f.turn >= rushDays {
			value += 4 // sooner than another attack
		}
	}
	strong := append(slices.Clone(f.own[to]), p)
	if danger := hits(f.around(to), 0) - steps(strong)/2; danger > 0 && f.turn < lastDay {
		value -= f.peril * danger
	}
	for _, other := range f.own[to] {
		if other.Formation != p.Formation && mixes(other) && mixes(p) {
			value -= 4
		}
	}
	if p.Kind == "artillery" && guards(f.own[to], nil) == 0 {
		value -= 5
	}
	if f.far(f.toHead, to) > 7 && f.far(f.toGoal, to) > 1 {
		value -= 3
	}
	return value
}

// hurry is the worth of a step into one of the two towns that score on the second day (DF 4.2). On that day it is worth
// nothing unless there are command points for every town that is still lacking.
func (f *front) hurry(p *boardv1.Piece, to string) float64 {
	if f.turn > 2 || !slices.Contains(f.towns, to) || slices.Contains(f.towns, p.Place) || len(f.own[to]) > 0 {
		return 0
	}
	lacking := int64(2)
	for _, h := range f.towns {
		if len(f.own[h]) > 0 {
			lacking--
		}
	}
	if lacking <= 0 || f.turn == 2 && f.tracks["cp"] < lacking {
		return 0
	}
	return f.early
}

// keeping is how bad it is to leave a place that scores to nobody.
func (f *front) keeping(h string) float64 {
	value := f.keep + f.due*f.counted()
	if f.turn >= rushDays {
		value += 4
	}
	if f.earned(h) {
		value = max(value, 12) // Japan takes the point back by setting foot there
	}
	return value
}

// exposed is how bad it is that a beachhead lacks guards, perhaps without one that leaves. It costs two points; with no
// more than that the game.
func (f *front) exposed(head string, without *boardv1.Piece) float64 {
	lack := f.need[head] - guards(f.own[head], without)
	if lack <= 0 {
		return 0
	}
	if float64(f.tracks["vp"]) > f.poor {
		return f.bare + f.perGuard*lack
	}
	return f.grave + f.perGrave*lack
}

// counted is 1 on the days on which what is held, or nearly held, is counted.
func (f *front) counted() float64 {
	if f.turn == 2 || f.turn >= townDays-1 && f.turn <= townDays || f.turn == lastDay {
		return 1
	}
	return 0
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

// threat is how many steps a beachhead needs around now: enemies may come from four hexes away,
// three moves and an attack.
func (f *front) threat(head string) float64 {
	if f.seat == "us" && f.turn == lastDay {
		return 0 // Japan has had its last move
	}
	away, near := f.away(head), 0.0
	for h, stack := range f.foe {
		for _, p := range stack {
			d := f.far(away, h)
			if d <= 1 || d <= f.reach && p.Kind != "coastal" {
				near += float64(p.Steps)
			}
		}
	}
	if float64(f.tracks["vp"]) > f.rich {
		return min(3, max(2, near/2)) // the points are there to be fought for
	}
	return min(f.mostGuards, max(f.fewGuards, near*f.perEnemy))
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
