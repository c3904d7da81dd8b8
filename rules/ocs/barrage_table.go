package ocs

import (
	"slices"
	"strconv"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// resolveBarrage rolls on the barrage table (OCS 10.0a). The table's ends hold what is shifted beyond them.
func (p *Position) resolveBarrage(x *exec, f *barrage) {
	chart := p.sc.Charts.GetBarrage()
	spotted := p.spotted(f)
	x.Reveal() // OCS 4.9c: the number of shifts is told
	var by named
	shift := p.barrageShift(f, spotted, by.of(byUnits, disclosedShift))
	column := p.barrageColumn(f, shift)
	roll := x.Roll(6, "barrage") + x.Roll(6, "barrage")
	result := p.barrageResult(f, roll, column)
	hit, half := p.barrageHits(f, result, spotted)
	die := 0
	if half {
		if die = x.Roll(6, "half"); die >= int(chart.GetHalfMin()) {
			hit.losses = 1
		}
	}
	if hit.dg {
		c := p.changed()
		p.disorganise(c, f.seat, f.at)
		tell(x, &event{Changes: c.list})
	}
	c := p.changed()
	next := f.stepped(barrageEnd)
	next.steps = hit.losses
	if hit.losses > 0 {
		next.step = barrageSuffers
	}
	c.frame(next)
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_BarrageResolved{BarrageResolved: &ocsv1.BarrageResolved{
		Seat: seatIDs[enemy(f.seat)], At: p.sc.PlaceID(f.at), Spotted: spotted, Shift: int32(shift), Roll: uint32(roll),
		Result: result, Column: columnText(chart.GetColumns(), column), Modifiers: by.told(),
		Die: uint32(die), Disorganised: hit.dg, Steps: uint32(hit.losses),
	}}})
}

// columnText are the strengths of a column: "17-28", and of the last "41+".
func columnText(columns []*ocsv1.StrengthColumn, i int) string {
	least := 0
	if i > 0 {
		least = int(columns[i-1].GetMax()) + 1
	}
	if most := int(columns[i].GetMax()); most > least {
		return strconv.Itoa(least) + "-" + strconv.Itoa(most)
	} else if most > 0 {
		return strconv.Itoa(most)
	}
	return strconv.Itoa(least) + "+"
}

// toughHedgehog is the level of a hedgehog in which a half in brackets takes no step.
const toughHedgehog = 3

// barrageColumn is the column that is read after shifts.
func (p *Position) barrageColumn(f *barrage, shift int) int {
	columns := p.sc.Charts.GetBarrage().GetColumns()
	return min(max(strengthColumn(columns, f.strength)+shift, 0), len(columns)-1)
}

// barrageResult is what two dice come to in a column.
func (p *Position) barrageResult(f *barrage, roll, column int) string {
	result := p.sc.Charts.GetBarrage().GetRows()[roll-2].GetCells()[column]
	if f.naval {
		return milder(result)
	}
	return result
}

// barrageHits reads a result: "-", "DG", "[1/2]", "1/2" or a number of steps with DG. A half asks another die for a
// step. In brackets it is DG only without a spotter, in a strong hedgehog, or from the air.
func (p *Position) barrageHits(f *barrage, result string, spotted bool) (o outcome, half bool) {
	switch result {
	case "-", "":
		return outcome{}, false
	case "DG":
		return outcome{dg: true}, false
	case "[1/2]":
		tough := p.cell(f.at).hedgehog >= toughHedgehog && !f.siege
		return outcome{dg: true}, spotted && !f.air && !tough
	case "1/2":
		return outcome{dg: true}, true
	}
	return outcome{losses: int(result[0] - '0'), dg: true}, false
}

// spotted reports whether a combat unit of the barraging side is next to the target, in any mode and supply (OCS
// 10.0b).
func (p *Position) spotted(f *barrage) bool {
	if f.blind {
		return false
	}
	return p.spots(enemy(f.seat), f.at.Hex())
}

// spots reports whether a combat unit of a side is next to a hex.
func (p *Position) spots(seat rules.Seat, h Hex) bool {
	for _, n := range p.around(h) {
		if p.combatIn(seat, Place(n)) {
			return true
		}
	}
	return false
}

// barrageShift is the columns by which a barrage is shifted, to the right if positive: density, hedgehog, terrain,
// spotter, Strat mode. Whoever shows it to people has each shift noted.
func (p *Position) barrageShift(f *barrage, spotted bool, note func(id string, shift int)) (sum int) {
	add := func(id string, shift int) {
		if sum += shift; note != nil {
			note(id, shift)
		}
	}
	add(shiftDensity, p.densityShift(f.seat, f.at))
	if f.terrain != noTerrain {
		if category := p.sc.Terrains[f.terrain].Category[p.frozen()]; category < numCategories {
			add(categoryIDs[category], p.namedShift(categoryIDs[category]))
		}
	}
	for _, s := range [...]struct {
		holds bool
		id    string
	}{
		{p.cell(f.at).hedgehog > 0 && !f.siege, shiftHedgehog}, {!spotted, shiftNoSpotter}, {f.near, shiftNearBase},
		{f.far, shiftLongFlight}, {p.anyStrat(f.seat, f.at), shiftStratMode},
	} {
		if s.holds {
			add(s.id, p.namedShift(s.id))
		}
	}
	return sum
}

// shiftDensity names the shift for REs in the hex, which has a table of its own.
const shiftDensity = "density"

// anyStrat reports whether a combat unit of a seat in a place is in Strat mode.
func (p *Position) anyStrat(seat rules.Seat, at Place) bool {
	return slices.ContainsFunc(p.combatUnits(seat, at), func(u Unit) bool { return p.units[u].marker == Strat })
}

// namedShift is the shift for a reason.
func (p *Position) namedShift(id string) int {
	for _, s := range p.sc.Charts.GetBarrage().GetShifts() {
		if s.GetId() == id {
			return int(s.GetShift())
		}
	}
	return 0
}

// densityShift is the shift for REs in the hex, which are not rounded; a division counts 3 at most, one of several
// units too.
func (p *Position) densityShift(seat rules.Seat, at Place) int {
	chart := p.sc.Charts.GetBarrage()
	limit, sum := int(chart.GetDensityCap())*oneRE, 0
	formations := make([]int, len(p.sc.Formations))
	for _, u := range p.combatUnits(seat, at) {
		if f := p.counter(u).Formation; f >= 0 {
			formations[f] += p.re(u)
		} else {
			sum += min(p.re(u), limit)
		}
	}
	for _, n := range formations {
		sum += min(n, limit)
	}
	for _, d := range chart.GetDensity() {
		if d.GetMaxRe() == 0 || sum <= int(d.GetMaxRe())*oneRE {
			return int(d.GetShift())
		}
	}
	return 0
}
