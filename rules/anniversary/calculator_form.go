package anniversary

import (
	"math/bits"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/anniversary/odds"
	"github.com/warledger/warledger/rules/anniversary/scenario"
)

// Rows of a side in the calculator. The first are the types of unit; there are also land units that come ashore
// (AA 9.3.14), ships that bombard (AA 9.3.6), battleships that were hit once (AA 9.8.4), and infantry that bombers
// drop (AA 6.3.7).
const (
	rowFirstAshore = int(NumUnits)
	rowFirstShip   = rowFirstAshore + int(Tank) + 1
	rowHurt        = rowFirstShip + 2
	rowDropped     = rowHurt + 1
	numRows        = rowDropped + 2 // the last is for what has no row
)

// rowAshore is the row of a type that comes ashore.
func rowAshore(u Unit) int {
	if u.In(scenario.Capturing) {
		return rowFirstAshore + int(u)
	}
	return numRows - 1
}

// rowBombards is the row of a type that bombards.
func rowBombards(u Unit) int {
	switch u {
	case Battleship:
		return rowFirstShip
	case Cruiser:
		return rowFirstShip + 1
	}
	return numRows - 1
}

// row is a line of the form.
type row struct {
	id    int
	unit  Unit
	name  string
	title rules.Text
	lost  bool
}

func unitRow(u Unit, lost bool) row {
	return row{int(u), u, u.ID(), rules.Text{Key: "unit." + u.ID()}, lost}
}

func ashoreRow(u Unit) row {
	return row{rowAshore(u), u, "ashore-" + u.ID(), rules.Say("forecast.ashore", "unit", unitName(u)), false}
}

func bombardingRow(u Unit) row {
	return row{rowBombards(u), u, "bombarding-" + u.ID(), rules.Say("forecast.bombarding", "unit", unitName(u)), false}
}

func damagedRow(u Unit) row {
	return row{rowHurt, u, "damaged-" + u.ID(), rules.Say("forecast.damaged", "unit", unitName(u)), false}
}

func droppedRow() row {
	title := rules.Say("forecast.dropped", "unit", unitName(Infantry))
	return row{rowDropped, Infantry, "dropped-infantry", title, false}
}

// Types of unit that fight on a side, by kind of combat, in the order of the price list.
const (
	fightsOnLand  = scenario.Capturing | scenario.AirUnits
	fightsAtSea   = scenario.SeaUnits | scenario.AirUnits
	defendsAtSea  = scenario.SeaUnits | 1<<Fighter // bombers are on land when it is not their turn (AA 12.3.2)
	hullsAreAtSea = 1 << Hull
)

// rows returns the lines of a side; those that can be lost come first, in the order of losses.
func (c *calculation) rows(side int) (list []row) {
	set := uint32(fightsOnLand)
	switch {
	case c.kind == fightAtSea && side == 0:
		set = fightsAtSea | hullsAreAtSea
	case c.kind == fightAtSea:
		set = defendsAtSea | hullsAreAtSea
	}
	for _, u := range c.losses(side) {
		if u.In(set) {
			list = append(list, unitRow(u, true))
		}
	}
	switch {
	case c.kind == fightAtSea:
		list = append(list, damagedRow(Battleship))
	case side == 1:
		list = append(list, unitRow(AAGun, false))
	case c.kind == fightShore:
		for u := Infantry; u <= Tank; u++ {
			list = append(list, ashoreRow(u))
		}
		for _, u := range [2]Unit{Battleship, Cruiser} {
			list = append(list, bombardingRow(u))
		}
	}
	if side == 0 && c.kind != fightAtSea && c.p.techs(c.w).Has(scenario.Paratroopers) {
		list = append(list, droppedRow())
	}
	return list
}

