package odds

import (
	"cmp"
	"slices"
	"sort"

	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Odds of a battle, computed exactly up to a bound; larger battles are played out with dice (dice.go). A battle
// is a walk over what both sides have lost; with an order of loss for each side that is a few numbers, so the
// chance of every end follows from the chances of a round (see walk.go). The figures are floating point, good to
// at least nine digits: what is less likely than 1e-15 is not followed further, so that all ends together may
// lack up to 1e-9 of certainty.
//
// A battle is weighed under stated policies, which are those of standing orders: the order of loss of each side (the
// defenders agree to one), whether submarines strike or submerge as soon as they may, and when the attacker retreats.
// Ways to retreat are taken to be open. Battles end as AA 9.9 and AA 9.10 say.

// Side is one side of a battle.
type Side struct {
	// Units of each type; guns and complexes don't count.
	Units [scenario.NumUnits]int
	// Hurt is how many of the battleships are damaged already (AA 9.8.4).
	Hurt int
	// Techs of the attacker; those of the defender change nothing.
	Techs scenario.Techs
	// Losses is the order of loss, first lost first, Hull included; types that it does not name follow in the
	// order of their price.
	Losses []scenario.Unit
	// Submerge takes all submarines of the side out of the combat as soon as they may submerge; otherwise they strike
	// (AA 9.7.2, AA 9.7.3).
	Submerge bool
}

// Battle is a battle to be weighed.
type Battle struct {
	// Sea is true for a battle at sea.
	Sea bool
	// Attacker and Defender.
	Attacker, Defender Side
	// Guns is what antiaircraft guns hit with, 0 without guns (AA 9.6.3).
	Guns int
	// Ships that bombard, by the value that they hit with (AA 9.3.8).
	Ships []int
	// Retreat has the attacker break off after a round that leaves it with less than so many per cent of the defender's
	// strength, the sum of combat values. With 0 and 1 it never does.
	Retreat int
	// Rounds has the attacker break off after so many rounds; 0 sets no limit.
	Rounds int
	// Ashore are the attacker's land units that came by sea. They are lost before others of their type, and fight on
	// when the rest retreats (AA 9.3.14).
	Ashore [scenario.NumUnits]int
	// Dropped is how many of the attacker's infantry are aboard as many of its bombers when antiaircraft guns fire.
	// Each is lost with its bomber (AA 6.3.10).
	Dropped int
}

// End is a way in which a battle can end.
type End struct {
	// Attacker and Defender are the survivors by type, with those that retreated or submerged. Battleships that
	// survive are whole again.
	Attacker, Defender [scenario.NumUnits]int
	// Retreated reports that the attacker broke off, or those of it that could.
	Retreated bool
	// Chance of it.
	Chance float64
}

// Odds is the answer.
type Odds struct {
	// Win: only the attacker has combat units left in the combat; Loss: only the defender has; Draw: neither, or
	// neither can hit the other; Retreat: all that is left of the attacker broke off. They sum to 1.
	Win, Draw, Loss, Retreat float64
	// Taken: the attacker wins with a unit that can take the territory (AA 9.11.1).
	Taken float64
	// AttackerLost and DefenderLost are the expected value lost, in IPC at the prices of the scenario.
	AttackerLost, DefenderLost float64
	// Ends are all ends with their chances, the likeliest first; ends with fewer survivors come first among equals.
	Ends []End
	// Error is 0 for figures that were computed. Larger battles than can be are played out with dice, Samples times:
	// then it is the standard error of the chances above, at most, and Ends are those that were seen.
	Error   float64
	Samples int
}

// Limits of a battle.
const (
	// MaxUnits is how many units a side may have.
	MaxUnits = 1000
	// ExactUnits is the number of units a side up to which odds are always computed, whatever the mix. The exception is
	// a combat in which some of the attackers fight on after the rest broke off: it may be too much with fewer units.
	ExactUnits = 40

	mostExact = 120     // units of a side: larger battles are always played out
	mostWork  = 1 << 27 // steps of a walk from which a battle beyond ExactUnits is played out
)

// Weigh weighs a battle with the values of the scenario. It reports false if a side has more than MaxUnits units, or
// a number is less than 0 or than one that it is a part of.
func Weigh(s *scenario.Scenario, b Battle) (Odds, bool) {
	att, ok := countUnits(&b.Attacker)
	def, fine := countUnits(&b.Defender)
	if !ok || !fine || b.Retreat < 0 || b.Rounds < 0 || len(b.Ships) > MaxUnits {
		return Odds{}, false
	}
	for u, n := range b.Ashore {
		if n < 0 || n > b.Attacker.Units[u] || n > 0 && !scenario.Unit(u).In(scenario.Capturing) {
			return Odds{}, false
		}
	}
	if b.Dropped < 0 || b.Dropped > min(b.Attacker.Units[scenario.Infantry]-b.Ashore[scenario.Infantry],
		b.Attacker.Units[scenario.Bomber]) {
		return Odds{}, false
	}
	return weighFair(s, &b, max(att, def)), true
}

func weighFair(s *scenario.Scenario, b *Battle, size int) Odds {
	if size <= mostExact && (size <= ExactUnits || !b.splits()) {
		w := newWeigher(s, b)
		if size > ExactUnits || b.splits() {
			w.limit = mostWork
		}
		if w.weigh() {
			w.odds.join()
			return w.odds.sorted()
		}
	}
	return playOut(s, b)
}

// splits reports whether some of the attackers may have to fight on when the rest breaks off. Each state in which that
// happens is a battle of its own.
func (b *Battle) splits() bool {
	return b.Ashore != [scenario.NumUnits]int{} && (b.Retreat > 1 || b.Rounds > 0)
}

// countUnits counts a side; false if that cannot be a side. What does not fight is put aside.
func countUnits(f *Side) (total int, ok bool) {
	f.Units[scenario.AAGun], f.Units[scenario.Complex] = 0, 0
	for _, n := range f.Units {
		if n < 0 || n > MaxUnits {
			return 0, false
		}
		total += n
	}
	return total, total <= MaxUnits && f.Hurt >= 0 && f.Hurt <= f.Units[scenario.Battleship]
}

// sorted puts the ends in order.
func (o *Odds) sorted() Odds {
	sort.Slice(o.Ends, func(i, j int) bool {
		x, y := &o.Ends[i], &o.Ends[j]
		return x.Chance > y.Chance || x.Chance == y.Chance && alike(x, y) < 0
	})
	return *o
}

// join joins the ends that are alike: those of battleships hit or whole, of several rounds, of several ways to retreat.
func (o *Odds) join() {
	sort.Slice(o.Ends, func(i, j int) bool { return alike(&o.Ends[i], &o.Ends[j]) < 0 })
	n := 0
	for i := range o.Ends {
		if n > 0 && alike(&o.Ends[n-1], &o.Ends[i]) == 0 {
			o.Ends[n-1].Chance += o.Ends[i].Chance
			continue
		}
		o.Ends[n] = o.Ends[i]
		n++
	}
	o.Ends = o.Ends[:n]
}

// alike compares two ends by what is left; 0 if it is the same.
func alike(x, y *End) int {
	c := cmp.Or(slices.Compare(x.Attacker[:], y.Attacker[:]), slices.Compare(x.Defender[:], y.Defender[:]))
	switch {
	case c != 0 || x.Retreated == y.Retreated:
		return c
	case x.Retreated:
		return 1
	}
	return -1
}

// end is how a battle ended: what is left in the combat, and what retreated from it.
type end struct {
	att, def  *fleet
	away      [scenario.NumUnits]int
	retreated bool
}

// add counts an end.
func (o *Odds) add(s *scenario.Scenario, b *Battle, e *end, chance float64) {
	out := End{Retreated: e.retreated, Chance: chance}
	for u := range out.Attacker {
		out.Attacker[u], out.Defender[u] = int(e.att.left[u])+e.away[u], int(e.def.left[u])
	}
	att, def := e.att.force(), e.def.force()
	switch {
	case e.retreated && att.Fighting+att.Transports == 0:
		o.Retreat += chance
	case att.Fighting > 0 && def.Fighting == 0:
		o.Win += chance
		if att.Land > 0 {
			o.Taken += chance
		}
	case att.Fighting == 0 && def.Fighting > 0:
		o.Loss += chance
	default:
		o.Draw += chance
	}
	o.AttackerLost += chance * float64(ValueOf(s, &b.Attacker.Units)-ValueOf(s, &out.Attacker))
	o.DefenderLost += chance * float64(ValueOf(s, &b.Defender.Units)-ValueOf(s, &out.Defender))
	o.Ends = append(o.Ends, out)
}

// ValueOf is the price of units.
func ValueOf(s *scenario.Scenario, units *[scenario.NumUnits]int) int {
	n := 0
	for u, k := range units {
		n += k * s.Units[u].Cost
	}
	return n
}
