package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// economy reads the commands of research, purchase and mobilization.
func (d *decoder) economy(m *anniversaryv1.Command) (Command, bool) {
	switch k := m.GetKind().(type) {
	case *anniversaryv1.Command_Research:
		return counting(KindResearch, d.number(k.Research.GetCount(), maxNumber, "the number of researchers")), true
	case *anniversaryv1.Command_ChooseChart:
		return counting(KindChart, d.number(k.ChooseChart.GetChart(), 2, "the chart")), true
	case *anniversaryv1.Command_Buy:
		return d.units(only(KindBuy), k.Buy.GetUnits()), true
	case *anniversaryv1.Command_Repair:
		c := at(KindRepair, d.space(k.Repair.GetTerritory()))
		c.N = d.number(k.Repair.GetMarkers(), maxNumber, "the number of markers")
		return c, true
	case *anniversaryv1.Command_ChooseOrder:
		c := only(KindOrder)
		c.Yes = k.ChooseOrder.GetChinaFirst()
		return c, true
	case *anniversaryv1.Command_Place:
		c := at(KindPlace, d.space(k.Place.GetSpace()))
		c.From, c.Power = d.maybe(k.Place.GetThrough()), d.power(k.Place.GetPower())
		return d.units(c, k.Place.GetUnits()), true
	case *anniversaryv1.Command_GiveOrders:
		c := only(KindStanding)
		c.Orders = d.orders(k.GiveOrders.GetOrders())
		return c, true
	}
	return Command{}, false
}

// orders reads standing orders. A type of unit is named once in an order of loss.
func (d *decoder) orders(m *anniversaryv1.StandingOrders) *Standing {
	s := &Standing{
		Retreat: d.number(m.GetRetreat(), 255, "the threshold of retreats"), Bombard: m.GetBombard(), Divert: m.GetDivert(), Agree: m.GetAgree(),
		Submarines: d.choice(int32(m.GetSubmarines()), len(subsIDs), "what submarines do"),
		Carriers:   Policy(d.choice(int32(m.GetCarriers()), len(policyIDs), "the consent to guests on carriers")),
		Transports: Policy(d.choice(int32(m.GetTransports()), len(policyIDs), "the consent to guests on transports")),
	}
	if len(m.GetLosses()) > int(NumUnits)+1 {
		d.malformed("an order of loss of %d types, expected at most %d", len(m.GetLosses()), NumUnits+1)
		return s
	}
	var seen uint32
	for _, u := range m.GetLosses() {
		s.Losses = append(s.Losses, d.loss(d.unit(u, true), &seen))
	}
	return s
}

// loss puts a type into an order of loss in which it must not be yet.
func (d *decoder) loss(u Unit, seen *uint32) Unit {
	if u.in(*seen) {
		d.malformed("%s is twice in the order of loss", u.ID())
	}
	*seen |= 1 << u
	return u
}

// choice reads one of so many values, from 0.
func (d *decoder) choice(v int32, n int, what string) uint8 {
	if v < 0 || int(v) >= n {
		d.malformed("%s is %d, expected 0 to %d", what, v, n-1)
		return 0
	}
	return uint8(v)
}

// move reads the commands of movement.
func (d *decoder) move(m *anniversaryv1.Command) (Command, bool) {
	switch k := m.GetKind().(type) {
	case *anniversaryv1.Command_Move:
		c := d.way(KindMove, k.Move.GetFrom(), k.Move.GetVia(), k.Move.GetTo())
		c.Power = d.power(k.Move.GetPower())
		return d.units(c, k.Move.GetUnits()), true
	case *anniversaryv1.Command_Ship:
		return d.ship(k.Ship), true
	case *anniversaryv1.Command_Drop:
		c := d.way(KindDrop, k.Drop.GetFrom(), "", k.Drop.GetTo())
		c.N = d.count(k.Drop.GetCount())
		return c, true
	case *anniversaryv1.Command_FlyRaid:
		c := d.way(KindRaid, k.FlyRaid.GetFrom(), "", k.FlyRaid.GetTo())
		c.N = d.count(k.FlyRaid.GetCount())
		return c, true
	case *anniversaryv1.Command_Join:
		c := at(KindJoin, d.space(k.Join.GetZone()))
		c.N = d.count(k.Join.GetCount())
		return c, true
	case *anniversaryv1.Command_Recall:
		return counting(KindRecall, d.number(k.Recall.GetEntry(), 255, "the number of the move")), true
	case *anniversaryv1.Command_Divert:
		c := d.way(KindDivert, k.Divert.GetFrom(), "", k.Divert.GetTo())
		c.N, c.Power = d.count(k.Divert.GetCount()), d.power(k.Divert.GetPower())
		return c, true
	}
	return Command{}, false
}

