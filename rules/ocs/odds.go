package ocs

import (
	"strconv"
	"strings"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// antiTank is the strength of an anti-tank effect (OCS 9.4e).
type antiTank uint8

const (
	noAntiTank antiTank = iota
	lightAntiTank
	heavyAntiTank
)

var antiTankIDs = [...]string{"none", "light", "heavy"}

// antiTankOf is the effect of a unit, whatever its mode and supply (OCS 9.4e-4): heavy for armour, red tanks, anti-tank
// and anti-aircraft units (OCS 9.4e-1), light for other red ones (OCS 9.4e-2), none for all others (OCS 9.4e-3).
func (c *Counter) antiTankOf() antiTank {
	switch {
	case c.Class == Armor || c.AntiTank || c.Class == Mech && c.Tank:
		return heavyAntiTank
	case c.Class == Mech:
		return lightAntiTank
	}
	return noAntiTank
}

// antiTankIn is the strongest effect of anything in a hex that defends; a hedgehog is heavy (OCS 16.0e).
func (p *Position) antiTankIn(defenders []Unit, at Place) antiTank {
	best := noAntiTank
	if p.cell(at).hedgehog > 0 {
		best = heavyAntiTank
	}
	for _, u := range defenders {
		best = max(best, p.counter(u).antiTankOf())
	}
	return best
}

// frozen is the index of the entries of the terrain chart that hold: 1 when the ground is frozen.
func (p *Position) frozen() int {
	if p.sc.Frozen >= 0 && int(p.ground) == p.sc.Frozen {
		return 1
	}
	return 0
}

// Multipliers of strength.
var (
	half    = Fraction{1, 2}
	double  = Fraction{2, 1}
	reduced = Fraction{3, 2}
)

// printed is the strength of the face that is up; in proportion to the steps that are left, rounded at once, where the
// game says so (OCS 21.2).
func (p *Position) printed(u Unit) Fraction {
	n, c := p.shown(u).Strength, p.counter(u)
	if !p.opt.proportionalStrength || c.Steps < 2 {
		return whole(n)
	}
	return whole(fraction(int64(n*p.stepsLeft(u)), int64(c.Steps)).Round())
}

// attackStrength is the strength of an attacking unit with combat supply into a terrain. All multipliers multiply (OCS
// 4.3), that of trace supply with the others (OCS 9.5, OCS 12.8d); nothing is rounded (OCS 4.2).
func (p *Position) attackStrength(u Unit, terrain [numClasses]Fraction, against antiTank, n *notes) Fraction {
	c, s := p.counter(u), &p.units[u]
	f := n.begin(u, p.printed(u))
	if s.marker == DG { // OCS 5.10b-A
		f = n.times(u, factorDG, f, half)
	}
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) { // OCS 9.5a
		f = n.times(u, factorOutOfSupply, f, half)
	}
	if c.Steps > 1 && s.lost > 0 && !p.opt.proportionalStrength { // OCS 9.11d
		f = n.times(u, factorStepLosses, f, half)
	}
	m, why := terrain[c.Class], factorTerrain
	if m == double && c.Class != Other && against >= c.antiTankOf() { // OCS 9.4e: only a multiplier of 2 is changed
		m, why = reduced, factorAntiTank
	}
	return n.times(u, why, f, m)
}

// defenceStrength is the strength of a defending unit. Out of supply it has a half, without combat supply a half, with
// neither a quarter (OCS 9.5, OCS 12.8d).
func (p *Position) defenceStrength(u Unit, terrain [numClasses]Fraction, n *notes) Fraction {
	c, s := p.counter(u), &p.units[u]
	f := n.begin(u, p.printed(u))
	switch s.marker {
	case Strat: // OCS 5.8
		return n.times(u, factorStrat, f, whole(0))
	case DG: // OCS 5.10b-A
		f = n.times(u, factorDG, f, half)
	case Reserve: // OCS 5.7
		f = n.times(u, factorReserve, f, half)
	}
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) { // OCS 9.5a
		f = n.times(u, factorOutOfSupply, f, half)
	}
	if !p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) { // OCS 9.5b-B
		f = n.times(u, factorNoCombatSupply, f, half)
	}
	if c.Steps > 1 && 2*s.lost >= c.Steps && !p.opt.proportionalStrength { // OCS 9.11d
		f = n.times(u, factorStepLosses, f, half)
	}
	return n.times(u, factorTerrain, f, terrain[c.Class]) // OCS 9.4a
}

