package ocs

import (
	"slices"

	"google.golang.org/protobuf/proto"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Amphibious landings (OCS 18.5). Units aboard landing craft in a coastal hex land by the Amphibious Landing Table in the Movement Phase. The first roll ends the
// sailing of landing craft in the phase (OCS 18.5f), and the first move of a landed unit ends the rolls (OCS 18.5f-D).

// Values of the register of landings.
const (
	landingRolled = 1
	landingMoved  = 2
)

// portRow is the row of the table for what a port has no capacity for (OCS 18.5g).
const portRow = "port"

// groupRE is the REs that one roll covers (OCS 18.5f-C).
const groupRE = 3 * oneRE

// checkLand says why units may not land in a hex (OCS 18.5).
func (p *Position) checkLand(seat rules.Seat, c *Command) *rules.Refusal {
	if len(c.Lines) == 0 || c.At.Hex() == NoHex {
		return rules.Malformed("a landing names units and a hex")
	}
	if p.segment != SegMovement {
		return rules.Refuse("OCS 18.5d", "refuse.landing-phase")
	}
	if r := p.checkBeach(seat, c.At); r != nil {
		return r
	}
	id := p.sc.PlaceID(c.At)
	switch {
	case p.combatIn(enemy(seat), c.At):
		return rules.Refuse("OCS 18.5a", "refuse.beach-defended", "hex", id).At(id)
	case p.register(seat, ocsv1.Register_REGISTER_LANDING) >= landingMoved:
		return rules.Refuse("OCS 18.5f-D", "refuse.landed-moved")
	case p.cell(c.At).marks.has(ocsv1.HexMark_HEX_MARK_LANDED):
		return rules.Refuse("OCS 18.5f-C", "refuse.landed-here", "hex", id).At(id)
	}
	for i, l := range c.Lines {
		if l.Unit == NoUnit || l.Count == 0 || slices.ContainsFunc(c.Lines[:i], func(o Line) bool { return o.Unit == l.Unit }) {
			return rules.Malformed("a line of a landing names no unit, one twice, or no group")
		}
		if r := p.mayLand(seat, l.Unit, c.At); r != nil {
			return r
		}
	}
	return p.checkGroups(c.Lines)
}

// checkBeach says why nobody lands in a hex: it is none where one may land, or its terrain has no row in the table (OCS 18.5f-A).
func (p *Position) checkBeach(seat rules.Seat, at Place) *rules.Refusal {
	id := p.sc.PlaceID(at)
	if h := at.Hex(); h == NoHex || !p.sc.Hexes[h].Landing || p.landingRow(seat, at) == nil {
		return rules.Refuse("OCS 18.5", "refuse.no-beach", "hex", id).At(id)
	}
	return nil
}

// mayLand says why a unit may not land in a hex: it must be a combat unit (OCS 18.5e) in Combat or Move mode (OCS 18.5c, OCS 5.5d, OCS 5.6c), aboard something that
// is there; where enemy non-combat units are, only what is attack-capable lands (OCS 18.5h-ii).
func (p *Position) mayLand(seat rules.Seat, u Unit, at Place) *rules.Refusal {
	s, id := &p.units[u], p.id(u)
	on := s.aboard
	switch mode := p.mode(u); {
	case s.seat != seat || s.place != Aboard || on == NoUnit || !p.isShip(on):
		return rules.Refuse("OCS 18.5", "refuse.not-aboard", "unit", p.unitName(u)).About(id)
	case !p.isCombat(u):
		return rules.Refuse("OCS 18.5e", "refuse.not-by-table", "unit", p.unitName(u)).About(id)
	case mode != CombatMode && mode != MoveMode:
		return rules.Refuse("OCS 18.5c", "refuse.landing-mode", "unit", p.unitName(u)).About(id)
	case !p.offshore(on, at):
		return rules.Refuse("OCS 18.5a", "refuse.not-off", "unit", p.unitName(on), "hex", p.sc.PlaceID(at)).About(p.id(on)).At(p.sc.PlaceID(at))
	case p.anything(enemy(seat), at) && !p.attackCapable(u):
		return rules.Refuse("OCS 18.5h-ii", "refuse.not-capable", "unit", p.unitName(u), "hex", p.sc.PlaceID(at)).About(id).At(p.sc.PlaceID(at))
	}
	return nil
}

// offshore reports whether what is aboard a ship may land in a hex: landing craft must be in it (OCS 18.5a); warships that carry troops enter it from the next hex and
// leave it at once, where the scenario lets them.
func (p *Position) offshore(on Unit, at Place) bool {
	from := p.units[on].place
	return from == at || !p.isCraft(on) && p.liftsTroops() && p.channel(from, at) != costNever
}

// checkGroups checks that units land in as few groups of at most 3 REs as can be; a unit that is larger is one alone
// (OCS 18.5f-C, Decision D72). How many landing craft they come from is not limited (OCS 18.5b).
func (p *Position) checkGroups(lines []Line) *rules.Refusal {
	sums, units := map[int]int{}, make([]Unit, 0, len(lines))
	for _, l := range lines {
		sums[l.Count] += p.re(l.Unit)
		if sums[l.Count] > groupRE && sums[l.Count] > p.re(l.Unit) {
			return rules.Refuse("OCS 18.5f-C", "refuse.group", "n", l.Count)
		}
		units = append(units, l.Unit)
	}
	if least := len(p.pack(units)); len(sums) > least {
		return rules.Refuse("OCS 18.5f-C", "refuse.groups", "n", len(sums), "m", least)
	}
	return nil
}

// maxPacked is how many units are packed by trying everything; more are packed largest first.
const maxPacked = 12

// pack puts units into as few groups of at most 3 REs as can be (OCS 18.5f-C).
func (p *Position) pack(units []Unit) (groups [][]Unit) {
	order := slices.Clone(units)
	slices.SortStableFunc(order, func(a, b Unit) int { return p.re(b) - p.re(a) })
	best := p.packGreedily(order)
	if len(order) <= maxPacked {
		p.packBetter(order, nil, &best)
	}
	return best
}

// packGreedily puts each unit into the first group that has room.
func (p *Position) packGreedily(order []Unit) (groups [][]Unit) {
	for _, u := range order {
		i := slices.IndexFunc(groups, func(g []Unit) bool { return p.reOf(g)+p.re(u) <= groupRE })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], u)
	}
	return groups
}