func (d *decoder) way(k Kind, from, via, to string) Command {
	c := at(k, d.space(to))
	c.From, c.Via = d.space(from), d.maybe(via)
	return c
}

func (d *decoder) ship(m *anniversaryv1.Ship) Command {
	c := d.way(KindShip, m.GetFrom(), m.GetVia(), m.GetTo())
	c.Power, c.N, c.Target = d.power(m.GetOwner()), d.count(m.GetCount()), d.maybe(m.GetTarget())
	if !d.lines(len(m.GetFreight())) {
		return c
	}
	for _, f := range m.GetFreight() {
		it := line(d.unit(f.GetUnit(), false), 1)
		it.Power, it.At, it.Stays = d.power(f.GetPower()), d.maybe(f.GetFrom()), f.GetStays()
		c = c.with(it)
	}
	return c
}

// combat reads the commands of Conduct Combat.
func (d *decoder) combat(m *anniversaryv1.Command) (Command, bool) {
	switch k := m.GetKind().(type) {
	case *anniversaryv1.Command_Fight:
		return at(KindFight, d.space(k.Fight.GetSpace())), true
	case *anniversaryv1.Command_Bomb:
		return at(KindBomb, d.space(k.Bomb.GetTerritory())), true
	case *anniversaryv1.Command_Rocket:
		return d.way(KindRocket, k.Rocket.GetFrom(), "", k.Rocket.GetTo()), true
	case *anniversaryv1.Command_Bombard:
		return d.bombard(k.Bombard.GetBatteries()), true
	case *anniversaryv1.Command_Submerge:
		return counting(KindSubmerge, d.number(k.Submerge.GetCount(), maxNumber, "the number of submarines")), true
	case *anniversaryv1.Command_Lose:
		return d.lose(k.Lose.GetCasualties()), true
	case *anniversaryv1.Command_Answer:
		c := only(KindAnswer)
		c.Yes = k.Answer.GetAgree()
		return c, true
	case *anniversaryv1.Command_Retreat:
		return at(KindRetreat, d.maybe(k.Retreat.GetTo())), true
	}
	return Command{}, false
}

func (d *decoder) bombard(list []*anniversaryv1.Battery) Command {
	c := only(KindBombard)
	if !d.lines(len(list)) {
		return c
	}
	for _, b := range list {
		it := line(d.unit(b.GetUnit(), false), d.count(b.GetCount()))
		it.At = d.space(b.GetZone())
		c = c.with(it)
	}
	return c
}

func (d *decoder) lose(list []*anniversaryv1.Casualty) Command {
	c := only(KindLose)
	if len(list) == 0 {
		d.malformed("the command names no casualties")
	}
	if !d.lines(len(list)) {
		return c
	}
	for _, l := range list {
		it := line(d.unit(l.GetUnit(), true), d.count(l.GetCount()))
		it.Power, it.Variant = d.power(l.GetPower()), d.number(l.GetVariant(), maxNumber, "the variant")
		c = c.with(it)
	}
	return c
}

// bareKind is the kind of a command that says nothing else; KindNone for no command.
func bareKind(m *anniversaryv1.Command) Kind {
	switch m.GetKind().(type) {
	case *anniversaryv1.Command_EndPhase:
		return KindEnd
	case *anniversaryv1.Command_PressOn:
		return KindPress
	case *anniversaryv1.Command_Concede:
		return KindConcede
	case *anniversaryv1.Command_FightOn:
		return KindFightOn
	}
	return KindNone
}