// attackTerrain are the multipliers of the attack from one hex: those of the terrain of the defender's hex, or of the
// hexside (OCS 9.4b).
func (p *Position) attackTerrain(choice int) [numClasses]Fraction {
	if choice >= sideTerrains {
		return p.sc.Features[choice-sideTerrains].Attack[p.frozen()]
	}
	return p.sc.Terrains[choice].Attack[p.frozen()]
}

// strengths are the totals of both sides (OCS 9.1d).
func (p *Position) strengths(f *combat, n *notes) (attack, defence Fraction, effect antiTank) {
	defenders := p.fighters(f, enemy(f.seat))
	effect = p.antiTankIn(defenders, f.at)
	attack, defence = whole(0), whole(0)
	for _, u := range p.fighters(f, f.seat) {
		for i, from := range f.hexes {
			if p.spot(u) == from {
				attack = attack.Plus(p.attackStrength(u, p.attackTerrain(int(f.across[i])), effect, n))
			}
		}
	}
	own := p.sc.Terrains[f.terrain].Defend[p.frozen()] // OCS 9.4c; brackets are for attackers only (OCS 9.4d)
	for _, u := range defenders {
		defence = defence.Plus(p.defenceStrength(u, own, n))
	}
	return attack, defence, effect
}

// oddsColumn is the column of the CRT for the totals, from 0 (OCS 9.7): the larger divided by the smaller, rounded to
// the nearest; the nearest printed ratio that is not better for the attacker (OCS 9.7a), or the end column (OCS 9.1g,
// OCS 9.7b).
func oddsColumn(columns []string, attack, defence Fraction) int {
	last := len(columns) - 1
	var odds Fraction
	switch {
	case attack.IsZero() && defence.IsZero(): // OCS 9.14a
		odds = whole(1)
	case defence.IsZero():
		return last
	case attack.IsZero():
		return 0
	case attack.Less(defence):
		odds = fraction(1, int64(defence.Over(attack).Round()))
	default:
		odds = whole(attack.Over(defence).Round())
	}
	best := 0
	for i, text := range columns {
		if !odds.Less(ratio(text)) {
			best = i
		}
	}
	return best
}

// ratio reads odds such as "1:5". What is no odds was found when the scenario was loaded.
func ratio(text string) Fraction {
	a, b, _ := strings.Cut(text, ":")
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	return fraction(int64(max(x, 1)), int64(max(y, 1)))
}

// clash is a combat before the dice: what they are modified by and where the result is read.
type clash struct {
	attack, defence Fraction
	effect          antiTank
	columns         []string // of the row of the defender's terrain (OCS 9.3)
	start           int      // column before surprise
	modifier        int      // of both rolls by Action Ratings (OCS 9.2-5)
	hedgehog        int      // its level
	least, most     int      // modified rolls from which and up to which the attacker, the defender is surprised
}

// clash works out what comes before the dice. Whoever shows it to people has each modifier noted.
func (p *Position) clash(f *combat, n *notes) clash {
	k := clash{modifier: p.rating(f.attack) - p.rating(f.defence), hedgehog: int(p.cell(f.at).hedgehog)}
	k.attack, k.defence, k.effect = p.strengths(f, n)
	k.columns = p.sc.Charts.GetCombat().GetOdds()[p.sc.Terrains[f.terrain].Category[p.frozen()]].GetColumns()
	k.start = oddsColumn(k.columns, k.attack, k.defence)
	chart := p.sc.Charts.GetSurprise()
	k.least, k.most = int(chart.GetAttackAttackerMin()), int(chart.GetAttackDefenderMax())
	if f.isOverrun() {
		k.least, k.most = int(chart.GetOverrunAttackerMin()), int(chart.GetOverrunDefenderMax())
	}
	return k
}

// surprise is the modified roll for surprise; a hedgehog takes 1, whatever its level (OCS 16.0d).
func (k *clash) surprise(dice int) int { return dice + k.modifier - min(k.hedgehog, 1) }

// surprised is 1 if a modified roll shifts to the right, for the attacker, -1 if to the left, and 0 if not (OCS 9.8).
func (k *clash) surprised(roll int) int {
	switch {
	case roll >= k.least:
		return 1
	case roll <= k.most:
		return -1
	}
	return 0
}

// column is the column that is read after a shift (OCS 9.1g).
func (k *clash) column(shift int) int { return min(max(k.start+shift, 0), len(k.columns)-1) }

