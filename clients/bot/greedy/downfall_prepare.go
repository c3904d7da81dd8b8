package greedy

import (
	"math"
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
		return shore - math.Abs(planTurn(a.Command)-6)/2
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

// bombKills is how many steps a bomb takes from so many on average: a die of six, less one.
func bombKills(steps float64) float64 {
	sum := 0.0
	for roll := range 6 {
		sum += min(float64(roll), max(0, steps))
	}
	return sum / 6
}

// bombValue is what one more bomb in a hex is worth: steps in it, less the friends that it would pin.
func (f *front) bombValue(h string) float64 {
	value := bombKills(steps(f.foe[h]) - 2.5*f.bombed[h])
	if f.spared[h] {
		value -= 10 // what a bomb has hit scores no more (DF 6.10-c)
	}
	if f.bombed[h] == 0 {
		for _, n := range f.near[h] {
			value -= 0.4 * float64(len(f.own[n]))
		}
	}
	switch d := f.far(f.toHead, h); {
	case d <= 1:
		value += 0.3 * (steps(f.foe[h]) - 2) // about to attack
	case d <= 3:
		value += 0.4
	case f.turn < 20:
		value -= 0.4
	}
	if f.worthBomb() == 1 && f.bars(h) {
		value += 1.5
	}
	return value
}

// worthBomb is what a bomb must be worth to be spent: in the last days they are no use any more if they are kept.
func (f *front) worthBomb() float64 {
	switch {
	case f.turn == lastDay || f.turn == lastDay-1 && f.tracks["bombs-left"] > 6: // no more than six a turn (DF 6.8-a)
		return 1
	case f.tracks["bombs-left"] <= 5:
		return 2.6
	}
	return 2
}

// bombs are as many as there are targets for.
func (f *front) bombs(a *boardv1.Action) float64 {
	n, _ := strconv.ParseFloat(last(strings.Fields(a.Command)), 64)
	worth := 0.0
	for h := range f.foe {
		if f.bombValue(h) >= f.worthBomb() {
			worth++
		}
	}
	return -math.Abs(n - worth)
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
