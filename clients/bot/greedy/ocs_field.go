package greedy

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// country is what the staff knows of the map.
type country struct {
	of    *boardv1.Map
	at    map[string]int
	near  [][]int
	worth []float64
	wet   []bool
	port  []bool
}

func chartOf(m *boardv1.Map) *country {
	n := len(m.Spaces)
	g := &country{of: m, at: make(map[string]int, n), near: make([][]int, n+1), worth: make([]float64, n+1),
		wet: make([]bool, n+1), port: make([]bool, n+1)}
	for i, s := range m.Spaces {
		g.at[s.Id] = i
		g.worth[i] = math.Abs(float64(s.Value))
		g.wet[i] = s.Terrain == "all_sea" || s.Terrain == "lake"
		g.port[i] = slices.Contains(s.Features, "port")
	}
	for i, s := range m.Spaces {
		for _, id := range s.Neighbors {
			g.near[i] = append(g.near[i], g.at[id])
		}
	}
	return g
}

// index is the number of a hex; that of a place without neighbours for anything else.
func (g *country) index(id string) int {
	if i, ok := g.at[id]; ok {
		return i
	}
	return len(g.of.Spaces)
}

// beyond is farther than anything on the map.
const beyond = 99

// distances are in hexes over land from some, through whatever open lets pass.
func (g *country) distances(from []int, open func(i int) bool) []float64 {
	d := make([]float64, len(g.near))
	for i := range d {
		d[i] = beyond
	}
	for _, i := range from {
		d[i] = 0
	}
	for todo := from; len(todo) > 0; {
		var next []int
		for _, i := range todo {
			for _, n := range g.near[i] {
				if d[n] == beyond && !g.wet[n] && open(n) {
					d[n] = d[i] + 1
					next = append(next, n)
				}
			}
		}
		todo = next
	}
	return d
}

// situation is a position as the staff sees it.
type situation struct {
	*country
	*doctrine
	seat, phase string
	turn, final int
	pieces      map[string]*boardv1.Piece
	// own and foe are the combat units of each hex, as far as they are seen; hedgehog is the level there.
	own, foe [][]*boardv1.Piece
	// cargo are its own combat units that are aboard something in each hex.
	cargo [][]*boardv1.Piece
	// wings are the enemy's air units that are seen in each hex.
	wings    [][]*boardv1.Piece
	hedgehog []float64
	owner    []string
	feared   []bool // in an enemy zone of control
	stock    int    // tokens on the ground in all
	// toGoal, toFoe and toBase are the distances to the nearest goal, enemy and HQ or dump; the last over
	// ways that are not cut.
	toGoal, toFoe, toBase []float64
	goal                  []float64
	marches               map[string]bool // units that may move
	reserves              int
	battle                int // hex of the procedure under way
	known                 *waters
	tried                 map[string]bool // attacks ordered in this phase
}

