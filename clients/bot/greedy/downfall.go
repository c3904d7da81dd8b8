package greedy

import (
	"slices"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// downfall makes the judge that plays either side of Downfall.
//
// The US keeps its beachheads guarded, since losing one loses most games, and pushes what is left to the places that
// score. Japan gathers around the weakest beachhead and attacks it, or any stack that it outguns. Both fire at what
// they can kill, and pass when nothing is worth its price.
func downfall(c caution) func() Judge {
	return func() Judge {
		var known *ground // the map of a game never changes
		return func(p Position) func(*boardv1.Action) float64 {
			if known == nil || known.of != p.Map {
				known = survey(p.Map)
			}
			return newFront(known, p, c).judge()
		}
	}
}

// caution holds the weights by which the US guards its beachheads, and those of its other aims.
type caution struct {
	// perEnemy is how many steps of guards the US wants for each enemy step nearby, at least fewGuards and at most
	// mostGuards of them. With more than rich victory points it makes do with two or three.
	perEnemy, fewGuards, mostGuards, rich float64
	// bare is the cost of having too few guards, and perGuard that of each missing guard. grave and perGrave replace
	// them while the loss of the beachhead may end the game: with poor victory points or fewer.
	bare, perGuard, grave, perGrave, poor float64
	// back is the share of that cost that a unit saves by returning to a beachhead, and entry by coming ashore there.
	back, entry float64
	// ashore is the worth of bringing a unit ashore.
	ashore float64
	// pull is the worth of coming one hex nearer to a goal, and goal that of taking it. due is added in the turn in
	// which the goal is counted, and keep is the cost of leaving it.
	pull, goal, due, keep float64
	// peril is the cost of each hit that a hex may take.
	peril float64
	// patience is the gain that an attack must promise beyond its price. The gain is kill for each enemy step that
	// should fall, less loss for each own step. To that come clear if no enemy is left, hunted if the target lies on a
	// goal while units are hunted, and relief for each step of a target next to a beachhead.
	patience, kill, loss, clear, hunted, relief float64
	// bombEarly and bombLater are the least worth of a target for a bomb, in the first week and after it. bombNear is
	// added for each step beyond two next to a beachhead, and bombMid for a target two or three hexes from one.
	bombEarly, bombLater, bombNear, bombMid float64
	// early is the worth of each of the two towns that score on the second day.
	early float64
	// reach is the distance in hexes within which an enemy threatens a beachhead.
	reach float64
	// landing is the turn in which the corps in reserve should land.
	landing float64
	// recover is the worth of recovering a step near an enemy.
	recover float64
}

// usual is how the greedy bot plays, and careful is what beats its Japan more often. TestTuneCareful found most numbers
// of careful, in 2,000 games with each changed a little by chance. Early, reach, grave, perGrave and poor were compared
// one by one.
var (
	usual = caution{
		perEnemy: 0.5, fewGuards: 2, mostGuards: 6, rich: 4, bare: 2, perGuard: 1, grave: 6, perGrave: 4, poor: 2,
		back: 0.5, entry: 0.5, ashore: 4, pull: 0.4, goal: 3, due: 6, keep: 4, peril: 1.5,
		kill: 1.2, loss: 0.8, clear: 1.5, hunted: 2,
		bombEarly: 1.2, bombLater: 2, bombNear: 0.3, bombMid: 0.4, reach: 4, landing: 6, recover: 2,
	}
	careful = caution{
		perEnemy: 0.93, fewGuards: 1.66, mostGuards: 10.26, rich: 99, bare: 7.45, perGuard: 2.05, grave: 10,
		perGrave: 10, poor: 3, back: 0.62, entry: 0.48, ashore: 4.06, pull: 0.28, goal: 3.75, due: 6.34,
		keep: 4.11, peril: 1.41, patience: 1.2, kill: 1.03, loss: 0.96, clear: 1.35, hunted: 2.04, relief: -0.94,
		bombEarly: 1.4, bombLater: 2.16, bombNear: 0.32, bombMid: 0.31, early: 100, reach: 6,
		landing: 5.35, recover: 2.27,
	}
)

func (f *front) judge() func(*boardv1.Action) float64 {
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

// front is what a commander knows of the stacks and the goals.
type front struct {
	*ground
	caution
	seat  string
	turn  int
	units map[string]*boardv1.Piece
	// own and foe are the units with steps of each side by hex; bombed counts the bombs that are aimed at a hex.
	own, foe map[string][]*boardv1.Piece
	bombed   map[string]int
	// wantedBombs is how many bombs to drop, below 0 until that is asked.
	wantedBombs float64
	// heads are the hexes with beachheads, and need is how many steps each needs around now.
	heads map[string]bool
	need  map[string]float64
	// toGoal, toFoe and toHead are the distances over land to the nearest goal, enemy and beachhead.
	toGoal, toFoe, toHead []int
	// goals are hexes to be taken, with how much later than others they are wanted; held are those that
	// are and shall stay so.
	goals map[string]int
	held  map[string]bool
	// open is true while anything but enemies is still to be taken.
	open bool
	// attackers and defenders are the units of the combat under way.
	attackers, defenders []*boardv1.Piece
	// base is where 6/ASCO is, once it is on the map.
	base string
	// spared are hexes that would score no more if they were bombed.
	spared map[string]bool
	// tracks are the counters of the board: awards, points, bombs.
	tracks map[string]int64
}

func newFront(g *ground, p Position, c caution) *front {
	f := &front{
		ground: g, caution: c, seat: p.Seat, turn: int(p.Board.GetClock().GetTurn()),
		units: map[string]*boardv1.Piece{}, own: map[string][]*boardv1.Piece{},
		foe: map[string][]*boardv1.Piece{}, bombed: map[string]int{}, wantedBombs: -1, heads: map[string]bool{},
		need:  map[string]float64{},
		goals: map[string]int{}, held: map[string]bool{}, spared: map[string]bool{}, tracks: map[string]int64{},
	}
	for _, t := range p.Board.Tracks {
		f.tracks[t.Id] = t.Value
	}
	for _, piece := range p.Board.Pieces {
		f.sort(piece)
	}
	for _, r := range p.Board.Procedures { // the innermost is the last
		f.attackers, f.defenders = f.pieces(r.Attackers), f.pieces(r.Defenders)
	}
	f.setGoals()
	f.toGoal, f.toFoe, f.toHead = g.distances(f.goals), g.distances(starts(f.foe)), g.distances(starts(f.heads))
	for head := range f.heads {
		f.need[head] = f.threat(head)
	}
	return f
}

// sort puts a piece where it belongs.
func (f *front) sort(piece *boardv1.Piece) {
	f.units[piece.Id] = piece
	switch {
	case piece.Kind == "beachhead":
		f.heads[piece.Place] = true
	case piece.Kind == "bomb":
		f.bombed[piece.Place]++
	case piece.Kind == "service":
		if _, ashore := f.index[piece.Place]; ashore {
			f.base = piece.Place
		}
	case piece.Steps == 0:
	case piece.Owner == f.seat:
		f.own[piece.Place] = append(f.own[piece.Place], piece)
	default:
		f.foe[piece.Place] = append(f.foe[piece.Place], piece)
	}
}

// starts are places to measure distances from.
func starts[T any](places map[string]T) map[string]int {
	from := make(map[string]int, len(places))
	for h := range places {
		from[h] = 0
	}
	return from
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
	{"award-kagoshima", 9, 30, []string{"2506", "2605", "2606"}}, {"award-takarabe", 9, 30, []string{"2615"}},
	{"award-kirishima", 9, 30, []string{"3013"}},
}

// The days that change what the US is after: the last for towns, the first for the enemies between the
// beachheads, the first on which what is still to be taken is urgent, the first on which 6/ASCO lands wherever it
// can, and the last of all.
const (
	townDays, huntDays, rushDays, baseDays, lastDay = 7, 8, 21, 26, 30
)

// setGoals finds what scores: coastal towns for the first week, air bases until turn 20, the great objectives for the
// end. It keeps what is held apart from what is still to be taken, and what is held without supply is both. Japan's
// goals are the beachheads.
func (f *front) setGoals() {
	if f.seat != "us" {
		f.goals = starts(f.heads)
		return
	}
	for _, h := range f.towns {
		if f.turn <= townDays {
			f.goals[h], f.spared[h] = 0, true
		}
	}
	for _, a := range aims {
		base, earned := a.to < lastDay, f.tracks[a.award] > 0
		if f.turn < a.from || f.turn > a.to && !earned {
			continue
		}
		for _, h := range a.hexes {
			f.goals[h] = f.later(a)
			f.spared[h] = base && !earned
		}
	}
	for h := range f.goals {
		if len(f.own[h]) == 0 {
			continue
		}
		f.held[h] = true
		if f.supplied(h) {
			delete(f.goals, h)
		}
	}
	f.open = len(f.goals) > 0
	switch {
	case f.base == "":
	case len(f.own[f.base]) > 0:
		f.held[f.base] = true
	default:
		f.goals[f.base] = 2 // whoever walks in takes it
	}
	f.hunt()
}

// earned reports whether a hex has earned a point that Japan can take back: an air base, or 6/ASCO.
func (f *front) earned(h string) bool {
	return h == f.base || slices.ContainsFunc(aims, func(a aim) bool {
		return a.to < lastDay && slices.Contains(a.hexes, h) && f.tracks[a.award] > 0
	})
}

// supplied reports whether a hex is held by somebody who scores there, since who is out of supply does not (DF 4.2).
func (f *front) supplied(h string) bool {
	return slices.ContainsFunc(f.own[h], func(p *boardv1.Piece) bool { return !marked(p, "oos") })
}

// later is how much later than others an aim is wanted: first the towns, then the air bases, then
// what scores at the end.
func (f *front) later(a aim) int {
	switch {
	case f.turn <= 2:
		return 4
	case a.to == lastDay && f.turn <= 18 && !(f.tracks["award-miyakonojo"] > 0 && f.tracks["award-kanoya"] > 0):
		return 4
	}
	return 0
}

// hunt adds the enemies that keep the beachheads from being linked (DF 4.10).
func (f *front) hunt() {
	later := 1
	if f.turn >= rushDays && len(f.goals) > 0 {
		later = 5 // the surer points first
	}
	for h := range f.foe {
		if _, known := f.goals[h]; !known && f.bars(h) && f.turn >= huntDays {
			f.goals[h] = later
		}
	}
}

// bars reports whether a unit in a hex keeps the beachheads from being linked, as its zone of control reaches a
// coast south of the line.
func (f *front) bars(h string) bool {
	return f.south[h] || slices.ContainsFunc(f.near[h], func(n string) bool { return f.south[n] })
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
