package search

import (
	"math"
	"slices"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

var downfallCraft = &craft{
	styles: func(seat string) []string {
		if seat == "us" {
			return []string{"careful"}
		}
		return []string{""}
	},
	maker:  styled("downfall"),
	width:  6,
	alike:  downfallAlike,
	usual:  65, // 650 won less often as the US: see the tables of tournament.md
	margin: 1,
	worth:  downfallWorth,
	open:   []string{"plan", "bombs", "actions", "break"},
	main:   []string{"actions"},
	turns:  1,
	touch:  downfallTouch,
}

// downfallTouch reads the commands that fill the lists: moves and attacks.
func downfallTouch(_, kind, command string) (pieces, spaces []string, ok bool) {
	words := strings.Fields(command)[1:]
	switch kind {
	case "move", "follow", "enter":
		for i := 0; i+1 < len(words); i += 2 {
			way := words[i+1]
			pieces = append(pieces, words[i])
			spaces = append(spaces, way[strings.LastIndexByte(way, '-')+1:])
		}
		return pieces, spaces, true
	case "attack":
		for _, w := range words[2:] {
			if w[0] != '+' {
				pieces = append(pieces, w)
			}
		}
		return pieces, words[:2], true
	case "shot":
		return nil, nil, false
	}
	return nil, nil, false
}

// downfallAlike takes an attack for what it attacks, and a move for the unit that makes it. A landing is never put off.
func downfallAlike(a *boardv1.Action) string {
	switch {
	case a.Kind == "cancel":
		return ""
	case a.Kind == "attack" && len(a.Spaces) > 1:
		return "attack " + a.Spaces[1]
	case len(a.Pieces) > 0:
		return a.Kind + " " + a.Pieces[0]
	}
	return a.Command
}

// downfallWorth values a position by its points, its beachheads and their guards, and the time that is left.
func downfallWorth(chart *boardv1.Map) func(b *boardv1.Board, seat string) float64 {
	coast := newShore(chart)
	return func(b *boardv1.Board, seat string) float64 {
		sum := 0.0
		for i, x := range coast.features(b) {
			sum += downfallWeights[i].weight * x
		}
		us := 1 / (1 + math.Exp(-sum))
		if seat == "us" {
			return us
		}
		return 1 - us
	}
}

// downfallWeights say how much a feature speaks for the US, as the logarithm of the odds. TestDownfallWeights fits them
// (logistic regression, L2 penalty 5) to how 300 games ended between a careful US and a greedy Japan, at the beginning
// of the US's actions; a draw is half a win. On the fifth of the games that was held back the log loss is 0.52, and
// 0.64 for the mean alone. Few points are two at most, which is what a beachhead costs.
var downfallWeights = [...]struct {
	weight  float64
	feature string
}{
	{-4.838, "one"},
	{0.802, "points"},
	{0.858, "points late"},
	{-0.322, "late"},
	{-0.807, "late squared"},
	{-0.116, "beachheads"},
	{-0.583, "few points"},
	{-0.608, "some points"},
	{-0.326, "few points late"},
	{-0.169, "beachheads without guards"},
	{0.011, "... with few points"},
	{0.220, "hits that guards may take"},
	{-0.163, "... beyond what they stand"},
	{-0.013, "... with few points"},
	{0.496, "steps of the US"},
	{-0.755, "steps of Japan"},
	{-0.310, "steps whose loss costs points"},
	{0.489, "... with few points"},
	{-0.265, "6/ASCO ashore"},
	{-0.797, "... late"},
	{0.104, "places held that score at the end, late"},
	{-0.723, "steps of Japan late"},
	{-0.084, "steps of the US late"},
	{-0.177, "awards earned"},
	{0.154, "... late"},
	{0.073, "towns before turn 7 ends"},
	{0.744, "points to be had"},
	{0.013, "a win is out of reach"},
	{-0.287, "... late"},
	{-0.011, "a draw is out of reach"},
	{-0.542, "enemies that bar the link"},
	{-0.647, "... late"},
}

// shore holds the parts of Downfall's map that matter to the value of a position.
type shore struct {
	index map[string]int
	near  [][]int
	// towns are the coastal towns. bars are the hexes in which Japanese units keep the beachheads from being linked.
	towns []string
	bars  []bool
}

func newShore(chart *boardv1.Map) *shore {
	s := &shore{index: map[string]int{}, near: make([][]int, len(chart.Spaces)),
		bars: make([]bool, len(chart.Spaces))}
	bay := map[[2]string]bool{}
	for _, e := range chart.Edges {
		if e.Kind == "sea" {
			bay[[2]string{e.A, e.B}], bay[[2]string{e.B, e.A}] = true, true
		}
	}
	for i, space := range chart.Spaces {
		if space.Terrain != "sea" {
			s.index[space.Id] = i
		}
	}
	coastal := map[string]bool{}
	for i, space := range chart.Spaces {
		for _, id := range space.Neighbors {
			j, land := s.index[id]
			if _, here := s.index[space.Id]; here && land && !bay[[2]string{space.Id, id}] {
				s.near[i] = append(s.near[i], j)
			}
		}
		coastal[space.Id] = slices.Contains(space.Features, "coastal")
		if coastal[space.Id] && space.Terrain == "town" {
			s.towns = append(s.towns, space.Id)
		}
	}
	for _, r := range chart.Regions {
		for _, id := range r.Spaces {
			if i, land := s.index[id]; land && r.Id == "south-of-line" && coastal[id] {
				s.bars[i] = true
				for _, j := range s.near[i] {
					s.bars[j] = true
				}
			}
		}
	}
	return s
}

// lastAims are the hexes that score at the end, by what they score for (DF 4.7 to DF 4.9).
var lastAims = map[string]string{
	"2506": "kagoshima", "2605": "kagoshima", "2606": "kagoshima", "2615": "takarabe", "3013": "kirishima",
}

// armies are what the units on the map come to.
type armies struct {
	heads    []string
	guards   map[string]float64 // steps of line units by hex
	foes     map[int]float64    // hits that Japan scores on average, by hex
	own, foe float64
	costly   float64 // steps whose loss costs points
	service  float64
	barring  float64 // enemies that keep the beachheads from being linked
	aims     map[string]bool
}

func (s *shore) count(b *boardv1.Board) *armies {
	a := &armies{guards: map[string]float64{}, foes: map[int]float64{}, aims: map[string]bool{}}
	for _, p := range b.Pieces {
		i, ashore := s.index[p.Place]
		n := float64(p.Steps)
		switch {
		case !ashore:
		case p.Kind == "beachhead":
			a.heads = append(a.heads, p.Place)
		case p.Kind == "service":
			a.service = 1
		case p.Owner == "japan":
			a.foe += n
			a.foes[i] += n * strengthOf(p) / 10
			if s.bars[i] && n > 0 {
				a.barring++
			}
		case n > 0:
			a.own += n
			if p.Kind != "artillery" {
				a.guards[p.Place] += n
			}
			if aim := lastAims[p.Place]; aim != "" {
				a.aims[aim] = true
			}
			for _, m := range p.Marks {
				if m == "oos" || m == "coast" || m == "air" || m == "mixed" {
					a.costly += n
				}
			}
		}
	}
	return a
}

// exposure says how badly the beachheads are guarded.
type exposure struct {
	// bare is the number of beachheads without guards.
	bare float64
	// hits is the number of hits that adjacent enemies may inflict on the guards. beyond is the number of steps that
	// the guards lack to survive twice as many.
	hits, beyond float64
}

func (s *shore) exposure(a *armies) (e exposure) {
	for _, h := range a.heads {
		hits := 0.0
		for _, i := range s.near[s.index[h]] {
			hits += a.foes[i]
		}
		if a.guards[h] == 0 {
			e.bare++
		}
		e.hits += hits
		e.beyond += max(0, 2*hits-a.guards[h])
	}
	return e
}

// oneIf is 1 for true.
func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// features are those of downfallWeights.
func (s *shore) features(b *boardv1.Board) [len(downfallWeights)]float64 {
	tracks := map[string]float64{}
	for _, t := range b.Tracks {
		tracks[t.Id] = float64(t.Value)
	}
	a := s.count(b)
	e := s.exposure(a)
	turn := tracks["turn"]
	late := turn / float64(max(1, b.GetClock().GetLastTurn()))
	vp := tracks["vp"]
	few, some := oneIf(vp <= 2), oneIf(vp == 3 || vp == 4)
	earned, open := 0.0, 4.0                  // those of the last turn
	for award, last := range downfallAwards { // order-free: adds up whole numbers
		earned += tracks["award-"+award]
		if turn <= last && tracks["award-"+award] == 0 {
			open++
		}
	}
	towns := 0.0
	for _, h := range s.towns {
		towns += oneIf(a.guards[h] > 0)
	}
	return [...]float64{
		1, vp, vp * late, late, late * late, float64(len(a.heads)), few, some, few * late,
		e.bare, few * e.bare, e.hits, e.beyond, few * e.beyond,
		a.own / 20, a.foe / 20, a.costly / 4, few * a.costly / 4, a.service, a.service * late,
		float64(len(a.aims)) * late, late * a.foe / 20, late * a.own / 20, earned, earned * late,
		oneIf(turn <= 7) * min(4, towns), open, oneIf(vp+open < 8), oneIf(vp+open < 8) * late, oneIf(vp+open < 6),
		a.barring / 10, a.barring / 10 * late,
	}
}

// downfallAwards are the awards that can be earned before the last turn, with the last turn of each (DF 4.2 to DF 4.6).
var downfallAwards = map[string]float64{"towns-2": 2, "towns-7": 7, "miyakonojo": 20, "kanoya": 20, "asco": 30}