// losses returns the whole order of losses of a side: first what was entered, then the order by policy (AA 9.8.3).
func (c *calculation) losses(side int) []Unit {
	m, policy := &c.sides[side], policyAttackerLosses
	if side == 1 {
		policy = policyDefenderLosses
	}
	by := c.p.lossesBy(c.s.Policies.Value(policy), m.power)
	return odds.OrderOf(append(m.order[:len(m.order):len(m.order)], by...))
}

// add counts units of the position in their row.
func (m *entrant) add(rows *[numRows]int, k Key, n int) {
	switch {
	case k.Unit() == Battleship && k.Has(Damaged):
		rows[rowHurt] += n
	case k.Has(Seaborne) && k.Unit().In(scenario.Capturing):
		rows[rowAshore(k.Unit())] += n
	default:
		rows[k.Unit()] += n
	}
}

// take reads what was entered for a side. The path names the field in faults.
func (c *calculation) take(side int, path string, f *rules.BattleForce) {
	m := &c.sides[side]
	if side == 1 && f.Party != "" && f.Party != m.power.ID() {
		c.faults.Add(path+".party", "%.40q does not defend there, it can be left out", f.Party)
	}
	c.takeLosses(m, side, path, f.Losses)
	if !f.Entered {
		c.landNoMore(side)
		return
	}
	byName := map[string]row{}
	for _, r := range c.rows(side) {
		byName[r.name] = r
	}
	m.value = [numRows]int{}
	for _, n := range f.Numbers {
		r, ok := byName[n.ID]
		field := path + `.numbers["` + clipped(n.ID) + `"]`
		switch {
		case !ok:
			c.faults.Add(field, "there is no such number on this side of this kind of battle, expected one of %s",
				c.names(side, func(row) bool { return true }))
		case r.unit == Hull:
			c.faults.Add(field, "this follows from the number of battleships")
		case n.N < 0 || n.N > mostOfAKind:
			c.faults.Add(field, "%d, expected 0 to %d", n.N, mostOfAKind)
		default:
			m.value[r.id] = n.N
		}
	}
	m.techs = c.takeTraits(side, path, f.Traits)
}

// takeLosses reads an order of loss.
func (c *calculation) takeLosses(m *entrant, side int, path string, ids []string) {
	var list []Unit
	seen := uint32(0)
	for _, id := range ids {
		u := NoUnit
		for _, r := range c.rows(side) {
			if r.name == id && r.lost {
				u = r.unit
			}
		}
		switch {
		case u == NoUnit:
			c.faults.Add(path+".losses", "%.40q cannot be lost in this kind of battle, expected one of %s", id,
				c.names(side, func(r row) bool { return r.lost }))
		case u.In(seen):
			c.faults.Add(path+".losses", "%s is given twice", id)
		default:
			seen |= 1 << u
			list = append(list, u)
		}
	}
	m.order = list
	m.order = c.losses(side)
}

// takeTraits reads technologies.
func (c *calculation) takeTraits(side int, path string, ids []string) (techs scenario.Techs) {
	all := c.matter(side)
	for _, id := range ids {
		t := scenario.ByID(scenario.TechIDs[:], id, scenario.NoTech)
		if t == scenario.NoTech || !all.Has(t) {
			c.faults.Add(path+".traits", "%.40q does not matter on this side of this kind of battle", id)
			continue
		}
		techs |= 1 << t
	}
	return techs
}

// landNoMore drops units without a row in this kind of combat, and ships beyond those that may bombard (AA 9.3.7). Of
// infantry that could come by sea or by air it lets those come by air that are left.
func (c *calculation) landNoMore(side int) {
	m := &c.sides[side]
	var kept [numRows]int
	landed := 0
	for _, r := range c.rows(side) {
		if r.unit == Hull {
			continue
		}
		kept[r.id] = m.value[r.id]
		if r.id == rowAshore(r.unit) {
			landed += kept[r.id]
		}
	}
	for _, u := range [2]Unit{Battleship, Cruiser} {
		kept[rowBombards(u)] = min(kept[rowBombards(u)], landed)
		landed -= kept[rowBombards(u)]
	}
	if kept[rowDropped] = min(kept[rowDropped], kept[Bomber]); c.kind == fightShore {
		kept[rowDropped] = min(kept[rowDropped], m.there[rowDropped]+c.reach.spare)
	}
	m.value, m.techs = kept, m.techs&c.matter(side)
}

