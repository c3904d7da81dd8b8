package greedy

import (
	"sync"

	"github.com/warledger/warledger/rules/anniversary"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// battle is what a general wants to know the odds of.
type battle struct {
	sea      bool
	att, def stack
	techs    scenario.Techs
	guns     bool
}

// verdict is how a battle may end: chances, and expected losses in IPC.
type verdict struct {
	win, taken, attLost, defLost float64
}

// weigher weighs battles: small ones exactly, by the ruleset's odds, others by the mean of the dice.
type weigher struct {
	sc    *anniversary.Scenario
	known map[battle]verdict
}

// standard is the scenario whose values battles are weighed with: all that are shipped have the same.
var standard = sync.OnceValue(func() *anniversary.Scenario {
	sc, _ := anniversary.LoadScenario(anniversary.New().ScenarioDocuments()[0].Data)
	return sc
})

func newWeigher() *weigher { return &weigher{sc: standard(), known: map[battle]verdict{}} }

// Bounds of what is weighed exactly, and of what is remembered.
const (
	mostExactLand, mostExactSea, mostKnown = 44, 9, 4096
)

func (w *weigher) weigh(b battle) verdict {
	if v, ok := w.known[b]; ok {
		return v
	}
	if len(w.known) >= mostKnown {
		clear(w.known)
	}
	v := w.rough(b)
	if total := armed(&b.att) + armed(&b.def); total > 0 &&
		(b.sea && total <= mostExactSea || !b.sea && total <= mostExactLand) {
		v = w.exact(b, v)
	}
	w.known[b] = v
	return v
}

func (w *weigher) exact(b battle, otherwise verdict) verdict {
	g := 0
	if b.guns {
		g = w.sc.AAHit(0)
	}
	o, ok := w.sc.Odds(odds.Battle{
		Sea: b.sea, Guns: g, Attacker: odds.Side{Units: b.att, Techs: b.techs},
		Defender: odds.Side{Units: b.def},
	})
	if !ok {
		return otherwise
	}
	return verdict{win: o.Win, taken: o.Taken, attLost: o.AttackerLost, defLost: o.DefenderLost}
}

// fodder is the order in which units are lost, about by price.
var fodder = [...]anniversary.Unit{
	anniversary.Infantry, anniversary.Artillery, anniversary.Tank, anniversary.Submarine, anniversary.Destroyer,
	anniversary.Fighter, anniversary.Cruiser,
	anniversary.Bomber, anniversary.Carrier, anniversary.Battleship, anniversary.Transport,
}

// rough fights a battle with dice that always give their mean.
func (w *weigher) rough(b battle) verdict {
	att, def := b.att, b.def
	def[anniversary.AAGun], att[anniversary.AAGun] = 0, 0
	if b.guns && !b.sea {
		hit := wings(&att) / 6
		w.lose(&att, float64(hit), nil)
	}
	hulls := [2]float64{float64(att[anniversary.Battleship]), float64(def[anniversary.Battleship])}
	var owed [2]float64
	for range 12 {
		if armed(&att) == 0 || armed(&def) == 0 {
			break
		}
		owed[1] += w.punch(&att, b.techs, true) / 6
		owed[0] += w.punch(&def, 0, false) / 6
		owed[1] = w.lose(&def, owed[1], &hulls[1])
		owed[0] = w.lose(&att, owed[0], &hulls[0])
	}
	v := verdict{attLost: w.price(&b.att) - w.price(&att), defLost: w.price(&b.def) - w.price(&def)}
	rest := float64(armed(&att))/max(1, float64(armed(&b.att))) - float64(armed(&def))/max(1, float64(armed(&b.def)))
	v.win = min(1, max(0, 0.5+1.4*rest))
	if armed(&def) == 0 && armed(&att) > 0 && armed(&b.def) == 0 {
		v.win = 1
	}
	if foot(&att) > 0 {
		v.taken = v.win
	}
	return v
}

// punch is the sum of a side's values.
func (w *weigher) punch(s *stack, techs scenario.Techs, attacks bool) float64 {
	n := 0
	for u, k := range s {
		if k == 0 || u == int(anniversary.AAGun) || u == int(anniversary.Complex) {
			continue
		}
		if attacks {
			n += k * w.sc.Attack(anniversary.Unit(u), techs)
		} else {
			n += k * w.sc.Units[u].Defence
		}
	}
	if attacks {
		n += min(s[anniversary.Infantry], s[anniversary.Artillery])
	}
	return float64(n)
}

// lose takes whole hits off a stack, undamaged battleships first, and returns what is left of them.
func (w *weigher) lose(s *stack, owed float64, hulls *float64) float64 {
	for hulls != nil && *hulls >= 1 && owed >= 1 {
		*hulls--
		owed--
	}
	for _, u := range fodder {
		for s[u] > 0 && owed >= 1 {
			s[u]--
			owed--
		}
	}
	return owed
}

// price is what a stack costs in IPC.
func (w *weigher) price(s *stack) float64 {
	n := 0
	for u, k := range s {
		if k > 0 && u != int(anniversary.AAGun) && u != int(anniversary.Complex) {
			n += k * w.sc.Units[u].Cost
		}
	}
	return float64(n)
}
