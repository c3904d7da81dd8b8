package downfall

import (
	"strings"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

// maxDeployed is the largest number of naval markers that a deployment can name.
const maxDeployed = maxNaval

// segment reads the commands of set-up, of the unconventional weapons and of the supply check.
func (d *decoder) segment(m *downfallv1.Command) (Command, bool) {
	switch k := m.GetKind().(type) {
	case *downfallv1.Command_Place:
		return aiming(KindPlace, d.unit(k.Place.GetUnit()), d.hex(k.Place.GetHex())), true
	case *downfallv1.Command_Orders:
		return d.orders(k.Orders), true
	case *downfallv1.Command_Plan:
		c := aiming(KindPlan, NoUnit, d.hex(k.Plan.GetHex()))
		c.Detail = uint64(d.number(k.Plan.GetTurn(), maxTurns, "the turn"))
		return c, true
	case *downfallv1.Command_Zones:
		return d.zones(k.Zones.GetZones()), true
	case *downfallv1.Command_Remove:
		c := only(KindRemove)
		c.Detail = d.markers(k.Remove.GetMarkers())
		return c, true
	case *downfallv1.Command_Bombs:
		c := only(KindBombs)
		c.Count = d.number(k.Bombs.GetCount(), maxBombs, "the number of bombs")
		return c, true
	case *downfallv1.Command_Target:
		return d.bomb(KindTarget, k.Target.GetHex(), k.Target.GetUnit()), true
	case *downfallv1.Command_Bomb:
		return d.bomb(KindBomb, k.Bomb.GetHex(), k.Bomb.GetUnit()), true
	case *downfallv1.Command_Losses:
		return d.losses(k.Losses.GetLosses()), true
	case *downfallv1.Command_Supply:
		return aiming(KindSupply, NoUnit, d.maybe(k.Supply.GetHex())), true
	}
	return Command{}, false
}

// orders reads orders to the 11th Division. A drop plan without a mode means airborne (DF 15.6-b).
func (d *decoder) orders(m *downfallv1.GiveOrders) Command {
	c := aiming(KindOrders, NoUnit, d.maybe(m.GetDropHex()))
	c.Count = d.number(uint32(m.GetMode()), int(modeAirborne), "the mode")
	c.Detail = uint64(d.number(m.GetDropTurn(), maxTurns, "the turn"))
	c.Count = c.arrival()
	if (c.Hex == NoHex) != (c.turn() == 0) {
		d.malformed("a drop plan has a hex and a turn, or neither")
	}
	return c
}

func (d *decoder) zones(ids []string) Command {
	c := only(KindZones)
	if len(ids) > maxDeployed {
		d.malformed("%d zones, expected at most %d", len(ids), maxDeployed)
		return c
	}
	c.Count = uint8(len(ids))
	for i, id := range ids {
		c.Detail |= uint64(d.zone(id)) << (zoneBits * i)
	}
	return c
}

func (d *decoder) bomb(k Kind, hex uint32, unit string) Command {
	if (hex == 0) == (unit == "") {
		d.malformed("a bomb has a hex or a unit for its target, one of the two")
	}
	return aiming(k, d.unless(unit), d.maybe(hex))
}

func (d *decoder) losses(list []*downfallv1.UnitLoss) Command {
	c := only(KindLosses)
	for _, l := range list {
		u := d.unit(l.GetUnit())
		if n := l.GetSteps(); n < 1 || n > 2 {
			d.malformed("%.40q loses %d steps, expected 1 or 2", l.GetUnit(), n)
		}
		if d.refusal != nil {
			return c
		}
		d.add(&c.Units, u)
		if l.GetSteps() == 2 {
			c.Detail |= uint64(bit(u))
		}
	}
	return c
}

// action reads the commands that spend CP.
func (d *decoder) action(m *downfallv1.Command) (Command, bool) {
	var c Command
	switch k := m.GetKind().(type) {
	case *downfallv1.Command_Move:
		return d.move(k.Move.GetUnits()), true
	case *downfallv1.Command_Follow:
		return only(KindFollow).routed(d.route(k.Follow.GetUnit().GetUnit(), k.Follow.GetUnit().GetPath())), true
	case *downfallv1.Command_Enter:
		return only(KindEnter).routed(d.route(k.Enter.GetUnit(), k.Enter.GetPath())), true
	case *downfallv1.Command_Attack:
		c = d.attack(KindAttack, k.Attack.GetTarget(), k.Attack.GetFrom(), k.Attack.GetUnits())
		return d.support(c, k.Attack.GetSupport()), true
	case *downfallv1.Command_Consecutive:
		return d.attack(KindConsecutive, k.Consecutive.GetTarget(), k.Consecutive.GetFrom(), k.Consecutive.GetUnits()), true
	case *downfallv1.Command_Also:
		c = only(KindAlso)
		c.From, c.Units = d.hex(k.Also.GetFrom()), d.units(k.Also.GetUnits())
		return c, true
	case *downfallv1.Command_Declare:
		c = only(KindDeclare)
		c.Count, c.Detail = d.number(k.Declare.GetAir(), maxEntries, "the number of air markers"), d.markers(k.Declare.GetNaval())
		return c, true
	case *downfallv1.Command_Land:
		return d.support(only(KindLand), k.Land.GetSupport()), true
	case *downfallv1.Command_Recover:
		return naming(KindRecover, d.unit(k.Recover.GetUnit())), true
	case *downfallv1.Command_Rebuild:
		return naming(KindRebuild, d.unit(k.Rebuild.GetUnit())), true
	case *downfallv1.Command_Stepup:
		return naming(KindStepUp, d.unit(k.Stepup.GetUnit())), true
	}
	return Command{}, false
}

func (d *decoder) move(units []*downfallv1.UnitMove) Command {
	var seen UnitSet
	var routes []Route
	if len(units) == 0 {
		d.malformed("the move names no unit")
	}
	for _, m := range units {
		routes = append(routes, d.route(m.GetUnit(), m.GetPath())...)
		d.add(&seen, routes[len(routes)-1].Unit)
		if d.refusal != nil {
			return only(KindMove)
		}
	}
	return only(KindMove).routed(routes)
}

func (d *decoder) attack(k Kind, target, from uint32, units []string) Command {
	c := aiming(k, NoUnit, d.hex(target))
	c.From, c.Units = d.hex(from), d.units(units)
	return c
}

// combat reads the commands within a combat.
func (d *decoder) combat(m *downfallv1.Command) (Command, bool) {
	switch k := m.GetKind().(type) {
	case *downfallv1.Command_Support:
		return d.support(only(KindSupport), k.Support.GetSupport()), true
	case *downfallv1.Command_Bombard:
		return naming(KindBombard, d.unless(k.Bombard.GetTarget())), true
	case *downfallv1.Command_Shot:
		c := naming(KindShot, d.unit(k.Shot.GetShooter()))
		c.Other = d.unit(k.Shot.GetTarget())
		return c, true
	case *downfallv1.Command_Retreat:
		return naming(KindRetreat, d.unit(k.Retreat.GetUnit())), true
	case *downfallv1.Command_Abort:
		return naming(KindAbort, d.unit(k.Abort.GetUnit())), true
	case *downfallv1.Command_Withdraw:
		var routes []Route
		for _, w := range k.Withdraw.GetUnits() {
			r := Route{Unit: d.unit(w.GetUnit())}
			if w.GetHex() != 0 {
				r.Path = []Hex{d.hex(w.GetHex())}
			}
			routes = append(routes, r)
		}
		return d.withdrawal(routes), true
	case *downfallv1.Command_Advance:
		c := only(KindAdvance)
		c.Units = d.units(k.Advance.GetUnits())
		return c, true
	case *downfallv1.Command_Eliminate:
		return naming(KindEliminate, d.unit(k.Eliminate.GetUnit())), true
	}
	return Command{}, false
}

// withdrawal gives a withdrawal its ways: in the short shape if all that retreat go to one hex, or none has a place.
func (d *decoder) withdrawal(routes []Route) Command {
	c := only(KindWithdraw)
	var named UnitSet
	same := true
	for _, r := range routes {
		d.add(&named, r.Unit)
		same = same && len(r.Path) == len(routes[0].Path) && (len(r.Path) == 0 || r.Path[0] == routes[0].Path[0])
	}
	if d.refusal != nil {
		return c
	}
	if len(routes) == 0 || same && d.p.fight.on && named == d.p.retreating() {
		if len(routes) > 0 && len(routes[0].Path) > 0 {
			c.Hex = routes[0].Path[0]
		}
		return c
	}
	c.Routes = &routes
	return c
}

// zone reads the id of a zone.
func (d *decoder) zone(id string) Zone {
	var ids []string
	for z := range d.p.sc.Zones {
		if d.p.sc.Zones[z].ID == id {
			return Zone(z)
		}
		ids = append(ids, d.p.sc.Zones[z].ID)
	}
	d.malformed("there is no zone %.40q; the zones are %s", id, strings.Join(ids, ", "))
	return 0
}
