package odds

import (
	"math"

	"github.com/warledger/warledger/rules/anniversary/scenario"
	"github.com/warledger/warledger/rules/dice"
)

// Battles too large to be computed are played out with dice: always the same ones, so that the same
// battle has the same odds.

// Limits of playing out: how many battles, and about how many dice of a first round in all of them.
const (
	fewestSamples = 2000
	mostSamples   = 20000
	diceOfSamples = 4000000
)

// playOut plays a battle out again and again.
func playOut(s *scenario.Scenario, b *Battle) Odds {
	w := newWeigher(s, b)
	w.att.order, w.def.order = OrderOf(b.Attacker.Losses), OrderOf(b.Defender.Losses)
	size := 1
	for u := range b.Attacker.Units {
		size += b.Attacker.Units[u] + b.Defender.Units[u]
	}
	n := min(max(diceOfSamples/size, fewestSamples), mostSamples)
	src := dice.NewSeeded(1)
	counts := map[played]int{}
	var list []played // in the order in which they were seen
	for range n {
		e := w.playOnce(src)
		if counts[e] == 0 {
			list = append(list, e)
		}
		counts[e]++
	}
	for i := range list {
		x := &list[i]
		w.odds.add(s, b, &end{att: &x.att, def: &x.def, away: x.away, retreated: x.retreated},
			float64(counts[*x])/float64(n))
	}
	w.odds.Samples, w.odds.Error = n, 0.5/math.Sqrt(float64(n))
	return w.odds.sorted()
}

// played is how a battle ended that was played out.
type played struct {
	att, def  fleet
	away      [scenario.NumUnits]int
	retreated bool
}

// playOnce plays a battle out.
func (w *weigher) playOnce(src *dice.Seeded) (e played) {
	e.att, e.def = w.b.Attacker.begins(), w.b.Defender.begins()
	if guns := min(w.b.Guns, MaxValue); guns > 0 && !w.b.Sea {
		carriers := luck(src, guns, w.b.Dropped) // each falls with its infantry (AA 6.3.10)
		e.att.left[scenario.Fighter] -= uint16(luck(src, guns, int(e.att.left[scenario.Fighter])))
		e.att.left[scenario.Bomber] -= uint16(carriers + luck(src, guns, int(e.att.left[scenario.Bomber])-w.b.Dropped))
		e.att.left[scenario.Infantry] -= uint16(carriers)
	}
	for round := 0; ; round++ {
		att, def := e.att.force(), e.def.force()
		if w.b.Sea && Defenceless(&att, &def) {
			e.def.left[scenario.Transport] = 0
			def = e.def.force()
		}
		if exhausted(&att, &def) || round > mostRounds {
			break
		}
		if round > 0 && !e.retreated && w.leaves(&e.att, &e.def, round) {
			stays := stuck(&e.att, w.b)
			for u, n := range e.att.left {
				e.away[u] = int(n) - stays[u]
			}
			e.att, e.retreated = fleetOf(&stays), true
			continue
		}
		before := e
		if w.playRound(src, &e, round == 0); e.att == before.att && e.def == before.def && w.toothless(&e) {
			break
		}
	}
	e.att.hurt, e.def.hurt = 0, 0
	return e
}

// toothless reports whether no unit that is left can hit anything, as scenarios may have it.
func (w *weigher) toothless(e *played) bool {
	for _, b := range [2]barrage{w.att.barrage(&e.att, true), w.def.barrage(&e.def, true)} {
		for c := range b {
			b[c][0] = 0
		}
		if b != (barrage{}) {
			return false
		}
	}
	return true
}

// mostRounds ends battles of units that hardly ever hit.
const mostRounds = 10000

// leaves reports whether the attacker breaks off after a round.
func (w *weigher) leaves(att, def *fleet, round int) bool {
	return w.b.Rounds > 0 && round >= w.b.Rounds && w.mayRetreat(att) || w.retreats(att, def)
}

// playRound plays a round out.
func (w *weigher) playRound(src *dice.Seeded, e *played, first bool) {
	a, d := e.att.left[scenario.Destroyer] > 0, e.def.left[scenario.Destroyer] > 0
	if !d && w.b.Attacker.Submerge {
		e.att.dive()
	}
	attack := w.att.barrage(&e.att, a)
	att, def, all := e.att, e.def, e.def
	strike := func(f *fleet, order []scenario.Unit, dice *[MaxValue + 1]uint16, strikes bool) int {
		n := throw(src, dice)
		if strikes {
			f.lose(order, [NumClasses]int{BySubmarine: n})
			return 0
		}
		return n
	}
	subs := strike(&def, w.def.order, &attack[BySubmarine], !d)
	if !a && w.b.Defender.Submerge {
		all.left[scenario.Submarine] -= def.left[scenario.Submarine] // only those that were hit strike
		def.dive()
	}
	defence := w.def.barrage(&all, d)
	returned := strike(&att, w.att.order, &defence[BySubmarine], !a)
	if att != e.att || def != e.def {
		x, y := att.force(), def.force()
		if w.b.Sea && Defenceless(&x, &y) || exhausted(&x, &y) {
			e.att, e.def = att, def
			return
		}
		attack, defence = w.att.barrage(&att, a), w.def.barrage(&def, d)
	}
	if first && !w.b.Sea {
		var ships [MaxValue + 1]uint16
		for _, v := range w.b.Ships {
			ships[min(max(v, 0), MaxValue)]++
		}
		strike(&def, w.def.order, &ships, true)
	}
	hit := [NumClasses]int{BySubmarine: subs, ByAir: throw(src, &attack[ByAir]), ByAny: throw(src, &attack[ByAny])}
	lost := [NumClasses]int{BySubmarine: returned, ByAir: throw(src, &defence[ByAir]),
		ByAny: throw(src, &defence[ByAny])}
	def.lose(w.def.order, hit)
	att.lose(w.att.order, lost)
	e.att, e.def = att, def
}

// throw counts the hits of dice by value.
func throw(src *dice.Seeded, dice *[MaxValue + 1]uint16) (hits int) {
	for v := 1; v <= MaxValue; v++ {
		hits += luck(src, v, int(dice[v]))
	}
	return hits
}

func luck(src *dice.Seeded, value, n int) (hits int) {
	for range n {
		if src.Below(6) < uint32(value) {
			hits++
		}
	}
	return hits
}
