package greedy

import (
	"slices"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// judgeDownfall plays either side of Downfall.
//
// The US keeps its beachheads guarded, since losing one loses most games, and pushes what is left to the places that score. Japan gathers
// around the weakest beachhead and attacks it, or any stack that it outguns. Both fire at what they can kill, and pass when nothing is
// worth its price.
func judgeDownfall(p Position) func(*boardv1.Action) float64 {
	f := newFront(p)
	return func(a *boardv1.Action) float64 {
		switch a.Kind {
		case "place", "plan", "zones", "orders", "remove", "bombs", "target", "bomb", "losses", "supply":
			return f.prepare(a)
		case "move", "follow", "enter":
			return f.maneuver(a)
		case "attack", "consecutive", "also", "declare", "land":
			return f.assault(a)
		case "recover", "rebuild", "stepup", "cancel", "drop":
			return f.refit(a)
		case "end":
			return 0
		}
		return f.fight(a)
	}
}

// front is what a commander knows of the map, the stacks and the goals.
type front struct {
	seat  string
	turn  int
	units map[string]*boardv1.Piece
	// stacks are the units with steps of each side by hex.
	own, foe map[string][]*boardv1.Piece
	// heads are the hexes with beachheads.
	heads map[string]bool
	// near are the land neighbours of each hex.
	near map[string][]string
	// toGoal and toFoe are the distances over land to the nearest goal, and the nearest enemy.
	toGoal, toFoe map[string]int
	// toHead is the distance to the nearest beachhead, and need how many steps each beachhead needs around now.
	toHead map[string]int
	need   map[string]float64
	// goals are hexes to be taken, with how much later than others they are wanted; held are those that are and shall stay so.
	goals map[string]int
	held  map[string]bool
	coast map[string]bool
	// spared are hexes that would score no more if they were bombed.
	spared map[string]bool
	// south are the coastal hexes that must be clear in the end.
	south map[string]bool
	// earned are the awards.
	earned map[string]bool
}

func newFront(p Position) *front {
	f := &front{
		seat: p.Seat, units: map[string]*boardv1.Piece{}, own: map[string][]*boardv1.Piece{}, foe: map[string][]*boardv1.Piece{},
		heads: map[string]bool{}, near: map[string][]string{}, goals: map[string]int{}, held: map[string]bool{},
		earned: map[string]bool{}, need: map[string]float64{},
	}
	f.turn = int(p.Board.GetClock().GetTurn())
	for _, t := range p.Board.Tracks {
		f.earned[t.Id] = t.Value > 0
	}
	f.readMap(p.Map)
	for _, piece := range p.Board.Pieces {
		f.units[piece.Id] = piece
		switch {
		case piece.Kind == "beachhead":
			f.heads[piece.Place] = true
		case piece.Steps == 0 || piece.Kind == "service":
		case piece.Owner == f.seat:
			f.own[piece.Place] = append(f.own[piece.Place], piece)
		default:
			f.foe[piece.Place] = append(f.foe[piece.Place], piece)
		}
	}
	f.setGoals()
	f.toGoal = f.distances(f.goals)
	foes, heads := map[string]int{}, map[string]int{}
	for h := range f.foe {
		foes[h] = 0
	}
	for h := range f.heads {
		heads[h] = 0
	}
	f.toFoe, f.toHead = f.distances(foes), f.distances(heads)
	for head := range f.heads {
		f.need[head] = f.threat(head)
	}
	return f
}

func (f *front) readMap(m *boardv1.Map) {
	sea := map[[2]string]bool{}
	for _, e := range m.Edges {
		if e.Kind == "sea" {
			sea[[2]string{e.A, e.B}], sea[[2]string{e.B, e.A}] = true, true
		}
	}
	land := map[string]bool{}
	for _, s := range m.Spaces {
		land[s.Id] = s.Terrain != "sea"
	}
	for _, s := range m.Spaces {
		for _, n := range s.Neighbors {
			if land[s.Id] && land[n] && !sea[[2]string{s.Id, n}] {
				f.near[s.Id] = append(f.near[s.Id], n)
			}
		}
	}
	if f.seat == "us" {
		f.readObjectives(m)
	}
}

// aim is a set of hexes that score together, with the turns in which they are worth going to.
type aim struct {
	award    string
	from, to int
	hexes    []string
}

// aims of the US beside the coastal towns, as the rulebook names their hexes (DF 4.4 to DF 4.9).
var aims = []aim{
	{"award-miyakonojo", 1, 20, []string{"2514"}}, {"award-kanoya", 1, 20, []string{"2010"}},
	{"award-kagoshima", 9, 30, []string{"2506", "2605", "2606"}}, {"award-takarabe", 9, 30, []string{"2615"}}, {"award-kirishima", 9, 30, []string{"3013"}},
}

// readObjectives finds what scores: coastal towns for the first week, air bases until turn 20, the great objectives for the end.
func (f *front) readObjectives(m *boardv1.Map) {
	f.coast, f.spared = map[string]bool{}, map[string]bool{}
	for _, s := range m.Spaces {
		f.coast[s.Id] = slices.Contains(s.Features, "coastal")
		if s.Terrain == "town" && slices.Contains(s.Features, "coastal") && f.turn <= 7 {
			f.goals[s.Id] = 0
			f.spared[s.Id] = true
		}
	}
	for _, a := range aims {
		if f.turn < a.from || f.turn > a.to || f.earned[a.award] {
			continue
		}
		for _, h := range a.hexes {
			f.goals[h] = a.later(f)
			f.spared[h] = f.spared[h] || a.to < 30
		}
	}
	f.south = map[string]bool{}
	for _, r := range m.Regions {
		for _, h := range r.Spaces {
			f.south[h] = f.south[h] || r.Id == "south-of-line" && f.coast[h]
		}
	}
}

// later is how much later than others an aim is wanted: first the towns, then the air bases, then what scores at the end.
func (a aim) later(f *front) int {
	switch {
	case f.turn <= 2:
		return 4
	case a.to == 30 && f.turn <= 18 && !(f.earned["award-miyakonojo"] && f.earned["award-kanoya"]):
		return 4
	}
	return 0
}

// hunt adds the enemies that keep the beachheads from being linked (DF 4.10).
func (f *front) hunt() {
	for h := range f.foe {
		near := f.south[h]
		for _, n := range f.near[h] {
			near = near || f.south[n]
		}
		if _, known := f.goals[h]; near && !known && f.turn > 8 {
			f.goals[h] = 2
		}
	}
}

// setGoals keeps what is held apart from what is still to be taken, and gives Japan the beachheads.
func (f *front) setGoals() {
	if f.seat != "us" {
		for h := range f.heads {
			f.goals[h] = 0
		}
		return
	}
	f.hunt()
	for h := range f.goals {
		if len(f.own[h]) > 0 {
			f.held[h] = true
			delete(f.goals, h)
		}
	}
}

// distances over land from every hex to the nearest of some hexes, each with a start of its own; what cannot reach any is not in the map.
func (f *front) distances(from map[string]int) map[string]int {
	d := make(map[string]int, len(f.near))
	waves := make([][]string, 8)
	for h, n := range from {
		waves[n] = append(waves[n], h)
	}
	for n := 0; n < len(waves); n++ {
		for _, h := range waves[n] {
			if _, seen := d[h]; seen {
				continue
			}
			d[h] = n
			if n+1 == len(waves) {
				waves = append(waves, nil)
			}
			waves[n+1] = append(waves[n+1], f.near[h]...)
		}
	}
	return d
}

// far is a distance; a long way if there is none.
func far(d map[string]int, h string) float64 {
	if n, ok := d[h]; ok {
		return float64(n)
	}
	return 40
}

// strength is the printed number of a piece.
func strength(p *boardv1.Piece) float64 {
	for _, n := range p.GetNumbers() {
		if n.Key == "strength" {
			v, _ := strconv.Atoi(n.Value)
			return float64(v)
		}
	}
	return 0
}

// hits is how many hits a stack scores on average with a modifier, and steps how many it can take.
func hits(stack []*boardv1.Piece, modifier float64) float64 {
	sum := 0.0
	for _, p := range stack {
		sum += float64(p.Steps) * min(1, max(0, (strength(p)+modifier)/10))
	}
	return sum
}

func steps(stack []*boardv1.Piece) float64 {
	n := 0.0
	for _, p := range stack {
		n += float64(p.Steps)
	}
	return n
}

// around are the enemies next to a hex.
func (f *front) around(h string) (stack []*boardv1.Piece) {
	for _, n := range f.near[h] {
		stack = append(stack, f.foe[n]...)
	}
	return stack
}

func (f *front) pieces(ids []string) (stack []*boardv1.Piece) {
	for _, id := range ids {
		if p := f.units[id]; p != nil {
			stack = append(stack, p)
		}
	}
	return stack
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

func marked(p *boardv1.Piece, marks ...string) bool {
	return slices.ContainsFunc(marks, func(m string) bool { return slices.Contains(p.GetMarks(), m) })
}

// supported counts what an attack brings along.
func supported(a *boardv1.Action) float64 {
	return float64(strings.Count(a.Command, "+air")) + 1.5*float64(strings.Count(a.Command, "+naval"))
}
