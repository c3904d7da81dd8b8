package odds

import "github.com/warledger/warledger/rules/anniversary/scenario"

// weigher walks over the states of a battle: pairs of what is left of both sides. Every hit leads to a pair of a higher
// level, so the pairs are walked level by level, and each once. Between the surprise strikes of a round and its other
// fire the battle is in the middle of a round; those pairs are walked likewise, apart by whether destroyers were there
// when the round began. A round in which nothing is hit is fought again: it only makes the other rounds likelier.
type weigher struct {
	sc       *scenario.Scenario
	b        *Battle
	att, def side
	table    binomials
	starts   grid // chance of each pair at the end of a round
	// chance of each pair after surprise strikes, by the destroyers of the round: none, the attacker's, the defender's
	mids  [3]grid
	odds  Odds
	later map[[2][scenario.NumUnits]int]*Odds // of those who can't retreat
	work  int                                 // steps so far
	limit int                                 // of steps; 0 for none
	// joined is how many ends were left when they were joined last.
	joined int
	// Lists in use, for their memory.
	hit, lost []weight // what fire leads to
	openings  []opening
	scratch   weights
}

// grid is the chances of pairs: a row for each state of the attacker, made when a chance is first added to it.
type grid struct {
	rows  [][]float64
	spare []float64 // memory for rows
}

// rowsAtOnce is for how many rows memory is got at a time.
const rowsAtOnce = 16

// row is the chances with a state of the attacker, with room for so many states of the defender.
func (g *grid) row(i int32, columns int) []float64 {
	if int(i) < len(g.rows) && len(g.rows[i]) >= columns {
		return g.rows[i]
	}
	return g.grow(i, columns)
}

// grow makes a row, or a longer one.
func (g *grid) grow(i int32, columns int) []float64 {
	if int(i) >= len(g.rows) {
		g.rows = append(g.rows, make([][]float64, int(i)+64-len(g.rows))...)
	}
	columns = (columns + 31) &^ 31
	if len(g.spare) < columns {
		g.spare = make([]float64, rowsAtOnce*columns)
	}
	row := g.spare[:columns:columns]
	g.spare = g.spare[columns:]
	copy(row, g.rows[i])
	g.rows[i] = row
	return row
}

// at is the chance of a pair.
func (g *grid) at(i, j int32) float64 {
	if int(i) >= len(g.rows) || int(j) >= len(g.rows[i]) {
		return 0
	}
	return g.rows[i][j]
}

// used reports whether there is a chance in it.
func (g *grid) used() bool { return g.rows != nil }

// weight is a state with its chance.
type weight struct {
	state  int32
	chance float64
}

// weights is a list of states with their chances.
type weights struct {
	list []weight
	met  []int32
	sum  []float64 // of each state that was met
}

func chanceOf(list []weight, s int32) float64 {
	for i := range list {
		if list[i].state == s {
			return list[i].chance
		}
	}
	return 0
}

// negligible chances are not followed: all together they are less than what rounding makes of the others.
const negligible = 1e-15

func newWeigher(s *scenario.Scenario, b *Battle) *weigher {
	w := &weigher{sc: s, b: b}
	w.att = side{gunnery: gunnery{sc: s, techs: b.Attacker.Techs, attacker: true, sea: b.Sea}, table: &w.table}
	w.def = side{gunnery: gunnery{sc: s, sea: b.Sea}, table: &w.table}
	return w
}

// weigh fills in the odds; false if that takes more steps than the limit.
func (w *weigher) weigh() bool {
	att, def := w.b.Attacker.begins(), w.b.Defender.begins()
	w.att.begin(&att, w.b.Attacker.Losses)
	w.def.begin(&def, w.b.Defender.Losses)
	w.open()
	for range w.b.Rounds - 1 {
		if !w.oneRound() {
			return false
		}
	}
	if w.b.Rounds == 0 {
		return w.walk()
	}
	w.settle()
	w.each(func(i, j int32) {
		if p := w.starts.at(i, j); p > 0 && !w.ended(i, j, p) {
			w.breakOff(i, j, p)
		}
	})
	return !w.exceeds()
}

