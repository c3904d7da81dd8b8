package anniversary

import (
	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// encode makes the message of a command.
func (p *Position) encode(c Command) *anniversaryv1.Command {
	m := &anniversaryv1.Command{}
	if !p.encodeEconomy(&c, m) && !p.encodeMove(&c, m) && !p.encodeCombat(&c, m) {
		encodeBare(c.Kind, m)
	}
	return m
}

// encodeEconomy makes the commands of research, purchase and mobilization.
func (p *Position) encodeEconomy(c *Command, m *anniversaryv1.Command) bool {
	n, id := uint32(c.N), p.sc.SpaceID
	switch c.Kind {
	case KindResearch:
		m.Kind = &anniversaryv1.Command_Research{Research: &anniversaryv1.Research{Count: n}}
	case KindChart:
		m.Kind = &anniversaryv1.Command_ChooseChart{ChooseChart: &anniversaryv1.ChooseChart{Chart: n}}
	case KindBuy:
		m.Kind = &anniversaryv1.Command_Buy{Buy: &anniversaryv1.Buy{Units: encodeUnits(c)}}
	case KindRepair:
		m.Kind = &anniversaryv1.Command_Repair{Repair: &anniversaryv1.Repair{Territory: id(c.To), Markers: n}}
	case KindOrder:
		m.Kind = &anniversaryv1.Command_ChooseOrder{ChooseOrder: &anniversaryv1.ChooseOrder{ChinaFirst: c.Yes}}
	case KindPlace:
		m.Kind = &anniversaryv1.Command_Place{Place: &anniversaryv1.Place{
			Space: id(c.To), Through: id(c.From), Units: encodeUnits(c), Power: protoPower(c.Power),
		}}
	case KindStanding:
		m.Kind = &anniversaryv1.Command_GiveOrders{GiveOrders: &anniversaryv1.GiveOrders{Orders: c.Orders.message()}}
	default:
		return false
	}
	return true
}

// encodeMove makes the commands of movement.
func (p *Position) encodeMove(c *Command, m *anniversaryv1.Command) bool {
	n, id := uint32(c.N), p.sc.SpaceID
	switch c.Kind {
	case KindMove:
		m.Kind = &anniversaryv1.Command_Move{Move: &anniversaryv1.Move{
			From: id(c.From), Via: id(c.Via), To: id(c.To), Units: encodeUnits(c), Power: protoPower(c.Power),
		}}
	case KindShip:
		s := &anniversaryv1.Ship{Owner: protoPower(c.Power), Count: n, From: id(c.From), Via: id(c.Via), To: id(c.To), Target: id(c.Target)}
		for _, it := range c.items() {
			s.Freight = append(s.Freight, &anniversaryv1.Freight{Unit: protoUnit(it.Unit), Power: protoPower(it.Power), From: id(it.At), Stays: it.Stays})
		}
		m.Kind = &anniversaryv1.Command_Ship{Ship: s}
	case KindDrop:
		m.Kind = &anniversaryv1.Command_Drop{Drop: &anniversaryv1.Drop{From: id(c.From), To: id(c.To), Count: n}}
	case KindRaid:
		m.Kind = &anniversaryv1.Command_FlyRaid{FlyRaid: &anniversaryv1.FlyRaid{From: id(c.From), To: id(c.To), Count: n}}
	case KindJoin:
		m.Kind = &anniversaryv1.Command_Join{Join: &anniversaryv1.Join{Zone: id(c.To), Count: n}}
	case KindRecall:
		m.Kind = &anniversaryv1.Command_Recall{Recall: &anniversaryv1.Recall{Entry: n}}
	case KindDivert:
		m.Kind = &anniversaryv1.Command_Divert{Divert: &anniversaryv1.Divert{From: id(c.From), To: id(c.To), Count: n, Power: protoPower(c.Power)}}
	default:
		return false
	}
	return true
}

// encodeCombat makes the commands of Conduct Combat.
func (p *Position) encodeCombat(c *Command, m *anniversaryv1.Command) bool {
	id := p.sc.SpaceID
	switch c.Kind {
	case KindFight:
		m.Kind = &anniversaryv1.Command_Fight{Fight: &anniversaryv1.Fight{Space: id(c.To)}}
	case KindBomb:
		m.Kind = &anniversaryv1.Command_Bomb{Bomb: &anniversaryv1.Bomb{Territory: id(c.To)}}
	case KindRocket:
		m.Kind = &anniversaryv1.Command_Rocket{Rocket: &anniversaryv1.Rocket{From: id(c.From), To: id(c.To)}}
	case KindBombard:
		b := &anniversaryv1.Bombard{}
		for _, it := range c.items() {
			b.Batteries = append(b.Batteries, &anniversaryv1.Battery{Zone: id(it.At), Unit: protoUnit(it.Unit), Count: uint32(it.N)})
		}
		m.Kind = &anniversaryv1.Command_Bombard{Bombard: b}
	case KindSubmerge:
		m.Kind = &anniversaryv1.Command_Submerge{Submerge: &anniversaryv1.Submerge{Count: uint32(c.N)}}
	case KindLose:
		l := &anniversaryv1.Lose{}
		for _, it := range c.items() {
			l.Casualties = append(l.Casualties, &anniversaryv1.Casualty{
				Unit: protoUnit(it.Unit), Count: uint32(it.N), Power: protoPower(it.Power), Variant: uint32(it.Variant),
			})
		}
		m.Kind = &anniversaryv1.Command_Lose{Lose: l}
	case KindAnswer:
		m.Kind = &anniversaryv1.Command_Answer{Answer: &anniversaryv1.Answer{Agree: c.Yes}}
	case KindRetreat:
		m.Kind = &anniversaryv1.Command_Retreat{Retreat: &anniversaryv1.Retreat{To: id(c.To)}}
	default:
		return false
	}
	return true
}

// encodeBare makes the commands that say nothing but their kind.
func encodeBare(k Kind, m *anniversaryv1.Command) {
	switch k {
	case KindEnd:
		m.Kind = &anniversaryv1.Command_EndPhase{EndPhase: &anniversaryv1.EndPhase{}}
	case KindPress:
		m.Kind = &anniversaryv1.Command_PressOn{PressOn: &anniversaryv1.PressOn{}}
	case KindConcede:
		m.Kind = &anniversaryv1.Command_Concede{Concede: &anniversaryv1.Concede{}}
	case KindFightOn:
		m.Kind = &anniversaryv1.Command_FightOn{FightOn: &anniversaryv1.FightOn{}}
	}
}

func encodeUnits(c *Command) []*anniversaryv1.Units {
	var list []*anniversaryv1.Units
	for _, it := range c.items() {
		list = append(list, &anniversaryv1.Units{Unit: protoUnit(it.Unit), Count: uint32(it.N), Variant: uint32(it.Variant)})
	}
	return list
}

// message writes standing orders; none are the orders to ask for everything.
func (s *Standing) message() *anniversaryv1.StandingOrders {
	m := &anniversaryv1.StandingOrders{}
	if s == nil {
		return m
	}
	for _, u := range s.Losses {
		m.Losses = append(m.Losses, protoUnit(u))
	}
	m.Retreat, m.Submarines = uint32(s.Retreat), anniversaryv1.SubmarineOrder(s.Submarines)
	m.Bombard, m.Divert, m.Agree = s.Bombard, s.Divert, s.Agree
	m.Carriers, m.Transports = anniversaryv1.Consent(s.Carriers), anniversaryv1.Consent(s.Transports)
	return m
}
