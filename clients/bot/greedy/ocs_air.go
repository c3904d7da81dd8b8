package greedy

import (
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// What the staff reckons with in the air: tokens that refits leave, the difference in the way to the front that makes
// supply by air worth while, and the barrage strength of a good mission.
const (
	refitStock  = 6
	airwayGain  = 0.4
	goodBarrage = 20
)

// air values missions and all that is asked in them: what fighters can win, bombs where the army attacks,
// supply nearer to the front.
func (c *situation) air(a *boardv1.Action) float64 {
	target := c.index(last(a.Spaces))
	switch a.Kind {
	case "refit":
		if c.stock <= refitStock {
			return -1
		}
		return float64(len(a.Pieces))
	case "sweep":
		return c.sweep(a, target)
	case "air-barrage", "hip-shoot":
		return c.bombs(a, target)
	case "airlift":
		return c.airlift(a)
	case "fly-back", "place-air", "place-ship":
		return 5 - c.toFront(last(a.Spaces)) - c.threat(target)
	case "intercept":
		return float64(len(a.Pieces)) / 2
	case "engage":
		return c.figures(a.Pieces, "rating")
	case "take-hit":
		return -c.figures(a.Pieces, "barrage")
	case "jettison":
		return -c.strength(a.Pieces)
	case "restore-air":
		return 2
	case "fly-on":
		return -float64(len(a.Pieces))
	case "stand-down":
		return -float64(len(a.Pieces))
	}
	return -1
}

// sweep values a sweep by the ratings of the fighters and of what is seen on top of the air base.
func (c *situation) sweep(a *boardv1.Action, target int) float64 {
	foe := 0.0
	for _, p := range c.wings[target] {
		foe += figure(p, "rating")
	}
	own := c.figures(a.Pieces, "rating")
	if foe == 0 || own < foe+1 || len(a.Pieces) > 2 {
		return -1
	}
	return 1 + own - foe
}

// bombs values a barrage of units by what attacks them afterwards, as far as the strength is worth it.
func (c *situation) bombs(a *boardv1.Action, target int) float64 {
	strength := c.figures(a.Pieces, "barrage")
	if !strings.Contains(a.Command, "target=units") || len(c.foe[target]) == 0 {
		return -1
	}
	odds := c.odds(c.beside(target), target)
	if odds == 0 || a.Kind == "hip-shoot" && odds < 1 {
		return -1
	}
	return 0.5 + min(strength/goodBarrage, 2) + c.goalWorth(target) + min(odds, 3)/3
}

// airlift values supply by air where an air base is nearer to the front than that from which it comes.
func (c *situation) airlift(a *boardv1.Action) float64 {
	tokens := amount(a.Command, countIn)
	p := c.pieces[last(a.Pieces)]
	if tokens == 0 || p == nil || len(a.Pieces) > 1 || c.toFront(p.Place)-c.toFront(last(a.Spaces)) < airwayGain ||
		c.threat(c.index(last(a.Spaces))) > 0 {
		return -1
	}
	return float64(tokens) / 2
}

// threat is 1 next to the enemy.
func (c *situation) threat(i int) float64 {
	if c.feared[i] || c.toFoe[i] <= 1 {
		return 1
	}
	return 0
}

// figure is a number of a piece, with or without brackets.
func figure(p *boardv1.Piece, key string) float64 {
	n, _ := strconv.ParseFloat(strings.Trim(printed(p, key), "()"), 64)
	return n
}

// figures adds up a number of some pieces.
func (c *situation) figures(ids []string, key string) (sum float64) {
	for _, id := range ids {
		if p := c.pieces[id]; p != nil {
			sum += figure(p, key)
		}
	}
	return sum
}
