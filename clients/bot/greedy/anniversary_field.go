package greedy

import (
	"slices"
	"strconv"
	"strings"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// stack counts units by type.
type stack = [anniversary.NumUnits]int

// field is the position as a general needs it: units by space, and who holds what.
type field struct {
	*theatre
	seat   anniversary.Power
	side   anniversary.Side
	round  int
	phase  string
	pieces map[string]*boardv1.Piece
	owner  []anniversary.Power
	// all are the units of each side, by the units of each power; cargo is not among them.
	all [2][]stack
	by  [anniversary.NumPowers][]stack
	// sent are own units that moved to fight, with those that land there; landing are the zones that
	// landings are declared from.
	sent    []stack
	landing []bool
	// aboard counts own land units on own transports, freight those of one stack of transports.
	aboard  []int
	freight map[string]int
	// capacity and damage of the complexes; held says where there are any.
	capacity, damage []int
	held             []bool
	// rich is the treasury of each power; techs are what shows in the numbers of its units.
	rich  [anniversary.NumPowers]int
	techs [anniversary.NumPowers]scenario.Techs
	// waiting are own units to be put on the map.
	waiting stack
	// taste multiplies the worth of each space; nil for 1.
	taste []float64
	// due are the spaces in which combat must be fought; battleAt is where it is under way, -1 if nowhere, between
	// attackers and defenders.
	due                  []bool
	battleAt             int
	attackers, defenders []string
}

func newField(t *theatre, p Position) *field {
	n := len(t.ids)
	f := &field{
		theatre: t, seat: scenario.PowerByID(p.Seat), round: int(p.Board.GetClock().GetTurn()),
		phase:  p.Board.GetClock().GetPhase(),
		pieces: make(map[string]*boardv1.Piece, len(p.Board.Pieces)), owner: make([]anniversary.Power, n),
		sent: make([]stack, n), landing: make([]bool, n), aboard: make([]int, n), freight: map[string]int{},
		capacity: make([]int, n), damage: make([]int, n), held: make([]bool, n), due: make([]bool, n), battleAt: -1,
	}
	f.side = f.seat.Side()
	for i := range f.owner {
		f.owner[i] = anniversary.NoPower
	}
	for i := range f.all {
		f.all[i] = make([]stack, n)
	}
	for i := range f.by {
		f.by[i] = make([]stack, n)
	}
	for _, s := range p.Board.Spaces {
		i, ok := t.index[s.Id]
		if !ok {
			continue
		}
		f.due[i] = slices.Contains(s.Marks, "combat")
		if f.owner[i] = scenario.PowerByID(s.Owner); slices.Contains(s.Marks, "china") {
			f.owner[i] = anniversary.China
		}
	}
	for _, r := range p.Board.Procedures {
		if r.Kind == "battle" {
			f.battleAt, f.attackers, f.defenders = f.at(last(r.Spaces)), r.Attackers, r.Defenders
		}
	}
	for _, piece := range p.Board.Pieces {
		f.add(piece)
	}
	f.land()
	for _, k := range p.Board.Tracks {
		if id, ok := strings.CutSuffix(k.Id, "-ipcs"); ok {
			if w := scenario.PowerByID(id); w < anniversary.NumPowers {
				f.rich[w] = int(k.Value)
			}
		}
	}
	return f
}

// add puts a piece where it belongs.
func (f *field) add(p *boardv1.Piece) {
	f.pieces[p.Id] = p
	at, ok := f.index[p.Place]
	u, n := scenario.UnitByID(p.Kind), int(p.Count)
	w := scenario.PowerByID(p.Formation)
	switch {
	case u == anniversary.Complex && ok:
		f.held[at], f.capacity[at], f.damage[at] = true, number(p, "capacity"), number(p, "damage")
		return
	case u >= anniversary.NumUnits || w >= anniversary.NumPowers:
		return
	case !ok:
		if w == f.seat {
			f.waiting[u] += n
		}
		return
	case marked(p, "aboard"):
		if w == f.seat {
			f.aboard[at] += n
		}
		f.freight[p.Id[:strings.LastIndexByte(p.Id, '/')]]++
		return
	}
	f.all[w.Side()][at][u] += n
	f.by[w][at][u] += n
	f.learn(w, u, number(p, "attack"))
	if f.own(w) && marked(p, "moved") && !marked(p, "done", "raid") {
		f.sent[at][u] += n
	}
}

// land adds what lands to the units that were sent to fight.
func (f *field) land() {
	for id, p := range f.pieces {
		ship, aboard := "", false
		if marked(p, "lands") {
			ship, aboard = id[:strings.LastIndexByte(id, '/')], true
		}
		if s := f.pieces[ship]; aboard && s != nil {
			if to, ok := f.index[text(s, "target")]; ok {
				f.sent[to][scenario.UnitByID(p.Kind)] += int(p.Count)
				f.landing[f.index[p.Place]] = true
			}
		}
	}
}

// learn notes the technologies that show in attack values.
func (f *field) learn(w anniversary.Power, u anniversary.Unit, attack int) {
	switch {
	case u == anniversary.Fighter && attack > 3:
		f.techs[w] |= 1 << scenario.JetFighters
	case u == anniversary.Submarine && attack > 2:
		f.techs[w] |= 1 << scenario.SuperSubmarines
	}
}

// own reports whether the seat plays a power.
func (f *field) own(w anniversary.Power) bool {
	return w < anniversary.NumPowers && w.Seat() == f.seat.Seat()
}

// hostile reports whether a territory is in enemy hands.
func (f *field) hostile(s int) bool { return f.owner[s].Side() == f.side.Enemy() }

// friendly reports whether a territory is held by the seat's side.
func (f *field) friendly(s int) bool { return f.owner[s].Side() == f.side }

// enemies are the enemy units in a space.
func (f *field) enemies(s int) *stack { return &f.all[f.side.Enemy()][s] }

// friends are the units of the seat's side in a space.
func (f *field) friends(s int) *stack { return &f.all[f.side][s] }

// text is a number of a piece as it is written; empty if it has none.
func text(p *boardv1.Piece, key string) string {
	for _, n := range p.GetNumbers() {
		if n.Key == key {
			return n.Value
		}
	}
	return ""
}

func number(p *boardv1.Piece, key string) int {
	n, _ := strconv.Atoi(text(p, key))
	return n
}

// The kinds of units that a general thinks of together.
func foot(s *stack) int {
	return s[anniversary.Infantry] + s[anniversary.Artillery] + s[anniversary.Tank]
}
func wings(s *stack) int { return s[anniversary.Fighter] + s[anniversary.Bomber] }
func surface(s *stack) int {
	return s[anniversary.Battleship] + s[anniversary.Carrier] + s[anniversary.Cruiser] + s[anniversary.Destroyer]
}
func ships(s *stack) int { return surface(s) + s[anniversary.Submarine] + s[anniversary.Transport] }

// armed counts what can take part in a battle.
func armed(s *stack) int { return foot(s) + wings(s) + surface(s) + s[anniversary.Submarine] }

func sum(a, b *stack) stack {
	c := *a
	for u, n := range b {
		c[u] += n
	}
	return c
}