// checkBombards: no more ships bombard than units came ashore (AA 9.3.7).
func (c *calculation) checkBombards() {
	m := &c.sides[0]
	landed, ships := 0, m.value[rowBombards(Battleship)]+m.value[rowBombards(Cruiser)]
	for u := Infantry; u <= Tank; u++ {
		landed += m.value[rowAshore(u)]
	}
	if ships > landed {
		c.faults.Add("attacker.numbers", "%d ships bombard, at most one for each of the %d units that come ashore "+
			"(AA 9.3.7)", ships, landed)
	}
}

// checkDropped: each bomber drops one infantry (AA 6.3.7).
func (c *calculation) checkDropped() {
	m := &c.sides[0]
	if n := m.value[rowDropped]; n > m.value[Bomber] {
		c.faults.Add("attacker.numbers", "%d infantry are dropped, at most one by each of the %d bombers (AA 6.3.7)", n,
			m.value[Bomber])
	}
}

// matter returns the technologies that affect a side in this kind of combat.
func (c *calculation) matter(side int) (techs scenario.Techs) {
	sc := c.p.sc
	for t := range NumTechs {
		one := scenario.Techs(1) << t
		changes := side == 1 && c.kind != fightAtSea && sc.AAHit(one) != sc.AAHit(0)
		if side == 0 {
			changes = c.kind != fightAtSea && sc.Supports(one) != sc.Supports(0)
			for _, r := range c.rows(side) {
				changes = changes || r.unit < NumUnits &&
					(sc.Attack(r.unit, one) != sc.Attack(r.unit, 0) || sc.Dice(r.unit, one) != sc.Dice(r.unit, 0))
			}
		}
		if changes {
			techs |= one
		}
	}
	return techs
}

// form returns a side as the odds took it.
func (c *calculation) form(side int) rules.BattleSide {
	m := &c.sides[side]
	out := rules.BattleSide{Party: m.power.ID()}
	if side == 1 && m.power != NoPower {
		out.Parties = []rules.BattleChoice{{ID: out.Party, Title: rules.Text{Key: "power." + out.Party}}}
	}
	for _, r := range c.rows(side) {
		n := rules.BattleNumber{ID: r.name, Title: r.title, Most: mostOfAKind, Lost: r.lost}
		if r.unit == Hull {
			n.Value, n.Most = m.value[Battleship], 0
		} else {
			n.Value, n.There, n.Reach = m.value[r.id], m.there[r.id], m.could[r.id]
		}
		out.Numbers = append(out.Numbers, n)
	}
	for set := uint(c.matter(side)); set != 0; set &= set - 1 {
		t := Tech(bits.TrailingZeros(set))
		out.Traits = append(out.Traits,
			rules.BattleTrait{ID: t.ID(), Title: rules.Text{Key: "tech." + t.ID()}, On: m.techs.Has(t)})
	}
	return out
}

// names returns the ids of the rows that pass the test, for messages.
func (c *calculation) names(side int, pass func(row) bool) string {
	var ids []string
	for _, r := range c.rows(side) {
		if pass(r) {
			ids = append(ids, r.name)
		}
	}
	return wordList(ids)
}

// idsOf are ids of powers for a message.
func idsOf(list []Power) string {
	var ids []string
	for _, w := range list {
		ids = append(ids, w.ID())
	}
	return wordList(ids)
}

func wordList(ids []string) string { return strings.Join(ids, ", ") }

// clipped is an id as a message quotes it.
func clipped(id string) string {
	if r := []rune(id); len(r) > 40 {
		return string(r[:40])
	}
	return id
}