// packBetter tries every way for what is left, as long as it could need fewer groups than the best one.
func (p *Position) packBetter(left []Unit, groups [][]Unit, best *[][]Unit) {
	if len(groups) >= len(*best) {
		return
	}
	if len(left) == 0 {
		*best = make([][]Unit, len(groups))
		for i, g := range groups {
			(*best)[i] = slices.Clone(g)
		}
		return
	}
	for i, g := range groups {
		if p.reOf(g)+p.re(left[0]) <= groupRE {
			groups[i] = append(g, left[0])
			p.packBetter(left[1:], groups, best)
			groups[i] = g
		}
	}
	p.packBetter(left[1:], append(groups, []Unit{left[0]}), best)
}

// reOf is the REs of units, in quarters.
func (p *Position) reOf(units []Unit) (n int) {
	for _, u := range units {
		n += p.re(u)
	}
	return n
}

// landingRow is the row of the table for a hex: that of its terrain which is worst for who lands (OCS 18.5f-A), or that of a friendly port (OCS 18.5g); nil if nobody
// can land.
func (p *Position) landingRow(seat rules.Seat, at Place) (worst *ocsv1.LandingRow) {
	chart := p.sc.Charts.GetLanding()
	find := func(id string) *ocsv1.LandingRow {
		for _, r := range chart.GetRows() {
			if r.GetId() == id {
				return r
			}
		}
		return nil
	}
	if p.isPort(seat, at) {
		return find(portRow)
	}
	for _, t := range p.sc.Hexes[at].Terrains {
		r := find(p.sc.Doc.GetTerrain().GetHexes()[t].GetLanding())
		if r == nil {
			return nil
		}
		if worst == nil || r.GetSuccessMin() > worst.GetSuccessMin() || r.GetSuccessMin() == worst.GetSuccessMin() && r.GetFailureMax() > worst.GetFailureMax() {
			worst = r
		}
	}
	return worst
}

