package greedy

import (
	"maps"
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
		return -f.far(f.toFoe, h) - 3*float64(max(0, len(f.own[h])-1))
	case "plan": // early, on an empty shore with few enemies around, close to friends
		shore := -3*steps(f.foe[h]) - steps(f.around(h)) + min(4, f.far(f.toFoe, h)) - f.far(f.toHead, h)
		return shore - math.Abs(planTurn(a.Command)-f.landing)/2
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
		if h == "" {
			return 0 // a command point is worth more than one unit's supply
		}
		if f.scores(h) && !f.supplied(h) {
			lacking += 10
		}
		for _, p := range f.own[h] {
			if marked(p, "oos", "coast", "air") {
				lacking++
			}
		}
		return lacking - 1.5
	}
	return 0
}

// scores reports whether a hex that is held earns a point in this turn.
func (f *front) scores(h string) bool {
	return f.held[h] && slices.ContainsFunc(aims, func(a aim) bool {
		return slices.Contains(a.hexes, h) && f.tracks[a.award] == 0 && (f.turn == lastDay || a.to < lastDay)
	})
}

func planTurn(command string) float64 {
	fields := strings.Fields(command)
	n, _ := strconv.Atoi(fields[len(fields)-1])
	return float64(n)
}

// bombKills is how many of so many steps some bombs take on average, each a die of six less one, and how
// likely they take them all.
func bombKills(steps, bombs int) (kills, clears float64) {
	if steps <= 0 {
		return 0, 1
	}
	if bombs <= 0 {
		return 0, 0
	}
	for roll := range 6 {
		hit := min(roll, steps)
		k, c := bombKills(steps-hit, bombs-1)
		kills, clears = kills+(float64(hit)+k)/6, clears+c/6
	}
	return kills, clears
}

// bombValue is what one more bomb in a hex is worth: steps in it, less the friends that it would pin.
func (f *front) bombValue(h string) float64 {
	there, before := int(steps(f.foe[h])), f.bombed[h]
	kills, clears := bombKills(there, before+1)
	killed, cleared := bombKills(there, before)
	value := kills - killed
	if f.spared[h] {
		value -= 10 // what a bomb has hit scores no more (DF 6.10-c)
	}
	if before == 0 {
		for _, n := range f.near[h] {
			value -= 0.4 * float64(len(f.own[n]))
		}
	}
	switch d := f.far(f.toHead, h); {
	case d <= 1:
		value += f.bombNear * float64(there-2) // about to attack
	case d <= 3:
		value += f.bombMid
	case f.turn < 20:
		value -= 0.4
	}
	if _, wanted := f.goals[h]; wanted && f.lastBombs() {
		value += 3 * (clears - cleared) // nobody comes to take it in the last days
	}
	return value
}

// worthBomb is what a bomb must be worth to be spent. What dies in the first week is in nobody's way for the whole
// game; a few are kept for the last days, when they are no use any more if they are kept longer.
func (f *front) worthBomb() float64 {
	switch {
	case f.lastBombs():
		return 0.5
	case f.tracks["bombs-left"] <= keptBombs:
		return 2.6
	case f.turn <= townDays:
		return f.bombEarly
	}
	return f.bombLater
}

// lastBombs reports whether a bomb that is kept now may never fall.
func (f *front) lastBombs() bool {
	return f.turn == lastDay || f.turn == lastDay-1 && f.tracks["bombs-left"] > mostBombs
}

// mostBombs is how many bombs may fall in a turn (DF 6.8-a), and keptBombs how many are kept for the end.
const mostBombs, keptBombs = 6, 3

// bombs are as many as there are targets for.
func (f *front) bombs(a *boardv1.Action) float64 {
	n, _ := strconv.ParseFloat(last(strings.Fields(a.Command)), 64)
	if f.wantedBombs < 0 {
		f.wantedBombs = f.countBombs()
	}
	return -math.Abs(n - f.wantedBombs)
}

// countBombs drops bombs on the map in the mind, the best one first, until no more is worth it. None is aimed yet.
func (f *front) countBombs() float64 {
	targets := slices.DeleteFunc(slices.Sorted(maps.Keys(f.foe)),
		func(h string) bool { return f.far(f.toHead, h) >= longWay })
	count := 0
	defer clear(f.bombed)
	for ; count < mostBombs; count++ {
		best, most := "", f.worthBomb()
		for _, h := range targets {
			if v := f.bombValue(h); v >= most {
				best, most = h, v
			}
		}
		if best == "" {
			break
		}
		f.bombed[best]++
	}
	return float64(count)
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