// row is the row that is read, of so many (OCS 9.9).
func (k *clash) row(dice, rows int) int { return min(max(dice+k.modifier-k.hedgehog, 1), rows) }

// fight works out the odds, surprise and the result (OCS 9.2-4 to OCS 9.2-7).
func (p *Position) fight(x *exec, f *combat) {
	k, chart := p.clash(f, nil), p.sc.Charts.GetCombat()
	x.Reveal() // OCS 4.9b: strengths and anti-tank effects are told

	first := rollTwo(x, "surprise")
	roll := k.surprise(int(first[0] + first[1]))
	shift := k.surprised(roll)
	if shift != 0 {
		shift *= x.Roll(6, "shift")
	}
	column := k.column(shift)
	second := rollTwo(x, "combat")
	row := k.row(int(second[0]+second[1]), len(chart.GetRows()))
	next := f.stepped(combatAttackerLosses)
	next.row, next.column = row, column
	c := p.changed()
	c.frame(next)
	cell := chart.GetRows()[row-1].GetCells()[column]
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CombatResolved{CombatResolved: &ocsv1.CombatResolved{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Overrun: f.isOverrun(), Attack: k.attack.format(),
		Defence:  k.defence.format(),
		AntiTank: antiTankIDs[k.effect], Modifier: int32(k.modifier), Odds: k.columns[k.start],
		Surprise: int32(roll), Shift: int32(shift),
		Column: k.columns[column], Roll: uint32(row), Result: cell,
		SurpriseDice: first, Dice: second, Hedgehog: uint32(k.hedgehog),
	}}})
	if readResult(cell).defender.dg { // OCS 9.12a: at once, before any retreat
		c := p.changed()
		p.disorganise(c, enemy(f.seat), f.at)
		tell(x, &event{Changes: c.list})
	}
}

// rollTwo throws two dice for a reason.
func rollTwo(x *exec, reason string) []uint32 {
	return []uint32{uint32(x.Roll(6, reason)), uint32(x.Roll(6, reason))}
}

// disorganise makes all combat units of a seat in a hex DG (OCS 5.10a): by a result (OCS 5.10a-A), a retreat, or as
// bystanders (OCS 5.10a-D). The marker replaces any other (OCS 5.10) and is on combat units alone: what cannot be DG
// ignores it (OCS 4.8b-A). Organic trucks lose their Reserve marker (OCS 5.10c, OCS 13.2g-D).
func (p *Position) disorganise(c *changes, seat rules.Seat, at Place) {
	for u := range p.of(seat, at) {
		s := &p.units[u]
		switch {
		case p.isCombat(u) && s.marker != DG:
			m := c.unit(u)
			m.Marker = ocsv1.Marker_MARKER_DG
			m.Unset = append(m.Unset, ocsv1.UnitMark_UNIT_MARK_HAD_ZOC)
		case !p.isCombat(u) && s.marker == Reserve:
			c.unit(u).Marker = ocsv1.Marker_MARKER_NONE
		}
	}
}

// outcome is what a side suffers by a result of the CRT.
type outcome struct {
	losses, options int
	dg              bool
}

// due is the steps and hexes of an outcome in all.
func (o outcome) due() int { return o.losses + o.options }

// empty reports whether the result has nothing for a side (OCS 5.7d).
func (o outcome) empty() bool { return o == outcome{} }

// combatResult is a cell of the CRT.
type combatResult struct {
	attacker, defender outcome
	exploitation       int
}

// readResult reads a cell such as "Ao1e4, DL2o2DG".
func readResult(cell string) (r combatResult) {
	side := &r.attacker
	for i := 0; i < len(cell); i++ {
		n := 0
		if i+1 < len(cell) {
			n = int(cell[i+1]) - '0'
		}
		switch cell[i] {
		case 'D':
			side = &r.defender
		case 'L':
			side.losses = n
		case 'o':
			side.options = n
		case 'e':
			r.exploitation = n
		case 'G':
			side.dg = true
		}
	}
	return r
}

// result is the result of a combat that was resolved, an empty one before.
func (p *Position) result(f *combat) combatResult {
	rows := p.sc.Charts.GetCombat().GetRows()
	if f.row < 1 || f.row > len(rows) || f.column < 0 || f.column >= len(rows[f.row-1].GetCells()) {
		return combatResult{}
	}
	return readResult(rows[f.row-1].GetCells()[f.column])
}
