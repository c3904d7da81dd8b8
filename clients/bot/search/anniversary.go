package search

import (
	"math"
	"strings"
	"sync"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// anniversaryCraft compares ways to play a phase: a turn has hundreds of decisions, of which the greedy bot makes a
// plan, so that plans are compared and not single commands. Purchases follow the first style: their worth shows only
// rounds later, after the lines end.
var anniversaryCraft = &craft{
	styles: anniversaryStyles,
	maker:  styled("anniversary"),
	whims:  6,
	margin: 1,
	worth:  anniversaryWorth,
	phases: []string{"combat-move", "noncombat-move"},
	main:   []string{"purchase"},
	turns:  1,
	allied: true,
	even:   []string{"buy", "research", "fight", "end"},
	usual:  3000,
	touch:  anniversaryTouch,
}

// anniversaryTouch reads the commands that fill the lists: moves and voyages. It finds only the first piece, which is
// all that the greedy bot reads.
func anniversaryTouch(seat, kind, command string) (pieces, spaces []string, ok bool) {
	if kind != "move" && kind != "ship" || seat == scenario.PowerIDs[anniversary.UnitedStates] ||
		strings.Contains(command, " of ") {
		return nil, nil, false // it may be China's
	}
	words := strings.Fields(command)
	unit, way := strings.TrimSuffix(words[2], "#1"), words[len(words)-1]
	if kind == "ship" {
		unit, way = anniversary.Transport.ID(), words[2]
	}
	from, _, _ := strings.Cut(way, ">")
	return []string{from + "/" + seat + "/" + unit}, nil, true
}

// anniversaryStyles are the ways to play a power, the usual one first. The Allies' armies are shipped; shipping Japan's
// the same way was not tried.
func anniversaryStyles(seat string) []string {
	if scenario.PowerByID(seat).Side() == scenario.Allies {
		return []string{"ferrying", "ferrying-bold", "ferrying-wary"}
	}
	return []string{"steady", "bold", "wary"}
}

// steep is how sure a lead makes who will win, and lasting for how many rounds production counts.
const (
	steep   = 8.0
	lasting = 3.0
)

// anniversaryWorth judges by what the side's share of all wealth is.
func anniversaryWorth(*boardv1.Map) func(b *boardv1.Board, seat string) float64 {
	return func(b *boardv1.Board, seat string) float64 {
		wealth := Wealth(b)
		own := scenario.PowerByID(seat).Side()
		share := wealth[own] / max(1, wealth[0]+wealth[1])
		return 1 / (1 + math.Exp(-steep*(share-0.5)))
	}
}

// cityWorth is what a victory city counts in the wealth of a side, in IPCs.
const cityWorth = 10

// Wealth is what each side of an Anniversary game has, in IPCs, by which games that are cut off are judged: its units
// by their prices, its treasuries, three rounds of its production and ten for each victory city.
func Wealth(b *boardv1.Board) (wealth [2]float64) {
	for _, t := range b.Tracks {
		if side, ok := strings.CutPrefix(t.Id, "cities-"); ok {
			wealth[sideOf(side)] += cityWorth * float64(t.Value)
		}
		for suffix, times := range map[string]float64{"-ipcs": 1, "-production": lasting} { // order-free: sums
			if power, ok := strings.CutSuffix(t.Id, suffix); ok {
				if w := scenario.PowerByID(power); w < anniversary.NumPowers {
					wealth[w.Side()] += times * float64(t.Value)
				}
			}
		}
	}
	for _, p := range b.Pieces {
		u, w := scenario.UnitByID(p.Kind), scenario.PowerByID(p.Formation)
		if u < anniversary.NumUnits && w < anniversary.NumPowers {
			wealth[w.Side()] += float64(p.Count) * prices()[u]
		}
	}
	return wealth
}

// sideOf is the side that a track names.
func sideOf(id string) scenario.Side {
	if id == "axis" {
		return scenario.Axis
	}
	return scenario.Allies
}

// prices are those of the units: all scenarios that are shipped have the same.
var prices = sync.OnceValue(func() (list [anniversary.NumUnits]float64) {
	sc, _ := anniversary.LoadScenario(anniversary.New().ScenarioDocuments()[0].Data)
	for u := range list {
		list[u] = float64(sc.Units[u].Cost)
	}
	return list
})

// judgeAnniversary gives a game that was cut off to the side whose share of all wealth has grown since the set-up.
func judgeAnniversary(begin, now rules.Game) rules.Seats {
	share := func(g rules.Game) float64 {
		wealth := Wealth(g.Board(rules.Auditor, rules.English))
		return wealth[scenario.Axis] / max(1, wealth[scenario.Axis]+wealth[scenario.Allies])
	}
	about := now.Ruleset().About()
	for seat := range about.Seats {
		side := scenario.PowerByID(about.SeatID(rules.Seat(seat))).Side()
		if share(now) > share(begin) == (side == scenario.Axis) {
			return about.SideOf(rules.Seat(seat))
		}
	}
	return 0
}