// open fights the first round from each state that antiaircraft fire leaves: each aircraft falls by itself (AA 9.6.4),
// and a bomber that carries infantry with it (AA 6.3.10).
func (w *weigher) open() {
	first := w.att.states[0].fleet
	guns := w.b.Guns
	if w.b.Sea {
		guns = 0
	}
	fighters, bombers := w.table.of(min(guns, MaxValue), int(first.left[scenario.Fighter])),
		w.table.of(min(guns, MaxValue), int(first.left[scenario.Bomber])-w.b.Dropped)
	carriers := w.table.of(min(guns, MaxValue), w.b.Dropped)
	for f, pf := range fighters {
		for b, pb := range bombers {
			for c, pc := range carriers {
				left := first
				left.left[scenario.Fighter] -= uint16(f)
				left.left[scenario.Bomber] -= uint16(b + c)
				left.left[scenario.Infantry] -= uint16(c)
				w.openFrom(&left, pf*pb*pc)
			}
		}
	}
}

// openFrom fights the first round from a state.
func (w *weigher) openFrom(left *fleet, p float64) {
	if p < negligible {
		return
	}
	i := w.att.state(left)
	if end, j := w.over(i, 0); end {
		w.add(i, j, p)
		return
	}
	w.fight(i, 0, p, w.bombs())
}

// bombs is the distribution of hits of a bombardment (AA 9.3.8).
func (w *weigher) bombs() []float64 {
	if w.b.Sea {
		return certain
	}
	var dice [MaxValue + 1]uint16
	for _, v := range w.b.Ships {
		dice[min(max(v, 0), MaxValue)]++
	}
	return w.table.volley(&dice)
}

// add adds to the chance of a pair at the end of a round.
func (w *weigher) add(i, j int32, p float64) {
	w.starts.row(i, int(j)+1)[j] += p
}

// walk walks the pairs to the end, level by level. It reports false if that takes more steps than the limit.
func (w *weigher) walk() bool {
	for level := 0; level < len(w.att.levels)+len(w.def.levels); level++ {
		w.middle(level)
		w.eachOf(level, w.round)
		if w.exceeds() {
			return false
		}
	}
	return true
}

func (w *weigher) exceeds() bool { return w.limit > 0 && w.work > w.limit }

// middle takes the pairs of a level that are in the middle of a round to its end, but for those that are walked with
// the beginnings of rounds.
func (w *weigher) middle(level int) {
	for f := range w.mids {
		if g := &w.mids[f]; g.used() {
			w.eachOf(level, func(i, j int32) {
				if p := g.at(i, j); p > negligible && !w.joint(f, i, j) {
					w.finish(f, i, j, p)
				}
			})
		}
	}
}

// eachOf visits the pairs of a level.
func (w *weigher) eachOf(level int, visit func(i, j int32)) {
	for a := max(0, level+1-len(w.def.levels)); a <= level && a < len(w.att.levels); a++ {
		for _, i := range w.att.levels[a] {
			for _, j := range w.def.levels[level-a] {
				visit(i, j)
			}
		}
	}
}

// each visits all pairs, those of lower levels first.
func (w *weigher) each(visit func(i, j int32)) {
	for level := 0; level < len(w.att.levels)+len(w.def.levels); level++ {
		w.eachOf(level, visit)
	}
}

// oneRound fights one round from all pairs.
func (w *weigher) oneRound() bool {
	w.settle()
	from := w.starts
	w.starts = grid{}
	w.each(func(i, j int32) {
		if p := from.at(i, j); p > negligible && !w.ended(i, j, p) {
			w.fight(i, j, p, certain)
		}
	})
	return !w.exceeds()
}

// settle takes all pairs in the middle of a round to its end.
func (w *weigher) settle() {
	for f := range w.mids {
		if g := &w.mids[f]; g.used() {
			w.each(func(i, j int32) {
				if p := g.at(i, j); p > negligible {
					w.finish(f, i, j, p)
				}
			})
			*g = grid{}
		}
	}
}

// finish fires what did not strike, unless the battle ends before.
func (w *weigher) finish(f int, i, j int32, p float64) {
	if end, j := w.over(i, j); end {
		w.add(i, j, p)
		return
	}
	w.fire(i, j, f&1 > 0, f&2 > 0)
	w.spread(p)
}
