package search

import (
	"math"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

var downfallCraft = &craft{
	styles: func(seat string) []string {
		if seat == "us" {
			return []string{"careful", ""}
		}
		return []string{""}
	},
	maker:  styled("downfall"),
	width:  4,
	usual:  250,
	margin: 1,
	worth:  downfallWorth,
	main:   []string{"actions"},
	turns:  1,
	touch:  downfallTouch,
}

// downfallTouch reads the commands that fill the lists: moves and attacks.
func downfallTouch(kind, command string) (pieces, spaces []string, ok bool) {
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

// downfallWorth judges by the points, by the beachheads and how they are guarded, and by the time that is left.
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

// downfallWeights say how much a feature speaks for the US, as the logarithm of the odds. They are fitted (logistic
// regression, L2 penalty 3) to how 700 games ended between a careful US and a greedy Japan, at the beginning of each
// side's actions; a draw is half a win. On the fifth of the games that was held back the log loss is 0.51, and 0.63 for
// the mean alone.
var downfallWeights = [...]struct {
	weight  float64
	feature string
}{
	{0.604, "one"},
	{0.718, "points"},
	{0.938, "points late"},
	{-1.799, "late"},
	{-0.690, "late squared"},
	{-0.251, "beachheads"},
	{-0.147, "few points"},
	{-0.913, "some points"},
	{-1.357, "few points late"},
	{0.001, "guards that lack"},
	{0.000, "... at the worst beachhead"},
	{-0.585, "beachheads without guards"},
	{0.112, "beachheads in reach of Japan"},
	{-0.041, "guards that lack with few points"},
	{-0.067, "... at the worst beachhead"},
	{0.005, "beachheads without guards with few points"},
	{1.072, "steps of the US"},
	{-0.176, "steps of Japan"},
	{-0.596, "steps whose loss costs points"},
	{0.629, "... with few points"},
	{-0.534, "6/ASCO ashore"},
	{-0.658, "... late"},
	{0.426, "places held that score at the end, late"},
	{-2.590, "steps of Japan late"},
	{-1.460, "steps of the US late"},
	{-0.082, "Japan to act"},
	{-0.004, "guards that lack when Japan is to act"},
	{-0.480, "awards earned"},
	{0.571, "... late"},
}

// shore has the distances of the map of Downfall.
type shore struct {
	index map[string]int
	near  [][]int
	away  map[string][]int8 // from a hex, up to reach
}

// reach is how far Japan comes in a turn: three hexes and an attack.
const reach = 4

func newShore(chart *boardv1.Map) *shore {
	s := &shore{index: map[string]int{}, near: make([][]int, len(chart.Spaces)), away: map[string][]int8{}}
	for i, space := range chart.Spaces {
		s.index[space.Id] = i
	}
	for i, space := range chart.Spaces {
		for _, id := range space.Neighbors {
			if j, ok := s.index[id]; ok {
				s.near[i] = append(s.near[i], j)
			}
		}
	}
	return s
}

// from are the distances from a hex; what is farther than reach has one more.
func (s *shore) from(id string) []int8 {
	if d, ok := s.away[id]; ok {
		return d
	}
	d := make([]int8, len(s.near))
	for i := range d {
		d[i] = reach + 1
	}
	wave := []int{s.index[id]}
	d[wave[0]] = 0
	for n := range int8(reach) {
		var next []int
		for _, i := range wave {
			for _, j := range s.near[i] {
				if d[j] > n+1 {
					d[j] = n + 1
					next = append(next, j)
				}
			}
		}
		wave = next
	}
	s.away[id] = d
	return d
}

// lastAims are the hexes that score at the end, by what they score for (DF 4.7 to DF 4.9).
var lastAims = map[string]string{
	"2506": "kagoshima", "2605": "kagoshima", "2606": "kagoshima", "2615": "takarabe", "3013": "kirishima",
}

// armies are what the units on the map come to.
type armies struct {
	heads    []string
	guards   map[string]float64 // steps of line units by hex
	foes     map[int]float64    // steps of Japan by hex
	own, foe float64
	costly   float64 // steps whose loss costs points
	service  float64
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
			a.foes[i] += n
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

// exposure is how many guards the beachheads lack, at most six each: in all, and at the worst; how many have none, and
// how many Japan can reach.
func (s *shore) exposure(a *armies) (lack, most, bare, menaced float64) {
	for _, h := range a.heads {
		d, near := s.from(h), 0.0
		for i, n := range a.foes { // order-free: adds up whole numbers
			if d[i] <= reach {
				near += n
			}
		}
		if near > 0 {
			menaced++
		}
		if a.guards[h] == 0 {
			bare++
		}
		l := min(6, max(0, 0.6*near-a.guards[h]))
		lack, most = lack+l, max(most, l)
	}
	return lack, most, bare, menaced
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
	lack, most, bare, menaced := s.exposure(a)
	late := tracks["turn"] / float64(max(1, b.GetClock().GetLastTurn()))
	vp := tracks["vp"]
	few, some := oneIf(vp <= 2), oneIf(vp == 3 || vp == 4)
	earned := 0.0
	for _, award := range []string{"towns-2", "towns-7", "miyakonojo", "kanoya", "asco"} {
		earned += tracks["award-"+award]
	}
	japan := oneIf(b.GetClock().GetActive() == "japan")
	return [...]float64{
		1, vp, vp * late, late, late * late, float64(len(a.heads)), few, some, few * late,
		lack, most, bare, menaced, few * lack, few * most, few * bare,
		a.own / 20, a.foe / 20, a.costly / 4, few * a.costly / 4, a.service, a.service * late,
		float64(len(a.aims)) * late, late * a.foe / 20, late * a.own / 20,
		japan, japan * lack, earned, earned * late,
	}
}
