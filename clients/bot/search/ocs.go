package search

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

var ocsCraft = &craft{
	styles: func(string) []string { return []string{"firm"} },
	maker:  styled("ocs"),
	width:  5,
	usual:  250,
	margin: 1,
	open:   []string{"move", "barrage", "combat", "exploit", "exploit-barrage", "exploit-combat", "losses", "react"},
	once:   []string{"attack"},
	touch:  ocsTouch,
	worth:  ocsWorth,
	main:   []string{"move"},
	turns:  1,
	world:  ocsWorld,
}

// ocsTouch reads the commands that fill the lists: moves, each of units along a path.
func ocsTouch(_, kind, command string) (pieces, spaces []string, ok bool) {
	if kind != "move" {
		return nil, nil, false
	}
	words := strings.Fields(command)
	if len(words) != 3 {
		return nil, nil, false
	}
	return strings.Split(words[1], ","), []string{words[2][strings.LastIndexByte(words[2], '>')+1:]}, true
}

// ocsWorth judges by the places that score, by how near the units are to those that do not belong to their side, and
// by the strength of both sides.
func ocsWorth(chart *boardv1.Map) func(b *boardv1.Board, seat string) float64 {
	ground := newTerrain(chart)
	return func(b *boardv1.Board, seat string) float64 {
		held, all := 0.0, 0.0
		owner := make([]string, len(chart.Spaces))
		for _, s := range b.Spaces {
			if i, ok := ground.index[s.Id]; ok {
				owner[i] = s.Owner
			}
		}
		for i, worth := range ground.worth {
			all += worth
			if owner[i] == seat {
				held += worth
			}
		}
		own, foe, close := 0.0, 0.0, 0.0
		for _, p := range b.Pieces {
			power := strengthOf(p)
			i, onMap := ground.index[p.Place]
			if power == 0 || !onMap {
				continue
			}
			if p.Owner != seat {
				foe += power
				continue
			}
			own += power
			least := 12.0
			for j, worth := range ground.worth {
				if worth > 0 && owner[j] != seat {
					least = min(least, ground.apart(i, j))
				}
			}
			close += power * (12 - least) / 12
		}
		share := held / max(1, all)
		x := 4*(share-0.5) + 2*(own-foe)/max(1, own+foe) + 0.8*close/max(1, own)
		return 1 / (1 + math.Exp(-x))
	}
}

// terrain has the places of an OCS scenario that score.
type terrain struct {
	index  map[string]int
	worth  []float64
	points [][2]float64
}

func newTerrain(chart *boardv1.Map) *terrain {
	t := &terrain{index: map[string]int{}}
	for i, s := range chart.Spaces {
		t.index[s.Id] = i
		t.worth = append(t.worth, math.Abs(float64(s.Value)))
		col, row, _ := strings.Cut(s.Id, ".")
		x, _ := strconv.ParseFloat(col, 64)
		y, _ := strconv.ParseFloat(row, 64)
		t.points = append(t.points, [2]float64{x, y})
	}
	return t
}

// apart is about how many hexes lie between two.
func (t *terrain) apart(i, j int) float64 {
	dx, dy := math.Abs(t.points[i][0]-t.points[j][0]), math.Abs(t.points[i][1]-t.points[j][1])
	return max(dx, dy+dx/2)
}

// strengthOf is the printed strength of a piece; what is in brackets only defends.
func strengthOf(p *boardv1.Piece) float64 {
	for _, n := range p.Numbers {
		if n.Key == "strength" {
			x, _ := strconv.ParseFloat(strings.Trim(n.Value, "()"), 64)
			return x
		}
	}
	return 0
}

// dumpOf finds what is assumed to lie in the dumps of each side.
var dumpOf = map[string]*regexp.Regexp{
	"blue": regexp.MustCompile(`(?m)(^hex .*\bblue_t=)(\d+)`), "red": regexp.MustCompile(`(?m)(^hex .*\bred_t=)(\d+)`),
}

// ocsWorld draws what lies in the enemy's dumps: the seat sees only that there are some.
func ocsWorld(g rules.Game, seat rules.Seat, below func(n uint32) uint32) rules.Game {
	foe := g.Ruleset().About().SeatID(1 - seat)
	text := dumpOf[foe].ReplaceAllStringFunc(g.Notation(), func(line string) string {
		return dumpOf[foe].ReplaceAllString(line, "${1}"+strconv.Itoa(int(4+below(25))))
	})
	if drawn, err := g.Ruleset().ParsePosition(g.Scenario(), text); err == nil && drawn.Waiting().Has(seat) {
		return drawn
	}
	return g
}