func newSituation(g *country, d *doctrine, v bot.View, b *boardv1.Board) *situation {
	n := len(g.near)
	c := &situation{
		country: g, doctrine: d, seat: v.Seat(), phase: b.GetClock().GetPhase(), turn: int(b.GetClock().GetTurn()),
		final:  int(b.GetClock().GetLastTurn()),
		pieces: map[string]*boardv1.Piece{}, own: make([][]*boardv1.Piece, n), foe: make([][]*boardv1.Piece, n),
		cargo: make([][]*boardv1.Piece, n), wings: make([][]*boardv1.Piece, n), hedgehog: make([]float64, n),
		owner: make([]string, n), feared: make([]bool, n), goal: make([]float64, n), marches: map[string]bool{},
	}
	for _, s := range b.Spaces {
		i := c.index(s.Id)
		c.owner[i] = s.Owner
		for _, m := range s.Marks {
			if zoc, ok := strings.CutPrefix(m, "zoc-"); ok && zoc != c.seat {
				c.feared[i] = true
			}
		}
	}
	var bases, foes []int
	for _, p := range b.Pieces {
		c.pieces[p.Id] = p
		i := c.index(p.Place)
		switch {
		case p.Kind == "hedgehog":
			c.hedgehog[i], _ = strconv.ParseFloat(printed(p, "level"), 64)
		case p.Owner == c.seat && (p.Kind == "headquarters" || p.Kind == "dump"):
			bases = append(bases, i)
			c.stock += tokensOf(printed(p, "supply"))
		}
		switch {
		case p.Kind == "air-unit" && p.Owner != c.seat:
			c.wings[i] = append(c.wings[i], p)
		case printed(p, "strength") == "":
		case marked(p, "aboard"):
			c.cargo[i] = append(c.cargo[i], p)
		case p.Owner == c.seat:
			c.own[i] = append(c.own[i], p)
			if marked(p, "reserve") {
				c.reserves++
			}
		default:
			c.foe[i] = append(c.foe[i], p)
			foes = append(foes, i)
		}
	}
	for i := range v.Len() {
		if a := v.Action(i); a.Kind == "move" {
			for _, id := range a.Pieces {
				c.marches[id] = true
			}
		}
	}
	c.battle = c.index("")
	for _, r := range b.Procedures { // the innermost is the last
		c.battle = c.index(last(r.Spaces))
	}
	c.setGoals()
	anywhere := func(int) bool { return true }
	c.toFoe = c.distances(foes, anywhere)
	c.toBase = c.distances(bases, func(i int) bool { return len(c.foe[i]) == 0 && (!c.feared[i] || len(c.own[i]) > 0) })
	if c.enters {
		c.reach()
	}
	return c
}

// reach measures the distance to the nearest base for hexes that the enemy threatens and nobody holds: supply reaches
// units in such a hex, but does not pass through it.
func (c *situation) reach() {
	held := slices.Clone(c.toBase)
	for i := range c.of.Spaces {
		if held[i] != beyond || c.wet[i] || len(c.foe[i]) > 0 {
			continue
		}
		for _, n := range c.near[i] {
			c.toBase[i] = min(c.toBase[i], held[n]+1)
		}
	}
}

// setGoals finds what is to be taken, or to be guarded because nobody stands there.
func (c *situation) setGoals() {
	var goals []int
	for i, worth := range c.worth {
		if worth > 0 && (c.owner[i] != c.seat || len(c.own[i]) == 0) {
			c.goal[i] = worth
			goals = append(goals, i)
		}
	}
	if goals == nil { // all are held: keep near them
		for i, worth := range c.worth {
			if worth > 0 {
				goals = append(goals, i)
			}
		}
	}
	c.toGoal = c.distances(goals, func(int) bool { return true })
}

// toFront is how far a place is from where units are wanted.
func (c *situation) toFront(id string) float64 { return c.toGoal[c.index(id)] / 10 }

func printed(p *boardv1.Piece, key string) string {
	for _, n := range p.GetNumbers() {
		if n.Key == key {
			return n.Value
		}
	}
	return ""
}

// power is the strength of a piece as its marks leave it.
func power(p *boardv1.Piece) float64 {
	f, _ := strconv.ParseFloat(strings.Trim(printed(p, "strength"), "()"), 64)
	for _, mark := range []string{"dg", "oos"} {
		if marked(p, mark) {
			f /= 2
		}
	}
	return f
}

// strength is the power of some pieces together.
func (c *situation) strength(ids []string) (sum float64) {
	for _, id := range ids {
		if p := c.pieces[id]; p != nil {
			sum += power(p)
		}
	}
	return sum
}

func powers(list []*boardv1.Piece) (sum float64) {
	for _, p := range list {
		sum += power(p)
	}
	return sum
}

// room is how many more REs a hex has room for, as far as can be told from steps.
func (c *situation) room(i int) float64 {
	left := 10.0
	for _, p := range c.own[i] {
		left -= size(p)
	}
	return left
}

func size(p *boardv1.Piece) float64 {
	if p.MaxSteps > 1 {
		return 3
	}
	return 1
}
