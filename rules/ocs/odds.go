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
func (p *Position) attackStrength(u Unit, terrain [numClasses]Fraction, against antiTank) Fraction {
	c, s := p.counter(u), &p.units[u]
	f := p.printed(u)
	if s.marker == DG { // OCS 5.10b-A
		f = f.Times(half)
	}
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) { // OCS 9.5a
		f = f.Times(half)
	}
	if c.Steps > 1 && s.lost > 0 && !p.opt.proportionalStrength { // OCS 9.11d
		f = f.Times(half)
	}
	m := terrain[c.Class]
	if m == double && c.Class != Other && against >= c.antiTankOf() { // OCS 9.4e: only a multiplier of 2 is changed
		m = reduced
	}
	return f.Times(m)
}

// defenceStrength is the strength of a defending unit. Out of supply it has a half, without combat supply a half, with
// neither a quarter (OCS 9.5, OCS 12.8d).
func (p *Position) defenceStrength(u Unit, terrain [numClasses]Fraction) Fraction {
	c, s := p.counter(u), &p.units[u]
	f := p.printed(u)
	switch s.marker {
	case Strat: // OCS 5.8
		return whole(0)
	case DG, Reserve: // OCS 5.10b-A, OCS 5.7
		f = f.Times(half)
	}
	if p.has(u, ocsv1.UnitMark_UNIT_MARK_OUT_OF_SUPPLY) { // OCS 9.5a
		f = f.Times(half)
	}
	if !p.has(u, ocsv1.UnitMark_UNIT_MARK_COMBAT_SUPPLIED) { // OCS 9.5b-B
		f = f.Times(half)
	}
	if c.Steps > 1 && 2*s.lost >= c.Steps && !p.opt.proportionalStrength { // OCS 9.11d
		f = f.Times(half)
	}
	return f.Times(terrain[c.Class]) // OCS 9.4a
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
func (p *Position) strengths(f *combat) (attack, defence Fraction, effect antiTank) {
	defenders := p.fighters(f, enemy(f.seat))
	effect = p.antiTankIn(defenders, f.at)
	attack, defence = whole(0), whole(0)
	for _, u := range p.fighters(f, f.seat) {
		for i, from := range f.hexes {
			if p.spot(u) == from {
				attack = attack.Plus(p.attackStrength(u, p.attackTerrain(int(f.across[i])), effect))
			}
		}
	}
	own := p.sc.Terrains[f.terrain].Defend[p.frozen()] // OCS 9.4c; brackets are for attackers only (OCS 9.4d)
	for _, u := range defenders {
		defence = defence.Plus(p.defenceStrength(u, own))
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

// fight works out the odds, surprise and the result (OCS 9.2-4 to OCS 9.2-7).
func (p *Position) fight(x *exec, f *combat) {
	attack, defence, effect := p.strengths(f)
	own := &p.sc.Terrains[f.terrain]
	chart := p.sc.Charts.GetCombat()
	columns := chart.GetOdds()[own.Category[p.frozen()]].GetColumns() // OCS 9.3: the row of the defender's terrain
	start := oddsColumn(columns, attack, defence)
	modifier := p.rating(f.attack) - p.rating(f.defence) // OCS 9.2-5
	x.Reveal()                                           // OCS 4.9b: strengths and anti-tank effects are told

	hedgehog := int(p.cell(f.at).hedgehog)
	first := rollTwo(x, "surprise")
	roll := int(first[0]+first[1]) + modifier - min(hedgehog, 1) // OCS 16.0d: 1, whatever its level
	shift := p.surpriseShift(x, f, roll)
	column := min(max(start+shift, 0), len(columns)-1) // OCS 9.1g
	second := rollTwo(x, "combat")
	row := int(second[0]+second[1]) + modifier - hedgehog
	row = min(max(row, 1), len(chart.GetRows())) // OCS 9.9
	next := f.stepped(combatAttackerLosses)
	next.row, next.column = row, column
	c := p.changed()
	c.frame(next)
	cell := chart.GetRows()[row-1].GetCells()[column]
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_CombatResolved{CombatResolved: &ocsv1.CombatResolved{
		Seat: seatIDs[f.seat], At: p.sc.PlaceID(f.at), Overrun: f.isOverrun(), Attack: attack.format(),
		Defence:  defence.format(),
		AntiTank: antiTankIDs[effect], Modifier: int32(modifier), Odds: columns[start], Surprise: int32(roll),
		Shift:  int32(shift),
		Column: columns[column], Roll: uint32(row), Result: cell,
		SurpriseDice: first, Dice: second, Hedgehog: uint32(hedgehog),
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

// surpriseShift is by how many columns a modified roll for surprise shifts (OCS 9.8), to the right for the attacker.
func (p *Position) surpriseShift(x *exec, f *combat, roll int) int {
	chart := p.sc.Charts.GetSurprise()
	least, most := chart.GetAttackAttackerMin(), chart.GetAttackDefenderMax()
	if f.isOverrun() {
		least, most = chart.GetOverrunAttackerMin(), chart.GetOverrunDefenderMax()
	}
	switch {
	case roll >= int(least):
		return x.Roll(6, "shift")
	case roll <= int(most):
		return -x.Roll(6, "shift")
	}
	return 0
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