// landingModifier is what is added to a roll on the table (OCS 18.5f).
func (p *Position) landingModifier(seat rules.Seat, at Place, units []Unit) (n int) {
	chart, h := p.sc.Charts.GetLanding(), at.Hex()
	for _, u := range p.navy(seat) {
		if from := p.units[u].place.Hex(); !p.isCraft(u) && p.ship(u).Barrage > 0 && from != NoHex && p.distance(from, h) <= p.ship(u).Range {
			n += int(chart.GetWarship())
			break
		}
	}
	n += p.opposed(seat, h)
	if len(units) > 0 && !slices.ContainsFunc(units, func(u Unit) bool { return !p.marines(u) }) {
		n += int(chart.GetMarines())
	}
	if p.roughSea() {
		n += roughLanding
	}
	return n
}

// opposed is the part of the modifiers that enemies make: next to the hex, in it by their ZOC, and coastal batteries in range.
func (p *Position) opposed(seat rules.Seat, h Hex) (n int) {
	chart, foe, worst := p.sc.Charts.GetLanding(), enemy(seat), 0
	for _, near := range p.around(h) {
		for u := range p.of(foe, Place(near)) {
			switch {
			case !p.isCombat(u):
			case p.mode(u) == DGMode:
				worst = min(worst, int(chart.GetEnemyDg()))
			default:
				worst = min(worst, int(chart.GetEnemyAdjacent()))
			}
		}
	}
	if n = worst; p.inZOC(foe, h) {
		n += int(chart.GetEnemyZoc())
	}
	for u := range p.all(foe) {
		f, m := p.shown(u), p.mode(u)
		if from := p.units[u].place.Hex(); p.counter(u).Coastal && f.Barrage > 0 && m != ReserveMode && m != StratMode && from != NoHex && p.distance(from, h) <= f.Range {
			n += int(chart.GetBattery())
		}
	}
	return n
}

// landingTroops are the symbols of units that know how to land.
var landingTroops = [...]string{"marine", "naval", "commando"}

func (p *Position) marines(u Unit) bool {
	for _, s := range landingTroops {
		if slices.Contains(p.counter(u).Symbols, s) {
			return true
		}
	}
	return false
}

// playLand rolls for each group, in order (OCS 18.5f-C). The landing craft have ended their move.
func (p *Position) playLand(x *exec, seat rules.Seat, cmd *Command) {
	c := p.changed()
	c.register(seat, ocsv1.Register_REGISTER_LANDING, max(landingRolled, p.register(seat, ocsv1.Register_REGISTER_LANDING)))
	m := c.hex(cmd.At)
	m.Set = append(m.Set, ocsv1.HexMark_HEX_MARK_LANDED)
	p.halt(c, nil)
	var ships []Unit
	for _, l := range cmd.Lines {
		on := p.units[l.Unit].aboard
		if slices.Contains(ships, on) {
			continue
		}
		ships = append(ships, on)
		c.mark(on, ocsv1.UnitMark_UNIT_MARK_DONE)
		if !p.isCraft(on) && !p.isPort(seat, cmd.At) {
			c.mark(on, ocsv1.UnitMark_UNIT_MARK_LANDED_TROOPS)
		}
	}
	tell(x, &event{Changes: c.list})
	for _, group := range groupsOf(cmd.Lines) {
		p.comeAshore(x, seat, cmd.At, group, true)
	}
	p.occupy(x, seat, p.ashore(cmd), []Place{cmd.At})
}

// groupsOf are the groups of a landing, in order of their numbers.
func groupsOf(lines []Line) (groups [][]Unit) {
	var numbers []int
	for _, l := range lines {
		if !slices.Contains(numbers, l.Count) {
			numbers = append(numbers, l.Count)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		var g []Unit
		for _, l := range lines {
			if l.Count == n {
				g = append(g, l.Unit)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// ashore are the units of a landing that reached the land.
func (p *Position) ashore(cmd *Command) (list []Unit) {
	for _, l := range cmd.Lines {
		if p.units[l.Unit].place == cmd.At {
			list = append(list, l.Unit)
		}
	}
	return list
}

// rollLanding rolls on the table for units.
func (p *Position) rollLanding(x *exec, seat rules.Seat, at Place, units []Unit) *ocsv1.LandingRolled {
	row := p.landingRow(seat, at)
	x.Reveal()
	dice, modifier := x.Roll(6, "landing")+x.Roll(6, "landing"), p.landingModifier(seat, at, units)
	fact := &ocsv1.LandingRolled{
		Seat: seatIDs[seat], At: p.sc.PlaceID(at), Row: row.GetId(), Dice: uint32(dice), Modifier: int32(modifier), Result: ocsv1.LandingResult_LANDING_RESULT_MIXED,
	}
	switch {
	case dice+modifier >= int(row.GetSuccessMin()):
		fact.Result = ocsv1.LandingResult_LANDING_RESULT_SUCCESS
	case dice+modifier <= int(row.GetFailureMax()):
		fact.Result = ocsv1.LandingResult_LANDING_RESULT_FAILURE
	}
	return fact
}

// comeAshore rolls for a group, takes its losses, and lands what is left (OCS 18.5f). Moves is true if it may move on.
func (p *Position) comeAshore(x *exec, seat rules.Seat, at Place, group []Unit, moves bool) {
	fact := p.rollLanding(x, seat, at, group)
	crafts := p.craftOf(group)
	lost := 0
	if fact.GetResult() != ocsv1.LandingResult_LANDING_RESULT_SUCCESS {
		borne := slices.DeleteFunc(slices.Clone(group), func(u Unit) bool { return !p.isCraft(p.units[u].aboard) }) // warships lose no points
		lost = half41((p.heft(borne, 0) + oneToken - 1) / oneToken)
	}
	steps := p.capacity(group)
	if fact.GetResult() == ocsv1.LandingResult_LANDING_RESULT_FAILURE {
		fact.Steps = uint32(half41(steps))
	}
	fact.PointsT = uint32(lost)
	tell(x, &event{Fact: &ocsv1.Event_LandingRolled{LandingRolled: fact}})
	left := p.drown(x, group, int(fact.GetSteps()))
	p.landUnits(x, seat, at, left, moves)
	p.wreckAny(x, crafts, lost)
}

// half41 is half of a number, rounded (OCS 4.1).
func half41(n int) int { return (n + 1) / 2 }

// craftOf are what units are aboard, each once.
func (p *Position) craftOf(units []Unit) (list []Unit) {
	for _, u := range units {
		if on := p.units[u].aboard; on != NoUnit && !slices.Contains(list, on) {
			list = append(list, on)
		}
	}
	return list
}

// drown takes steps of units at random (OCS 18.5f-B), and gives those that are left.
func (p *Position) drown(x *exec, units []Unit, steps int) (left []Unit) {
	lost := make([]int, len(units))
	for n := p.capacity(units); steps > 0 && n > 0; steps, n = steps-1, n-1 {
		pick := 0
		if n > 1 {
			pick = x.RollTo(rules.OnlySeats(p.units[units[0]].seat), uint8(min(n, 100)), "drown") - 1 // the die shows how many there are
		}
		for i, u := range units {
			if has := p.stepsLeft(u) - lost[i]; pick < has {
				lost[i]++
				break
			} else {
				pick -= has
			}
		}
	}
	c := p.changed()
	for i, u := range units {
		if lost[i] > 0 {
			c.lose(u, lost[i])
		}
		if lost[i] < p.stepsLeft(u) {
			left = append(left, u)
		}
	}
	if len(c.list) > 0 {
		tell(x, &event{Changes: c.list})
	}
	return left
}

// landUnits puts units on land. Those that land by the table have fuel until the next Clean-Up Phase (OCS 18.5h, Decision D73), and may move with half of
// their allowance in the Movement Phase.
func (p *Position) landUnits(x *exec, seat rules.Seat, at Place, units []Unit, moves bool) {
	if len(units) == 0 {
		return
	}
	c := p.changed()
	p.debark(c, units, at)
	for _, u := range units {
		m := c.unit(u)
		m.Fuel, m.SpentTwelfths = ocsv1.Fuel_FUEL_LASTING, proto.Uint32(0)
		if p.counter(u).HQ {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_LANDED_FUEL)
		}
		if moves {
			m.Set, m.Unset = append(m.Set, ocsv1.UnitMark_UNIT_MARK_LANDED), append(m.Unset, ocsv1.UnitMark_UNIT_MARK_MOVED)
		} else {
			m.Set = append(m.Set, ocsv1.UnitMark_UNIT_MARK_DONE)
		}
	}
	tell(x, &event{Changes: c.list, Fact: &ocsv1.Event_UnitsLanded{UnitsLanded: &ocsv1.UnitsLanded{
		Seat: seatIDs[seat], Units: p.ids(units), At: p.sc.PlaceID(at),
	}}})
}

// noteLanded notes that landed units move, which ends the rolls of the phase (OCS 18.5f-D).
func (p *Position) noteLanded(c *changes, seat rules.Seat, units []Unit) {
	if r := ocsv1.Register_REGISTER_LANDING; p.register(seat, r) == landingRolled &&
		slices.ContainsFunc(units, func(u Unit) bool { return p.has(u, ocsv1.UnitMark_UNIT_MARK_LANDED) }) {
		c.register(seat, r, landingMoved)
	}
}

// ashoreBar says why landing craft may not sail any more in the phase: it has unloaded (OCS 18.5a), or a roll on the table was made (OCS 18.5f).
func (p *Position) ashoreBar(u Unit) *rules.Refusal {
	s := &p.units[u]
	switch {
	case !p.isCraft(u):
		return nil
	case s.marks.has(ocsv1.UnitMark_UNIT_MARK_DONE):
		return rules.Refuse("OCS 18.5a", "refuse.craft-done", "unit", p.unitName(u)).About(p.id(u))
	case p.segment == SegMovement && p.register(s.seat, ocsv1.Register_REGISTER_LANDING) > 0:
		return rules.Refuse("OCS 18.5f", "refuse.after-rolls", "unit", p.unitName(u)).About(p.id(u))
	}
	return nil
}

// listLand lists for each hex the landing of all that may land there, in as few groups as can be, and of each unit alone.
func listLand(l *lister) {
	p := l.p
	if p.segment != SegMovement || p.register(l.seat, ocsv1.Register_REGISTER_LANDING) >= landingMoved {
		return
	}
	for i := range p.sc.Hexes {
		at := Place(i)
		if !p.sc.Hexes[i].Landing || !l.aims(at) {
			continue
		}
		var all []Unit
		for _, on := range p.bearers(l.seat) {
			if !p.offshore(on, at) {
				continue
			}
			for _, u := range p.passengers(on) {
				if p.mayLand(l.seat, u, at) == nil {
					all = append(all, u)
				}
			}
		}
		l.landing(at, all)
		for _, u := range all {
			if len(all) > 1 {
				l.landing(at, []Unit{u})
			}
		}
	}
}

func (l *lister) landing(at Place, units []Unit) {
	if len(units) == 0 {
		return
	}
	c := only(KindLand)
	c.At = at
	for n, g := range l.p.pack(units) {
		for _, u := range g {
			c.Lines = append(c.Lines, Line{Unit: u, At: Nowhere, Count: n + 1, By: NoUnit, Terrain: -1})
		}
	}
	l.checked(c)
}
